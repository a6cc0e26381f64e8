import { HookwrightError, normaliseEmail } from "@hookwright/domain";
import { pageOf } from "../lists/page-of.ts";
import type { Operation } from "../routing/operation.ts";
import { writeContact } from "../rules/write-contact.ts";
import { expectProject } from "../state/expect-project.ts";

export const contactOperations: readonly Operation[] = [
  {
    name: "GET /v1/contacts",
    operationId: "listContacts",
    needs: "crm",
    query: ["limit", "cursor", "project_id", "email"],
    handle: ({ world, query }) => {
      const { limit, cursor, project_id } = query;
      if (project_id !== undefined) expectProject(world, project_id);
      const email = query.email === undefined ? undefined : normaliseEmail(query.email);
      const rows = [...world.contacts.values()].filter(
        ({ value }) =>
          (project_id === undefined || value.project_id === project_id) &&
          (email === undefined || value.email === email),
      );
      const filters = { project_id, email };
      return pageOf(world.cursors, { list: "contacts", filters, limit, cursor, rows });
    },
  },
  {
    name: "POST /v1/contacts",
    operationId: "writeContact",
    needs: "crm",
    changes: true,
    hasBody: true,
    handle: ({ world, body }) => {
      const { contact, created } = writeContact(world, body);
      return { data: contact, created };
    },
  },
  {
    name: "GET /v1/contacts/{id}",
    operationId: "getContact",
    needs: "crm",
    handle: ({ world, parameter }) => {
      const contact = world.contacts.get(parameter)?.value;
      if (contact !== undefined) return { data: contact };
      throw new HookwrightError("resource_not_found", "No such contact on this account.");
    },
  },
];
