import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import { keys } from "./keys.ts";

/** An address on a site. */
export interface SubscriberAddress {
  readonly accountId: string;
  readonly projectId: string;
  readonly email: string;
}

/** The checks and mutations that keep the entry of an address up to date. */
export interface AddressChange {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}

/**
 * The subscriber of an address. The host may publish several records with the same address. The first record is the subscriber;
 * each of the others has an entry of its own. Their number is stored here, so that each change of the others changes this entry.
 */
interface AddressEntry {
  readonly id: string;
  readonly others: number;
}

/** The id of the subscriber in the entry of an address. */
export function subscriberOf(entryText: string): string {
  return parseEntry(entryText).id;
}

/** Adds a record to an address. `entryText` is the current entry of the address. */
export function joinAddress(
  address: SubscriberAddress,
  entryText: string | undefined,
  recordId: string,
): AddressChange {
  const key = entryKey(address);
  const checks: Check[] = [{ key, value: entryText }];
  if (entryText === undefined) return { checks, mutations: [setEntry(key, { id: recordId, others: 0 })] };
  const { id, others } = parseEntry(entryText);
  if (id === recordId) return { checks, mutations: [] };
  return {
    checks,
    mutations: [
      setEntry(key, { id, others: others + 1 }),
      { type: "set", key: otherKey(address, recordId), value: "" },
    ],
  };
}

/** Removes a record from an address. If it was the subscriber, one of the others becomes the subscriber. */
export async function leaveAddress(
  store: Store,
  address: SubscriberAddress,
  recordId: string,
): Promise<AddressChange> {
  const key = entryKey(address);
  const [entryText, own] = await store.getMany([key, otherKey(address, recordId)]);
  if (entryText === undefined) return { checks: [], mutations: [] };
  const checks: Check[] = [{ key, value: entryText }];
  const { id, others } = parseEntry(entryText);
  if (id !== recordId) {
    if (own === undefined) return { checks, mutations: [] };
    return {
      checks,
      mutations: [
        setEntry(key, { id, others: others - 1 }),
        { type: "delete", key: otherKey(address, recordId) },
      ],
    };
  }
  const [next] = others === 0 ? [] : await store.list({ prefix: otherKeys(address), limit: 1 });
  const nextId = next?.key.at(-1);
  if (next === undefined || typeof nextId !== "string")
    return { checks, mutations: [{ type: "delete", key }] };
  return {
    // The number alone does not reveal that this record was replaced by another one.
    checks: [...checks, { key: next.key, value: next.value }],
    mutations: [setEntry(key, { id: nextId, others: others - 1 }), { type: "delete", key: next.key }],
  };
}

function entryKey({ accountId, projectId, email }: SubscriberAddress): Key {
  return keys.subscriberOfEmail(accountId, projectId, email);
}

function otherKeys({ accountId, projectId, email }: SubscriberAddress): Key {
  return keys.subscribersOfEmail(accountId, projectId, email);
}

function otherKey(address: SubscriberAddress, recordId: string): Key {
  return [...otherKeys(address), recordId];
}

/** Ids contain no spaces. */
function parseEntry(text: string): AddressEntry {
  const [id = "", others = "0"] = text.split(" ");
  return { id, others: Number(others) };
}

function setEntry(key: Key, { id, others }: AddressEntry): Mutation {
  return { type: "set", key, value: others === 0 ? id : `${id} ${others}` };
}
