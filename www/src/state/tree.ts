// The session tree, read anew when an entry, a label or the leaf is another.

import { computed } from "@preact/signals";
import { readTree, type Tree } from "../view/map/tree.js";
import { rows, shape, snapshot } from "./session.js";

export const tree = computed<Tree>(() => {
  void shape.value;
  return readTree(rows.peek(), snapshot.peek()?.leaf ?? -1);
});
