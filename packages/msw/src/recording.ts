/** A list of received items. */
export interface Recording<Item> {
  add(item: Item): void;
  /** A snapshot. It does not change later. */
  readonly all: readonly Item[];
}

/** Copies the list only when it is read, because a mock may run for days and receive many requests. */
export function createRecording<Item>(): Recording<Item> {
  const items: Item[] = [];
  let copy: readonly Item[] | undefined;
  return {
    add(item) {
      items.push(item);
      copy = undefined;
    },
    get all() {
      return (copy ??= [...items]);
    },
  };
}
