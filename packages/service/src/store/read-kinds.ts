import type { Key, Store } from "@hookwright/storage";

/** The second parts of all keys in a partition. Costs one seek for each. */
export async function readKinds(store: Store, partition: string): Promise<string[]> {
  const kinds: string[] = [];
  for (let after: Key = [partition]; ;) {
    const [entry] = await store.list({ prefix: [partition], after, limit: 1 });
    const kind = entry?.key[1];
    if (typeof kind !== "string") return kinds;
    kinds.push(kind);
    // Greater than every key that begins with this kind, and less than any other kind.
    after = [partition, `${kind}\0`];
  }
}
