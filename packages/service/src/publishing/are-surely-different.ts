/** Pairs are compared while that costs less than to name each item and look the names up. */
const mostCompared = 64;

/** Whether no two items are the same, told by comparing pairs. False as well where there are too many of them for that. */
export function areSurelyDifferent<Item>(
  items: readonly Item[],
  isSame: (one: Item, other: Item) => boolean,
): boolean {
  if (items.length > mostCompared) return false;
  return items.every((one, index) => {
    for (let earlier = 0; earlier < index; earlier++) {
      const other = items[earlier];
      if (other !== undefined && isSame(one, other)) return false;
    }
    return true;
  });
}
