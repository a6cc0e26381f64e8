import {
  contactInputSchema,
  findProblems,
  isHostId,
  mergeContact,
  normaliseEmail,
  withoutEmpty,
} from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { orNone } from "@hookwright/storage/sorted-runs";
import { commitAudited } from "../audit/commit-audited.ts";
import { prepareRecordRemoval } from "../records/record-removal.ts";
import { noSuch } from "../lookups/no-such.ts";
import { expectOfProject, expectProject } from "../lookups/find-project.ts";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { readIdPage } from "../store/id-page.ts";
import { openCursor } from "../store/page-cursor.ts";
import { keys } from "../rows/keys.ts";
import type { ContactUseCases } from "../use-cases.ts";
import {
  addContact,
  changeContact,
  parseContactEntry,
  parseContactRow,
  toContact,
  toContactRemoval,
} from "../rows/contact-row.ts";
import type { ContactRow } from "../rows/contact-row.ts";
import { subscriberOf } from "../rows/subscriber-addresses.ts";

type Written = Awaited<ReturnType<ContactUseCases["write"]>>;

/** Contacts (contract: People). There is one contact per address and site. */
export function createContacts(context: ServiceContext): ContactUseCases {
  const { store, now, newId } = context;
  return {
    async write(accountId, body, own) {
      const sent = withoutEmpty(body);
      const parsed = findProblems(contactInputSchema, sent);
      const input = await expectOfProject(store, accountId, { sent, parsed, own });
      const { email, project_id: projectId } = input;
      const emailKey = keys.contactOfEmail(accountId, email, projectId);
      return commitUntilDone<Written>(store, partitionOf(accountId), async () => {
        const known = await store.get(emailKey);
        if (known === undefined) {
          const fields = mergeContact(undefined, input, "write");
          const { row, ...commit } = addContact(accountId, {
            id: newId("ct"),
            projectId,
            email,
            fields,
            now: now(),
          });
          return { commit, result: { contact: toContact(row), created: true } };
        }
        const { id } = parseContactEntry(known);
        const stored = await store.get(keys.contact(accountId, id));
        if (stored === undefined) throw new Error(`contact ${id} has an index entry but no row`);
        const changed = changeContact(
          accountId,
          stored,
          (before) => mergeContact(before, input, "write"),
          now(),
        );
        if (changed === undefined)
          return { result: { contact: toContact(parseContactRow(stored)), created: false } };
        const { row, ...commit } = changed;
        return { commit, result: { contact: toContact(row), created: false } };
      });
    },

    async list(accountId, { project_id: projectId, email: address }, page) {
      if (projectId !== undefined) await expectProject(store, accountId, projectId);
      const email = address === undefined ? undefined : normaliseEmail(address);
      const noContact = { rows: [], meta: { has_more: false, next_cursor: null } };
      const query = {
        accountId,
        list: "contacts",
        filters: { project_id: projectId, email },
        page,
        toRow: (text: string) => toContact(parseContactRow(text)),
      };
      const rowKey = (id: string) => keys.contact(accountId, id);
      if (email !== undefined && projectId !== undefined) {
        openCursor(context.cursors, query); // one row at most: no cursor was ever issued
        const entry = await orNone(undefined, () =>
          store.get(keys.contactOfEmail(accountId, email, projectId)),
        );
        const text = entry === undefined ? undefined : await store.get(rowKey(parseContactEntry(entry).id));
        return text === undefined ? noContact : { ...noContact, rows: [query.toRow(text)] };
      }
      if (email !== undefined) {
        return orNone(noContact, () =>
          readIdPage(context, { ...query, prefix: keys.contactsOfEmail(accountId, email), rowKey }),
        );
      }
      if (projectId !== undefined) {
        return readIdPage(context, {
          ...query,
          prefix: keys.contactsOfProject(accountId, projectId),
          rowKey,
        });
      }
      return readIdPage(context, { ...query, prefix: keys.contacts(accountId) });
    },

    async get(accountId, contactId, own) {
      const text = isHostId(contactId) ? await store.get(keys.contact(accountId, contactId)) : undefined;
      if (text === undefined) throw noSuch("contact");
      const row = parseContactRow(text);
      if (own !== undefined && row.project_id !== own) throw noSuch("contact");
      return toContact(row);
    },

    async remove(accountId, contactId, origin) {
      const key = keys.contact(accountId, contactId);
      const read = async () => {
        const text = isHostId(contactId) ? await store.get(key) : undefined;
        if (text === undefined) throw noSuch("contact");
        return { text, row: parseContactRow(text) };
      };
      await removeSubscriptions(context, accountId, (await read()).row);
      // It is the last one, so a call that fails can be repeated.
      return commitAudited(context, key[0], origin, async () => {
        const { text, row } = await read();
        return {
          commit: { checks: [{ key, value: text }], mutations: toContactRemoval(accountId, row) },
          result: { id: contactId, deleted: true as const },
          audited: { action: "contact.deleted", accountId, target: { kind: "contact", id: contactId } },
        };
      });
    },
  };
}

/** Removes the subscribers with the address and site of a contact, one after the other. */
async function removeSubscriptions(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  accountId: string,
  { project_id: projectId, email }: ContactRow,
): Promise<void> {
  const entryKey = keys.subscriberOfEmail(accountId, projectId, email);
  for (let isLeft = true; isLeft;)
    isLeft = await commitUntilDone(store, entryKey[0], async () => {
      const entry = await store.get(entryKey);
      const recordId = entry === undefined ? "" : subscriberOf(entry);
      const text =
        entry === undefined ? undefined : await store.get(keys.record(accountId, "subscribers", recordId));
      if (text === undefined) return { result: false };
      const removed = { accountId, kind: "subscribers", recordId, text, now: now() };
      return { commit: await prepareRecordRemoval(store, removed), result: true };
    });
}
