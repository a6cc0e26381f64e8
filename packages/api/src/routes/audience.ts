import {
  contactInputSchema,
  contactSchema,
  emailListSchema,
  subscriberInputSchema,
  subscriberSchema,
} from "@hookwright/domain";
import { filter, pageQuery, projectFilter } from "../request/query-parameters.ts";
import { pageSuccess, success } from "../response/api-response.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

const contactQuery = pageQuery.extend({
  project_id: projectFilter,
  email: filter("The contact's e-mail address, case-insensitive.", "ada@example.com"),
});

/** The people of a site. */
export const audienceRoutes = [
  defineAccountRoute("GET", "/v1/contacts", {
    operationId: "listContacts",
    summary: "The account's contacts, newest first",
    description: "Accepts either filter, both, or neither.",
    needs: "crm",
    right: "read",
    reads: "page",
    query: contactQuery,
    answers: { 200: contactSchema },
    list: true,
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.contacts.list(caller.accountId, filters, { limit, cursor })),
  }),
  defineAccountRoute("POST", "/v1/contacts", {
    operationId: "writeContact",
    summary: "Create a contact, or update the one with this e-mail address",
    description:
      "A new address on the site creates a contact (201). A known address updates it (200): `name`, `phone` and `notes` replace the stored values, and `tags` are added, never removed. Fields that are left out do not change.",
    needs: "crm",
    right: "write",
    reads: "few",
    body: { schema: contactInputSchema },
    answers: { 200: contactSchema, 201: contactSchema },
    handle: async ({ service, caller, body }) => {
      const { contact, created } = await service.contacts.write(caller.accountId, body);
      return success(contact, { created });
    },
  }),
  defineAccountRoute("GET", "/v1/contacts/{id}", {
    operationId: "getContact",
    summary: "One contact",
    description: "Unset text fields are null.",
    needs: "crm",
    right: "read",
    reads: "few",
    answers: { 200: contactSchema },
    handle: async ({ service, caller, parameter }) =>
      success(await service.contacts.get(caller.accountId, parameter("id"))),
  }),
  defineAccountRoute("POST", "/v1/subscribers", {
    operationId: "subscribe",
    summary: "Add a subscriber immediately, without confirmation",
    description:
      "A new subscriber (201) counts toward the plan's monthly limit and emits `subscriber.created`. A known subscriber (200) joins the list, receives the tags and keeps the status. An unsubscribed person stays unsubscribed.",
    right: "write",
    reads: "few",
    body: { schema: subscriberInputSchema },
    answers: { 200: subscriberSchema, 201: subscriberSchema },
    refusals: ["invalid_list", "email_rejected", "plan_limit_reached"],
    handle: async ({ service, caller, body }) => {
      const { subscriber, created } = await service.subscribers.subscribe(caller.accountId, body);
      return success(subscriber, { created });
    },
  }),
  defineAccountRoute("GET", "/v1/email-lists", {
    operationId: "listEmailLists",
    summary: "The account's email lists",
    description: "Newest first, of all sites or of one site. Their ids are the valid `list_id` values.",
    right: "read",
    reads: "page",
    query: pageQuery.extend({ project_id: projectFilter }),
    answers: { 200: emailListSchema },
    list: true,
    handle: async ({ service, caller, query: { limit, cursor, ...filters } }) =>
      pageSuccess(await service.emailLists.list(caller.accountId, filters, { limit, cursor })),
  }),
];
