import { hasRight, withoutEmpty } from "@hookwright/domain";
import { expectProject, sentField, siteFilter } from "../lookups/find-project.ts";
import { expectWebhook, seesWebhook } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { listWebhookPage, readWebhooks } from "../lookups/read-webhooks.ts";
import { toProject } from "../rows/project-row.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { ListContext } from "../store/page-cursor.ts";
import type { Caller, CallerService } from "../use-cases.ts";

/** Whether a caller sees everything of its account. */
export function seesEverything({ projectId, rights }: Caller): boolean {
  return projectId === undefined && hasRight(rights, "read");
}

/**
 * The use cases for a caller that does not see everything of its account: a key of one site, or one without the right to read. Other keys, and every
 * session, use the service itself.
 *
 * `developer`, `issues`, `listeners` and `webhooks.create` get the caller, so they restrict themselves.
 */
export function restrictService(context: ListContext, service: CallerService, caller: Caller): CallerService {
  const { store, cursors } = context;
  const { accountId, projectId } = caller;
  const { webhooks, contacts, subscribers, blogPosts, emailLists, eventTypes, orders } = service;

  /** @throws HookwrightError `validation_failed` */
  function expectOwnSite(body: unknown): void {
    const named = sentField(withoutEmpty(body), "project_id");
    siteFilter(caller, typeof named === "string" ? named : undefined);
  }

  function ofSite<Filters extends { readonly project_id?: string | undefined }>(filters: Filters): Filters {
    return { ...filters, project_id: siteFilter(caller, filters.project_id) };
  }

  /** @throws HookwrightError `resource_not_found` */
  async function expectSeen(webhookId: string): Promise<void> {
    const { row } = await expectWebhook(store, accountId, webhookId);
    if (!seesWebhook(caller, row)) throw noSuch("webhook");
  }

  return {
    projects: {
      async list(account, page) {
        if (projectId === undefined) return service.projects.list(account, page);
        // One row: no cursor was ever issued.
        const cursor = openCursor(cursors, {
          accountId,
          list: "projects",
          filters: { project_id: projectId },
          page,
        });
        const project = await expectProject(store, accountId, projectId);
        return { rows: [toProject(project)], meta: cursor.toMeta(undefined) };
      },
    },
    contacts: {
      write: async (account, body) => {
        expectOwnSite(body);
        return contacts.write(account, body);
      },
      list: async (account, filters, page) => contacts.list(account, ofSite(filters), page),
      async get(account, contactId) {
        const contact = await contacts.get(account, contactId);
        if (projectId !== undefined && contact.project_id !== projectId) throw noSuch("contact");
        return contact;
      },
    },
    subscribers: {
      subscribe: async (account, body) => {
        expectOwnSite(body);
        return subscribers.subscribe(account, body);
      },
    },
    blogPosts: {
      create: async (account, body) => {
        expectOwnSite(body);
        return blogPosts.create(account, body);
      },
    },
    emailLists: { list: async (account, filters, page) => emailLists.list(account, ofSite(filters), page) },
    eventTypes: {
      list: eventTypes.list,
      samples: async (account, event, options) => eventTypes.samples(account, event, ofSite(options)),
    },
    describeEventTypes: service.describeEventTypes,
    orders: {
      list: async (account, filters, page) => orders.list(account, ofSite(filters), page),
      get: (account, orderId) => orders.get(account, orderId, projectId),
    },
    webhooks: {
      create: webhooks.create,
      createForConsole: webhooks.createForConsole,
      async list(_, page) {
        const isShown = seesWebhook.bind(undefined, caller);
        const { rows, meta } = await listWebhookPage(context, { accountId, page, isShown });
        return { rows: await readWebhooks(store, accountId, rows), meta };
      },
      async get(account, webhookId) {
        await expectSeen(webhookId);
        return webhooks.get(account, webhookId);
      },
      async remove(account, webhookId, origin) {
        await expectSeen(webhookId);
        return webhooks.remove(account, webhookId, origin);
      },
    },
    developer: service.developer,
    issues: service.issues,
    listeners: service.listeners,
  };
}
