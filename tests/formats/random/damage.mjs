// What may happen to an array on its way: one to three deeds on a deep copy.

const isObject = (value) => typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A deep copy; bytes and `URL` objects are shared. */
export const copied = (value) => {
  if (Array.isArray(value)) return value.map(copied);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)])) : value;
};

/**
 * A damaged copy.
 * @param {ReturnType<typeof import("../../js/random.mjs").random>} random
 * @param {object[]} messages
 * @param {{ roles: string[], lists: string[] }} shape the roles of the format, and the keys of its lists of parts
 */
export function damaged({ below, pick, chance }, messages, { roles, lists }) {
  const items = copied(messages);
  const place = (list) => below(list.length);
  const listsOf = (keys = lists) => items.flatMap((item) => keys.map((key) => item[key])).filter((list) => Array.isArray(list) && list.length > 0);
  /** Items, parts, and the objects in them that say what was called. */
  const objects = () => {
    const parts = listsOf().flat().filter(isObject);
    return [...items, ...parts, ...parts.flatMap(Object.values).filter(isObject)];
  };
  const onSome = (list, deed) => list.length > 0 && deed(pick(list));
  const fieldsOf = (holds) => objects().flatMap((object) => Object.keys(object).filter((key) => holds(key, object[key])).map((key) => [object, key]));

  const list = {
    drop: (list) => list.splice(place(list), 1),
    repeat: (list) => list.splice(below(list.length + 1), 0, copied(pick(list))),
    move: (list) => list.splice(below(list.length), 0, ...list.splice(place(list), 1)),
    swap: (list) => {
      const at = place(list);
      if (at + 1 < list.length) [list[at], list[at + 1]] = [list[at + 1], list[at]];
    },
    empty: (list) => list.splice(0),
  };
  const deeds = [
    () => list[pick(["drop", "drop", "repeat", "move", "swap"])](items),
    () => onSome(listsOf(), list[pick(["drop", "drop", "repeat", "move", "swap", "empty"])]),
    // A part goes to another item.
    () => {
      const alike = listsOf([pick(lists)]);
      onSome(alike, (from) => pick(alike).push(...from.splice(place(from), 1)));
    },
    () => onSome(items.filter(({ role }) => role !== undefined), (item) => { item.role = pick(roles); }),
    // Without its type a part is one that nobody knows.
    () => onSome(fieldsOf((key) => key !== "type"), ([object, key]) => { delete object[key]; }),
    () => onSome(fieldsOf((key, value) => ["text", "content", "thinking"].includes(key) && typeof value === "string"), ([object, key]) => { object[key] = ""; }),
    () => onSome(fieldsOf((key, value) => /id$/i.test(key) && typeof value === "string"), ([object, key]) => { object[key] = pick(["other", pick(fieldsOf((other) => other === key))[0][key]]); }),
  ];
  do if (items.length > 0) pick(deeds)();
  while (chance(0.4));
  return items;
}
