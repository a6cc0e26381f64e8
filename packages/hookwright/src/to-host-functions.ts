import { HookwrightError, validationFailed } from "@hookwright/domain";
import type { EventName, NoOwnEvents, OwnEvents } from "@hookwright/domain";
import type { PageRequest, Service } from "@hookwright/service";
import type { HostFunctions, HostPage, SampleOptions } from "./host-functions.ts";
import type { PublishInTransaction } from "./outbox/create-publish-in-transaction.ts";
import type { KnownValidEvents } from "./own-event-types.ts";

const rowCounts = { defaultLimit: 25, maximum: 100 };
const sampleCounts = { defaultLimit: 10, maximum: 10 };

export interface HostFunctionOptions {
  readonly publishInTransaction: PublishInTransaction;
  /** The path below which the routes are served. */
  readonly basePath: string;
}

/**
 * The use cases as a host calls them. Use cases expect valid pages and filters. The API validates those of a query. Here those of a program
 * are validated, which may forward input of its clients.
 */
export function toHostFunctions<Own extends OwnEvents, Kept extends EventName>(
  service: Service,
  options: HostFunctionOptions,
): HostFunctions<Own, Kept>;
export function toHostFunctions(
  service: Service,
  { publishInTransaction, basePath }: HostFunctionOptions,
): HostFunctions {
  /** The result has the event name of the input. */
  function validateEvent<Name extends EventName>(
    input: unknown,
  ): Promise<KnownValidEvents<NoOwnEvents>[Name]>;
  function validateEvent(input: unknown): Promise<unknown> {
    return service.validateEvent(input);
  }
  const { projects, emailLists, apiKeys, webhooks, orders, deliveries, contacts, eventTypes } = service;
  const functions: HostFunctions = {
    publish: service.publish,
    publishMany: service.publishMany,
    validateEvent,
    publishInTransaction,
    sessions: {
      create: service.sessions.create,
      exchangeLink: service.sessions.exchangeLink,
      remove: service.sessions.remove,
      removeAll: service.sessions.removeAll,
      createLink: (accountId, input, origin) =>
        service.sessions.createLink(accountId, input, { basePath, origin }),
    },
    accounts: {
      ...service.accounts,
      list: async (filters, page) =>
        service.accounts.list(readFilters(filters, ["status", "q", "sort", "period"]), readPage(page)),
      ledger: async (accountId, filters) => {
        const { id } = await service.accounts.get(accountId);
        return service.overview.getLedger(id, readFilters(filters, ledgerFilters));
      },
    },
    stats: service.stats,
    audit: {
      list: async (filters, page) => service.audit.list(readFilters(filters, auditFilters), readPage(page)),
    },
    records: service.records,
    blogPosts: service.blogPosts,
    subscribers: service.subscribers,
    suppressions: service.suppressions,
    projects: { ...projects, list: async (accountId, page) => projects.list(accountId, readPage(page)) },
    emailLists: {
      ...emailLists,
      list: async (accountId, filters, page) =>
        emailLists.list(accountId, readFilters(filters, ["project_id"]), readPage(page)),
    },
    apiKeys: { ...apiKeys, list: async (accountId, page) => apiKeys.list(accountId, readPage(page)) },
    webhooks: {
      ...webhooks,
      create: async (caller, input, origin) => webhooks.create(expectCaller(caller), input, origin),
      createForConsole: async (caller, input, origin) =>
        webhooks.createForConsole(expectCaller(caller), input, origin),
      list: async (accountId, page) => webhooks.list(accountId, readPage(page)),
      listAll: async (filters, page) =>
        webhooks.listAll(readFilters(filters, ["account_id", "status", "sort"]), readPage(page)),
      listRecoveries: async (accountId, webhookId, page) =>
        webhooks.listRecoveries(accountId, webhookId, readPage(page)),
      listForConsole: async (accountId, page) => webhooks.listForConsole(accountId, readPage(page)),
      listRemoved: async (accountId, page) => webhooks.listRemoved(accountId, readPage(page)),
    },
    webhookActions: {
      ...service.webhookActions,
      async start(input, origin) {
        refuseDryRun(input);
        return service.webhookActions.start(input, origin);
      },
      list: async (page) => service.webhookActions.list(readPage(page)),
    },
    rejectedEvents: {
      ...service.rejectedEvents,
      list: async (page) => service.rejectedEvents.list(readPage(page)),
    },
    // Not the parameter that only the API has.
    resends: {
      async start(accountId, input, origin) {
        refuseDryRun(input);
        return service.resends.start(accountId, input, origin);
      },
      preview: async (accountId, input) => service.resends.preview(accountId, input),
      list: async (accountId, page) => service.resends.list(accountId, readPage(page)),
      get: async (accountId, jobId) => service.resends.get(accountId, jobId),
      stop: async (accountId, jobId, origin) => service.resends.stop(accountId, jobId, origin),
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
      get: deliveries.get,
      getAttemptBody: deliveries.getAttemptBody,
      resend: deliveries.resend,
      count: async (accountId, filters) => deliveries.count(accountId, readFilters(filters, deliveryFilters)),
      list: async (accountId, filters, page) =>
        deliveries.list(accountId, readFilters(filters, deliveryFilters), readPage(page)),
    },
    contacts: {
      ...contacts,
      list: async (accountId, filters, page) =>
        contacts.list(accountId, readFilters(filters, ["project_id", "email"]), readPage(page)),
    },
    erasures: service.erasures,
    eventTypes: {
      ...eventTypes,
      // All callers share one list, and a program may change its copy.
      list: () => structuredClone(eventTypes.list()),
      samples: async (accountId: string, event: string, options?: SampleOptions) => {
        const bodies = await eventTypes.samples(accountId, event, {
          ...readFilters(options, ["project_id"]),
          limit: readLimit(options?.limit, sampleCounts),
        });
        return bodies.map(({ json }) => JSON.parse(json));
      },
    },
  };
  const withAccount = <Group extends object>(
    group: Group,
    others?: readonly (keyof Group & string)[],
  ): Group => expectAccount(service, group, others);
  return {
    ...functions,
    projects: withAccount(functions.projects, ["put"]),
    emailLists: withAccount(functions.emailLists, ["put"]),
    apiKeys: withAccount(functions.apiKeys, ["create", "revoke"]),
    webhooks: withAccount(functions.webhooks, ["listAll", "recoverAny", "accountOf"]),
    resends: withAccount(functions.resends),
    orders: withAccount(functions.orders),
    deliveries: withAccount(functions.deliveries),
    eventTypes: withAccount(functions.eventTypes, ["list"]),
    contacts: withAccount(functions.contacts),
    erasures: withAccount(functions.erasures),
    subscribers: withAccount(functions.subscribers, ["put"]),
    blogPosts: withAccount(functions.blogPosts),
    records: withAccount(functions.records),
  };
}

