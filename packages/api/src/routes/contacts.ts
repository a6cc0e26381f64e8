import { contactInputSchema, contactSchema } from "@hookwright/domain";
import { pageSuccess, success } from "../response/api-response.ts";
import { filter, noQuery, pageQuery, projectFilter } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

const contactQuery = pageQuery.extend({
  project_id: projectFilter,
  email: filter("The contact's e-mail address, case-insensitive.", "ada@example.com"),
});

export const contactRoutes = [
  defineAccountRoute({
    method: "GET",
    path: "/v1/contacts",
    operationId: "listContacts",
    summary: "The account's contacts, newest first",
    description: "Accepts either filter, both, or neither.",
    needs: "crm",
    reads: "page",
    query: contactQuery,
    answers: { 200: contactSchema },
    list: true,
    refusals: ["invalid_cursor"],
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.contacts.list(caller.accountId, filters, { limit, cursor })),
  }),
  defineAccountRoute({
    method: "POST",
    path: "/v1/contacts",
    operationId: "writeContact",
    summary: "Create a contact, or update the one with this e-mail address",
    description:
      "A new address on the site creates a contact (201). A known address updates it (200): `name`, `phone` and `notes` replace the stored values, and `tags` are added, never removed. Fields that are left out do not change.",
    needs: "crm",
    changes: true,
    reads: "few",
    query: noQuery,
    body: { schema: contactInputSchema },
    answers: { 200: contactSchema, 201: contactSchema },
    handle: async ({ service, caller, body }) => {
      const { contact, created } = await service.contacts.write(caller.accountId, body);
      return success(contact, { created });
    },
  }),
  defineAccountRoute({
    method: "GET",
    path: "/v1/contacts/{id}",
    operationId: "getContact",
    summary: "One contact",
    description: "Unset text fields are null.",
    needs: "crm",
    reads: "few",
    query: noQuery,
    answers: { 200: contactSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, caller, parameter }) =>
      success(await service.contacts.get(caller.accountId, parameter("id"))),
  }),
];
