/** What becomes of an array of messages, told by what stays of it: the index of an item that came in, a new item, or a copy of one. */
export type Outline = readonly (number | NewItem | ItemCopy)[];

interface NewItem {
  item: object;
}

/** A copy of the item of that index, in which some keys have other values. */
interface ItemCopy extends Changes {
  from: number;
  /** The lists of parts that it has from now on, by their keys. */
  lists?: Readonly<Record<string, readonly (OldPart | NewPart)[]>>;
  /** Keys that it no longer has. */
  unset?: readonly string[];
}

/** The part at that place of the list of an item that came in, under the same key; with `set` a copy of it. */
interface OldPart extends Changes {
  of: number;
  at: number;
}

interface NewPart {
  part: unknown;
}

interface Changes {
  /** New values; a key with dots leads into nested objects. */
  set?: Readonly<Record<string, unknown>>;
}

type Fields = Record<string, unknown>;

/**
 * The array that an outline tells of; the one that came in where nothing changes. What stays is the very
 * same object, also a part of a message that changes, and nothing of what came in is written to.
 */
export function applyOutline<M>(messages: readonly M[], outline: Outline): M[] {
  if (outline.length === messages.length && outline.every((item, at) => item === at)) return messages as M[];
  return outline.map((item): M => {
    if (typeof item === "number") return messages[item] as M;
    return "item" in item ? (item.item as M) : copyOf(messages, item);
  });
}

function copyOf<M>(messages: readonly M[], { from, lists = {}, set, unset = [] }: ItemCopy): M {
  const copy = shallow(messages[from] as Fields);
  for (const key of unset) delete copy[key];
  for (const [key, parts] of Object.entries(lists)) {
    copy[key] = parts.map((part) => {
      if ("part" in part) return part.part;
      const old = ((messages[part.of] as Fields)[key] as readonly unknown[])[part.at];
      return part.set === undefined ? old : withSet(shallow(old as Fields), part.set);
    });
  }
  return withSet(copy, set) as M;
}

/** An object of our own with the given values in it. */
function withSet(own: Fields, set: Changes["set"] = {}): Fields {
  for (const [path, value] of Object.entries(set)) {
    const keys = path.split(".");
    const last = keys.pop() as string;
    let inner = own;
    for (const key of keys) inner = inner[key] = shallow((inner[key] ?? {}) as Fields);
    inner[last] = value;
  }
  return own;
}

/** A copy of an object, of the same class. */
function shallow(object: Fields): Fields {
  return Object.assign(Object.create(Object.getPrototypeOf(object) as object | null), object) as Fields;
}
