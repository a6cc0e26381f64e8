import { mergeContact } from "@hookwright/domain";
import type { RecordCustomer } from "@hookwright/domain";
import type { Check, Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { parseContactRow, toNewContactMutations } from "../audience/contact-row.ts";
import type { ContactRow } from "../audience/contact-row.ts";
import { keys } from "../store/keys.ts";

export interface ContactChange {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}

const noChange: ContactChange = { checks: [], mutations: [] };

/**
 * The customer of a published record becomes a contact, or fills what is blank in the one there is (contract §3); part
 * of the publishing commit. `known` is the id stored under the address, read together with everything else.
 */
export async function contactOfRecord(
  { store, newId }: Pick<ServiceContext, "store" | "newId">,
  {
    accountId,
    projectId,
    customer,
    known,
    now,
  }: {
    readonly accountId: string;
    readonly projectId: string;
    readonly customer: RecordCustomer;
    readonly known: string | undefined;
    readonly now: number;
  },
): Promise<ContactChange> {
  const emailKey = keys.contactOfEmail(accountId, customer.email, projectId);
  if (known !== undefined) {
    const key = keys.contact(accountId, known);
    const stored = await store.get(key);
    if (stored === undefined) return noChange;
    const before = parseContactRow(stored);
    const after = mergeContact(before, customer, "record");
    if (after === before) return noChange;
    const row: ContactRow = { ...before, ...after, updated_at: now };
    return {
      checks: [{ key, value: stored }],
      mutations: [{ type: "set", key, value: JSON.stringify(row) }],
    };
  }
  const row: ContactRow = {
    id: newId("ct"),
    project_id: projectId,
    email: customer.email,
    ...mergeContact(undefined, customer, "record"),
    created_at: now,
    updated_at: now,
  };
  return {
    checks: [{ key: emailKey, value: undefined }],
    mutations: toNewContactMutations(accountId, row),
  };
}
