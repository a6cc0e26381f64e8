import {
  contactInputSchema,
  findKeptContactProblems,
  findProblems,
  isHostId,
  normaliseEmail,
  withoutEmpty,
} from "@hookwright/domain";
import type { Contact, KeptContact } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectOfProject, expectProject } from "../lookups/find-project.ts";
import type { ContactUseCases } from "../use-cases.ts";
import { askRepository } from "./ask-repository.ts";
import type { ContactRepository } from "./contact-repository.ts";
import { judgeRows } from "./judge-rows.ts";
import type { Judged } from "./judge-rows.ts";
import { mergeOf } from "./merge-contact.ts";
import type { MergeContact } from "./merge-contact.ts";
import { invalidAnswer, readKept, readKeptPage } from "./read-kept.ts";

/** Contacts (specification §2.5, §4 rule 1) that the host keeps. */
export function createContactsOfHost(
  context: ServiceContext,
  repository: ContactRepository,
): ContactUseCases {
  const { store } = context;

  function judge(
    accountId: string,
    kept: readonly KeptContact[],
    isAskedFor: (contact: Contact) => boolean,
  ): Promise<Judged<Contact>[]> {
    const rows = kept.map((one) => {
      const parsed = findKeptContactProblems(one);
      return parsed.ok
        ? { ok: true as const, data: { project_id: parsed.data.project_id, data: parsed.data } }
        : parsed;
    });
    return judgeRows(store, accountId, { rows, isAskedFor: ({ data }) => isAskedFor(data) });
  }

  return {
    async write(accountId, body) {
      const sent = withoutEmpty(body);
      const parsed = findProblems(contactInputSchema, sent);
      const input = await expectOfProject(store, accountId, { sent, parsed });
      const { project_id, email } = input;
      const name = "contacts.upsert";
      const asked = watchMerge(mergeOf(input, "write"));
      const kept = await askRepository(context, name, (signal) =>
        repository.upsert(accountId, { project_id, email }, asked.merge, { signal }),
      ).catch((error: unknown) => {
        // A database may wrap what was thrown inside its transaction.
        throw asked.refusal ?? error;
      });
      const { isNew, refusal } = asked;
      // Nor may a database keep it to itself: what was refused was not stored.
      if (refusal !== undefined) throw refusal;
      if (isNew === undefined) throw invalidAnswer(name, "without asking `merge` what to store");
      const [judged] = await judge(
        accountId,
        [kept],
        (contact) => contact.project_id === project_id && contact.email === email,
      );
      if (judged?.type !== "shown") throw invalidAnswer(name, judged?.problem ?? "nothing");
      return { contact: judged.data, created: isNew };
    },

    async list(accountId, { project_id, email: address }, page) {
      if (project_id !== undefined) await expectProject(store, accountId, project_id);
      const email = address === undefined ? undefined : normaliseEmail(address);
      const filters = { project_id, email };
      return readKeptPage(context, {
        name: "contacts.list",
        accountId,
        list: "contacts",
        filters,
        page,
        read: (wanted) => repository.list(accountId, filters, wanted),
        judge: (kept) =>
          judge(
            accountId,
            kept,
            (contact) =>
              (project_id ?? contact.project_id) === contact.project_id &&
              (email ?? contact.email) === contact.email,
          ),
      });
    },

    get: (accountId, contactId) =>
      readKept(context, {
        name: "contacts.get",
        noun: "contact",
        id: contactId,
        isId: isHostId,
        read: (signal) => repository.get(accountId, contactId, { signal }),
        judge: (kept) => judge(accountId, kept, ({ id }) => id === contactId),
      }),
  };
}

/** What a repository asked: its last question counts, since a transaction may be repeated. */
function watchMerge(merge: MergeContact) {
  const asked: { merge: MergeContact; isNew: boolean | undefined; refusal: unknown } = {
    isNew: undefined,
    refusal: undefined,
    merge(stored) {
      asked.isNew = stored === undefined || stored === null;
      asked.refusal = undefined;
      try {
        return merge(stored);
      } catch (error) {
        asked.refusal = error;
        throw error;
      }
    },
  };
  return asked;
}
