import {
  contactInputSchema,
  findKeptContactProblems,
  findProblems,
  HookwrightError,
  isHostId,
  normaliseEmail,
  withoutEmpty,
} from "@hookwright/domain";
import type { Contact, KeptContact } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectOfProject, expectProject } from "../lookups/find-project.ts";
import type { ContactUseCases } from "../use-cases.ts";
import { callRepository } from "./call-repository.ts";
import type { ContactRepository } from "./contact-repository.ts";
import { checkRows } from "./read-kept.ts";
import type { CheckedRow } from "./read-kept.ts";
import { mergeOf } from "./merge-contact.ts";
import type { MergeContact } from "./merge-contact.ts";
import { invalidAnswer, readKept, readKeptPage } from "./read-kept.ts";

/** Contacts (contract: People) that the host keeps. */
export function createContactsOfHost(
  context: ServiceContext,
  repository: ContactRepository,
): ContactUseCases {
  const { store } = context;

  function check(
    accountId: string,
    kept: readonly KeptContact[],
    isRequested: (contact: Contact) => boolean,
  ): Promise<CheckedRow<Contact>[]> {
    const rows = kept.map((one) => {
      const parsed = findKeptContactProblems(one);
      return parsed.ok
        ? { ok: true as const, data: { project_id: parsed.data.project_id, data: parsed.data } }
        : parsed;
    });
    return checkRows(store, accountId, { rows, isRequested: ({ data }) => isRequested(data) });
  }

  return {
    async write(accountId, body, own) {
      const sent = withoutEmpty(body);
      const parsed = findProblems(contactInputSchema, sent);
      const input = await expectOfProject(store, accountId, { sent, parsed, own });
      const { project_id, email } = input;
      const name = "contacts.upsert";
      const recorder = recordMerge(mergeOf(input, "write"));
      const kept = await callRepository(context, name, (signal) =>
        repository.upsert(accountId, { project_id, email }, recorder.merge, { signal }),
      ).catch((error: unknown) => {
        // A database library may wrap an error that was thrown inside its transaction.
        throw recorder.refusal ?? error;
      });
      const { isNew, refusal } = recorder;
      // The repository may have swallowed the error, but nothing was stored.
      if (refusal !== undefined) throw refusal;
      if (isNew === undefined) throw invalidAnswer(name, "without a call of `merge`");
      const [checked] = await check(
        accountId,
        [kept],
        (contact) => contact.project_id === project_id && contact.email === email,
      );
      if (checked?.type !== "valid") throw invalidAnswer(name, checked?.problem ?? "nothing");
      return { contact: checked.data, created: isNew };
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
        check: (kept) =>
          check(
            accountId,
            kept,
            (contact) =>
              (project_id ?? contact.project_id) === contact.project_id &&
              (email ?? contact.email) === contact.email,
          ),
      });
    },

    get: (accountId, contactId, projectId) =>
      readKept(context, {
        name: "contacts.get",
        noun: "contact",
        id: contactId,
        isId: isHostId,
        async read(signal) {
          const kept = await repository.get(accountId, contactId, { signal });
          return projectId === undefined || String(kept?.project_id) === projectId ? kept : undefined;
        },
        check: (kept) => check(accountId, kept, ({ id }) => id === contactId),
      }),

    async remove() {
      throw new HookwrightError(
        "invalid_state",
        "The program that embeds Hookwright keeps the contacts itself. Remove the contact there.",
      );
    },
  };
}

/** Records the last call of `merge`. A repeated transaction calls it several times. */
function recordMerge(merge: MergeContact) {
  const recorder: { merge: MergeContact; isNew: boolean | undefined; refusal: unknown } = {
    isNew: undefined,
    refusal: undefined,
    merge(stored) {
      recorder.isNew = stored === undefined || stored === null;
      recorder.refusal = undefined;
      try {
        return merge(stored);
      } catch (error) {
        recorder.refusal = error;
        throw error;
      }
    },
  };
  return recorder;
}
