import { HookwrightError } from "@hookwright/domain";
import type { PageRequest, Service } from "@hookwright/service";
import type { HostFunctions, HostPage } from "./host-functions.ts";

type Lists =
  | "projects"
  | "emailLists"
  | "apiKeys"
  | "webhooks"
  | "orders"
  | "deliveries"
  | "contacts"
  | "eventTypes";

const rowCounts = { usual: 25, most: 100 };
const sampleCounts = { usual: 10, most: 10 };

/**
 * The lists as a host calls them. The use cases take pages and filters that somebody has read: the API reads those of a query, and
 * here those of a program are, which may hand on what its own clients sent.
 */
export function readListInputs(useCases: Pick<Service, Lists>): Pick<HostFunctions, Lists> {
  const { projects, emailLists, apiKeys, webhooks, orders, deliveries, contacts, eventTypes } = useCases;
  return {
    projects: { ...projects, list: async (accountId, page) => projects.list(accountId, readPage(page)) },
    emailLists: {
      ...emailLists,
      list: async (accountId, filters, page) =>
        emailLists.list(accountId, readFilters(filters, ["project_id"]), readPage(page)),
    },
    apiKeys: { ...apiKeys, list: async (accountId, page) => apiKeys.list(accountId, readPage(page)) },
    webhooks: {
      ...webhooks,
      list: async (accountId, page) => webhooks.list(accountId, readPage(page)),
      listForConsole: async (accountId, page) => webhooks.listForConsole(accountId, readPage(page)),
    },
    orders: {
      get: async (accountId, orderId) => JSON.parse((await orders.get(accountId, orderId)).json),
      list: async (accountId, filters, page) => {
        const asked = readFilters(filters, ["number", "email", "status", "project_id"]);
        const { rows, meta } = await orders.list(accountId, asked, readPage(page));
        return { rows: rows.map(({ json }) => JSON.parse(json)), meta };
      },
    },
    deliveries: {
      ...deliveries,
      list: async (accountId, filters, page) =>
        deliveries.list(
          accountId,
          readFilters(filters, ["webhook_id", "event", "status", "project_id", "kind", "q"]),
          readPage(page),
        ),
    },
    contacts: {
      ...contacts,
      list: async (accountId, filters, page) =>
        contacts.list(accountId, readFilters(filters, ["project_id", "email"]), readPage(page)),
    },
    eventTypes: {
      ...eventTypes,
      // There is one list for everybody, and a program may change what it is given.
      list: () => structuredClone(eventTypes.list()),
      samples: async (accountId, event, options) => {
        const bodies = await eventTypes.samples(accountId, event, {
          ...readFilters(options, ["project_id"]),
          limit: readLimit(options?.limit, sampleCounts),
        });
        return bodies.map(({ json }) => JSON.parse(json));
      },
    },
  };
}

function readPage(page: HostPage | null | undefined): PageRequest {
  return { limit: readLimit(page?.limit, rowCounts), cursor: readText("cursor", page?.cursor) };
}

function readLimit(limit: number | null | undefined, { usual, most }: typeof rowCounts): number {
  if (limit === undefined || limit === null) return usual;
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw refused(`limit: must be a whole number from 1 to ${most}`);
}

function readFilters<Name extends string>(
  filters: Readonly<Partial<Record<Name, unknown>>> | null | undefined,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const read: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = readText(name, filters?.[name]);
    if (text !== undefined) read[name] = text;
  }
  return read;
}

/** What is sent empty is left out, as everywhere. */
function readText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw refused(`${name}: must be text`);
  return value.trim() === "" ? undefined : value;
}

function refused(problem: string): HookwrightError {
  return new HookwrightError("validation_failed", problem);
}
