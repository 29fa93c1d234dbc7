/** A session's tree, flat. */
export interface SessionTree {
  /** The ids of entries without a parent. */
  roots: string[];
  nodes: Map<string, TreeNode>;
}

/** An entry's place in the tree. */
export interface TreeNode {
  parentId: string | null;
  /** In the order of the file. */
  childIds: string[];
  label?: string;
}
