import {
  contactInputSchema,
  findProblems,
  HookwrightError,
  isHostId,
  keptContactSchema,
  mergeContact,
  normaliseEmail,
  parseInput,
  withoutEmpty,
} from "@hookwright/domain";
import type { Contact } from "@hookwright/domain";
import { expectProject } from "../lookups/find-project.ts";
import type { ServiceContext } from "../context.ts";
import type { ContactUseCases } from "../use-cases.ts";
import { askRepository } from "./ask-repository.ts";
import type { ContactRepository } from "./contact-repository.ts";
import { expectRead, findForeignSite } from "./repository-answers.ts";
import { readRepositoryPage } from "./repository-page.ts";
import { RepositoryError } from "./repository.ts";

/** Contacts (specification §2.5, §4 rule 1) that the host keeps. */
export function createContactsOfHost(
  context: ServiceContext,
  repository: ContactRepository,
): ContactUseCases {
  const { store, onFault } = context;
  return {
    async write(accountId, body) {
      const input = parseInput(contactInputSchema, withoutEmpty(body));
      const { project_id, email } = input;
      await expectProject(store, accountId, project_id);
      const name = "contacts.upsert";
      const answer = await askRepository(context, name, () =>
        repository.upsert(accountId, { project_id, email }, (stored) =>
          mergeContact(stored ?? undefined, input, "write"),
        ),
      );
      // Types are not trusted: a function without a `return` compiles where there are none.
      if (typeof answer?.created !== "boolean")
        throw new RepositoryError("invalid_answer", `${name} answered no { contact, created }`);
      const contact = readContact(name, answer.contact);
      if (contact.project_id !== project_id || contact.email !== email)
        throw new RepositoryError("invalid_answer", `${name} answered another contact than it was asked for`);
      return { contact, created: answer.created };
    },

    async list(accountId, { project_id, email: address }, page) {
      if (project_id !== undefined) await expectProject(store, accountId, project_id);
      const filters = { project_id, email: address === undefined ? undefined : normaliseEmail(address) };
      return readRepositoryPage(context, {
        accountId,
        list: "contacts",
        filters,
        page,
        read: (wanted) => repository.list(accountId, filters, wanted),
        async toShown(rows) {
          const name = "contacts.list";
          const contacts = rows.map((row) => readContact(name, row));
          const foreign = await findForeignSite(store, accountId, {
            name,
            projectIds: contacts.map((contact) => contact.project_id),
          });
          if (foreign !== undefined) throw foreign;
          return contacts;
        },
      });
    },

    async get(accountId, contactId) {
      const name = "contacts.get";
      const kept = isHostId(contactId)
        ? await askRepository(context, name, () => repository.get(accountId, contactId))
        : undefined;
      if (kept === undefined || kept === null) throw noSuchContact();
      const contact = readContact(name, kept);
      if (contact.id !== contactId)
        throw new RepositoryError("invalid_answer", `${name} answered another contact than it was asked for`);
      const foreign = await findForeignSite(store, accountId, { name, projectIds: [contact.project_id] });
      if (foreign === undefined) return contact;
      // Whoever asks is told what an id that there is not would be answered.
      onFault(foreign);
      throw noSuchContact();
    },
  };
}

function readContact(name: string, kept: unknown): Contact {
  return expectRead(name, findProblems(keptContactSchema, kept, { root: "contact" }));
}

function noSuchContact(): HookwrightError {
  return new HookwrightError("resource_not_found", "No such contact on this account.");
}
