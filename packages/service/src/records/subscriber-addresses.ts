import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";

/** An address as a site knows it. */
export interface SubscriberAddress {
  readonly accountId: string;
  readonly projectId: string;
  readonly email: string;
}

/** What a commit checks and writes so that an address goes on leading to a record that has it. */
export interface AddressChange {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}

/**
 * Whom an address leads to. The host may publish several records with the same address: the first one is the subscriber, and the
 * others wait for it to go, each in an entry of its own. Their number makes every one that comes or goes change this entry.
 */
interface AddressEntry {
  readonly id: string;
  readonly others: number;
}

/** The record that an address leads to, by the entry of the address. */
export function subscriberOf(entryText: string): string {
  return parseEntry(entryText).id;
}

/** A record takes up an address, of which `entryText` is the entry. */
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

/** A record gives up an address: it is removed, or has another address now. One of the others is the subscriber from then on. */
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
    // Where it has gone and another has come, their number is what it was.
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

/** Ids have no spaces. */
function parseEntry(text: string): AddressEntry {
  const [id = "", others = "0"] = text.split(" ");
  return { id, others: Number(others) };
}

function setEntry(key: Key, { id, others }: AddressEntry): Mutation {
  return { type: "set", key, value: others === 0 ? id : `${id} ${others}` };
}
