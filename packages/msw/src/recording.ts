/** What came in, in order. */
export interface Recording<Item> {
  add(item: Item): void;
  /** Whoever reads it keeps what was there by then. */
  readonly all: readonly Item[];
}

/** A mock may run for days, beside a program that is being written: to copy all there is for each that comes would take ever longer. */
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
