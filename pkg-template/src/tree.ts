import type { SessionState } from "./state.js";

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

export function buildTree(state: SessionState): SessionTree {
  const parents = state.call((handle) => handle.parents());
  const labels = new Map(JSON.parse(state.call((handle) => handle.labels())) as [string, string][]);
  const tree: SessionTree = { roots: [], nodes: new Map() };
  parents.forEach((parent, index) => {
    const id = state.id(index);
    const label = labels.get(id);
    const parentId = parent < 0 ? null : state.id(parent);
    tree.nodes.set(id, { parentId, childIds: [], ...(label === undefined ? {} : { label }) });
  });
  for (const [id, { parentId }] of tree.nodes) {
    (parentId === null ? tree.roots : tree.nodes.get(parentId)?.childIds)?.push(id);
  }
  return tree;
}
