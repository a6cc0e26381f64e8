import type {
  Attempt,
  ConsoleLink,
  ConsoleWebhook,
  CreatedConsoleWebhook,
  HostSearch,
  ResendPreview,
  RetriedEvent,
} from "@hookwright/domain";
import { createCalls } from "../calls.ts";
import { readData, readMeta, readOpenApi, readRows, toCreation } from "../http/read-answer.ts";
import type { Operation } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Call, Send } from "../send.ts";
import { hostOperations as operations } from "./operations.ts";
import type { HostClient, Put, Sent } from "./resources.ts";

export function createHostResources(send: Send): HostClient {
  const { read, readById, remove, list, listAll } = createCalls(send);
  /** A call with the id of an object and a body. */
  const write =
    <Data extends object, Body extends object>(operation: Operation) =>
    (id: string, body: Body, options: CallOptions = {}): Promise<Data> =>
      read(operation, { ...options, parameters: { id }, body });
  async function put<Value extends object>(operation: Operation, call: Call): Promise<Put<Value>> {
    const answer = await send(operation, call);
    return answer.status === 201
      ? { created: true, data: readData<Value>(answer) }
      : { created: false, data: readData<Sent<Value> & object>(answer) };
  }
  const putById =
    <Value extends object, Body extends object>(operation: Operation) =>
    (id: string, body: Body, options: CallOptions = {}): Promise<Put<Value>> =>
      put(operation, { ...options, parameters: { id }, body });
  const dryRun = (body: object): object => ({ ...body, dry_run: true });
  const inAccount = (id: string, job: string) => ({ parameters: { id, job } });

  return {
    accounts: {
      put: putById(operations.putAccount),
      list: listAll(operations.listAccounts),
      get: readById(operations.getAccount),
      ledger: (id, query, options) =>
        read(operations.getAccountLedger, { ...options, parameters: { id }, query: { ...query } }),
      people: (id, options) => list(operations.listAccountPeople, { parameters: { id } }, options),
      delete: (id, options) =>
        remove(operations.deleteAccount, { ...options, parameters: { id } }, { id, deleted: true }),
    },
    projects: { put: putById(operations.putProject) },
    emailLists: { put: putById(operations.putEmailList) },
    apiKeys: {
      create: write(operations.createApiKey),
      revoke: readById(operations.revokeApiKey),
    },
    consoleSessions: {
      create: (id, body = {}, options) =>
        write<ConsoleLink, object>(operations.createConsoleSession)(id, body, options),
      end: readById(operations.endConsoleSessions),
    },
    events: {
      publish: (body, options) => read(operations.publishEvents, { ...options, body }),
      publishMany: async (body, options) =>
        readRows(await send(operations.publishEvents, { ...options, body })),
    },
    records: {
      delete: (id, kind, record, options) =>
        remove(
          operations.deleteRecord,
          { ...options, parameters: { id, kind, record } },
          { id: record, deleted: true },
        ),
    },
    subscribers: {
      put: (id, email, body, options) =>
        put(operations.putSubscriber, { ...options, parameters: { id, email }, body }),
    },
    eventTypes: {
      list: async (options) => readRows(await send(operations.listHostEventTypes, { ...options })),
      put: (name, body, options) => put(operations.putEventType, { ...options, parameters: { name }, body }),
      delete: (name, options) =>
        remove(operations.deleteEventType, { ...options, parameters: { name } }, { id: name, deleted: true }),
    },
    suppressions: {
      put: (email, body, options) =>
        put(operations.putSuppression, { ...options, parameters: { email }, body }),
      delete: (email, options) =>
        remove(operations.deleteSuppression, { ...options, parameters: { email } }, { email, deleted: true }),
    },
    webhooks: {
      list: listAll(operations.listAllWebhooks),
      async create(id, body, options) {
        const answer = await send(operations.createWebhookOfAccount, {
          ...options,
          parameters: { id },
          body,
        });
        return toCreation<ConsoleWebhook, CreatedConsoleWebhook>(answer);
      },
      disable: write(operations.disableAnyWebhook),
      limit: write(operations.limitAnyWebhook),
      enable: readById(operations.enableAnyWebhook),
      pause: readById(operations.pauseAnyWebhook),
      resume: readById(operations.resumeAnyWebhook),
      turnOn: readById(operations.turnAnyWebhookOn),
      test: (id, body = {}, options) => write<Attempt, object>(operations.testAnyWebhook)(id, body, options),
      recover: write(operations.recoverAnyWebhook),
    },
    webhookActions: {
      start: (body, options) => read(operations.startWebhookAction, { ...options, body }),
      preview: (body, options) => read(operations.startWebhookAction, { ...options, body: dryRun(body) }),
      list: listAll(operations.listWebhookActions),
      get: readById(operations.getWebhookAction),
      stop: readById(operations.stopWebhookAction),
    },
    resends: {
      start: write(operations.startResend),
      preview: (id, body, options) =>
        write<ResendPreview, object>(operations.startResend)(id, dryRun(body), options),
      list: (id, query, options) => list(operations.listResends, { parameters: { id }, query }, options),
      get: (id, job, options) => read(operations.getResend, { ...options, ...inAccount(id, job) }),
      stop: (id, job, options) => read(operations.stopResend, { ...options, ...inAccount(id, job) }),
    },
    erasures: {
      start: write(operations.startErasure),
      get: (id, erasure, options) => read(operations.getErasure, { ...options, parameters: { id, erasure } }),
    },
    contacts: {
      delete: (id, contact, options) =>
        remove(
          operations.deleteContact,
          { ...options, parameters: { id, contact } },
          { id: contact, deleted: true },
        ),
    },
    audit: {
      list: listAll(operations.listAuditLog),
      export: async (query, options) =>
        (await send(operations.exportAuditLog, { ...options, query: { ...query } })).text,
    },
    noticeEndpoint: {
      put: (body, options) => put(operations.putNoticeEndpoint, { ...options, body }),
      get: (options) => read(operations.getNoticeEndpoint, options),
      delete: (options) => read(operations.deleteNoticeEndpoint, options),
    },
    outbox: {
      count: (options) => read(operations.countOutbox, options),
      list: listAll(operations.listRejectedEvents),
      get: readById(operations.getRejectedEvent),
      retry: (id, body = {}, options) =>
        write<RetriedEvent, object>(operations.retryRejectedEvent)(id, body, options),
      delete: (id, options) =>
        remove(operations.deleteRejectedEvent, { ...options, parameters: { id } }, { id, deleted: true }),
    },
    notices: { list: listAll(operations.listNotices) },
    async search(query, options) {
      const answer = await send(operations.search, { ...options, query });
      return { data: readData<HostSearch>(answer), meta: readMeta(answer) };
    },
    stats: (options) => read(operations.getStats, options),
    openApi: async (options) => readOpenApi(await send(operations.getHostOpenApiDocument, options)),
  };
}
