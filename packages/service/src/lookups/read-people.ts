import type { Check, Mutation, Store } from "@hookwright/storage";
import { maximumPeople } from "@hookwright/domain";
import { keys } from "../rows/keys.ts";
import { parsePersonRow } from "../rows/person-row.ts";
import type { PersonRow } from "../rows/person-row.ts";

export interface StoredPerson {
  readonly row: PersonRow;
  readonly text: string;
}

export interface People {
  /** Oldest first. */
  readonly people: readonly StoredPerson[];
  /** Include both in every commit that adds, changes or removes somebody. Then concurrent changes conflict. */
  readonly check: Check;
  readonly renew: (mark: string) => Mutation;
}

/** Reads the people of an account, invited ones included. */
export async function readPeople(store: Store, accountId: string): Promise<People> {
  const key = keys.peopleMark(accountId);
  // The mark first: a change that comes between the two reads makes the commit fail.
  const mark = await store.get(key);
  const entries = await store.list({ prefix: keys.people(accountId), limit: maximumPeople });
  return {
    people: entries.map(({ value: text }) => ({ row: parsePersonRow(text), text })),
    check: { key, value: mark },
    renew: (value) => ({ type: "set", key, value }),
  };
}
