import type { WebhookRow } from "@hookwright/delivery";
import { HookwrightError, keyRights } from "@hookwright/domain";
import { expectProject, siteFilter } from "../lookups/find-project.ts";
import { expectWebhook, ownsWebhook, seesWebhook } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { listWebhookPage, readWebhooks } from "../lookups/read-webhooks.ts";
import { toProject } from "../rows/project-row.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { ListContext } from "../store/page-cursor.ts";
import type { Caller, CallerService } from "../use-cases.ts";

/** Whether a caller is a key of one site, or one with only some of the rights of keys. */
export function isRestricted({ credential, projectId, rights }: Caller): boolean {
  return (
    credential.type === "key" &&
    (projectId !== undefined || !keyRights.every((right) => rights.includes(right)))
  );
}

/**
 * The use cases for a restricted key. It sees only its site. Without the right to read, it sees only webhooks that it created. It removes only
 * webhooks that it created. Other keys, and every session, use the service itself.
 *
 * `developer`, `issues`, `listeners` and `webhooks.create` get the caller, so they restrict themselves.
 */
export function restrictService(context: ListContext, service: CallerService, caller: Caller): CallerService {
  const { store, cursors } = context;
  const { accountId, projectId } = caller;
  const { webhooks, contacts, subscribers, blogPosts, emailLists, eventTypes, orders } = service;

  function ofSite<Filters extends { readonly project_id?: string | undefined }>(filters: Filters): Filters {
    return { ...filters, project_id: siteFilter(caller, filters.project_id) };
  }

  /** @throws HookwrightError `resource_not_found` */
  async function expectSeen(webhookId: string): Promise<WebhookRow> {
    const { row } = await expectWebhook(store, accountId, webhookId);
    if (!seesWebhook(caller, row)) throw noSuch("webhook");
    return row;
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
      write: (account, body) => contacts.write(account, body, projectId),
      list: async (account, filters, page) => contacts.list(account, ofSite(filters), page),
      get: (account, contactId) => contacts.get(account, contactId, projectId),
    },
    subscribers: { subscribe: (account, body) => subscribers.subscribe(account, body, projectId) },
    blogPosts: { create: (account, body) => blogPosts.create(account, body, projectId) },
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
        if (!ownsWebhook(caller, await expectSeen(webhookId)))
          throw new HookwrightError(
            "forbidden",
            "This API key removes only webhooks that it created. A key with all rights and all sites removes any webhook.",
          );
        return webhooks.remove(account, webhookId, origin);
      },
    },
    developer: service.developer,
    issues: service.issues,
    listeners: service.listeners,
  };
}