/**
 * Programs may forward the body of a request, whose `dry_run` must not start anything.
 *
 * @throws HookwrightError `validation_failed`
 */
function refuseDryRun(input: unknown): void {
  const dryRun: unknown = Reflect.get(Object(input), "dry_run");
  if (dryRun !== undefined)
    throw validationFailed(["dry_run: is not an input of `start`. Call `preview`, which only counts"]);
}

/**
 * The functions of a group, which first check that their account exists. An API key has one, but a program may name
 * any. The account is the first parameter, or in a caller.
 *
 * @param others the functions of the group whose first parameter is no account, or which check it themselves
 */
function expectAccount<Group extends object>(
  service: Pick<Service, "accounts">,
  group: Group,
  others?: readonly (keyof Group & string)[],
): Group;
function expectAccount(
  { accounts }: Pick<Service, "accounts">,
  group: object,
  others: readonly string[] = [],
): object {
  const checked = Object.entries(group).map(([name, call]: [string, unknown]) => {
    if (typeof call !== "function" || others.includes(name)) return [name, call];
    const checkedCall = async (account: unknown, ...rest: readonly unknown[]): Promise<unknown> => {
      await accounts.get(accountIdOf(account));
      return Reflect.apply(call, undefined, [account, ...rest]);
    };
    return [name, checkedCall];
  });
  return Object.fromEntries(checked);
}

/** Other functions take the id of an account, so a program may pass one here, too. */
function expectCaller<Caller>(caller: Caller): Caller {
  if (Reflect.get(Object(caller), "credential") !== undefined) return caller;
  throw refused('caller: must be `{ accountId, credential: { type: "console" } }`');
}

/** Any other value is the id of no account. */
function accountIdOf(account: unknown): string {
  if (typeof account === "object" && account !== null && "accountId" in account)
    return accountIdOf(account.accountId);
  return typeof account === "string" ? account : "";
}

function readPage(page: HostPage | null | undefined): PageRequest {
  return { limit: readLimit(page?.limit, rowCounts), cursor: readText("cursor", page?.cursor) };
}

function readLimit(limit: number | null | undefined, { defaultLimit, maximum }: typeof rowCounts): number {
  if (limit === undefined || limit === null) return defaultLimit;
  if (Number.isInteger(limit) && limit >= 1 && limit <= maximum) return limit;
  throw refused(`limit: must be a whole number from 1 to ${maximum}`);
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

/** Empty text counts as missing. */
function readText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw refused(`${name}: must be text`);
  return value.trim() === "" ? undefined : value;
}

function refused(problem: string): HookwrightError {
  return new HookwrightError("validation_failed", problem);
}

const ledgerFilters = ["since", "until", "step", "webhook_id", "project_id", "event", "by"] as const;

const auditFilters = ["account_id", "action", "actor", "since", "until"] as const;

const deliveryFilters = [
  "webhook_id",
  "event",
  "status",
  "project_id",
  "kind",
  "since",
  "until",
  "http_status",
  "error",
  "issue",
  "attempts_min",
  "outcome",
  "q",
] as const;
