import { whenUnknown } from "../operations.ts";
import type { Operation } from "../operations.ts";

const get = <const Path extends string>(path: `/host/v1/${Path}`) =>
  ({ method: "GET", path, repeatable: true }) satisfies Operation;
/** A change that sets the same values again. */
const set = <const Method extends Operation["method"]>(method: Method, path: `/host/v1/${string}`) =>
  ({ method, path, repeatable: true, whenUnknown }) satisfies Operation;
/** A change that must not happen twice, or whose response would be lost. */
const once = (path: `/host/v1/${string}`, advice: string, method: "POST" | "PUT" = "POST") =>
  ({ method, path, repeatable: false, whenUnknown: advice }) satisfies Operation;

const isStarted = "The job may have been started. Look for it in the list before you start another one.";
const isStopped = "It is safe to repeat the call: invalid_state then means that the job has ended.";
const isChanged = "It is safe to repeat the call: invalid_state then means that the change was made.";
const secretIsLost =
  "The webhook may have been created, but its signing secret is lost. Its owner can delete it.";

/** Every operation of the host API, by its `operationId` in the OpenAPI document. */
export const hostOperations = {
  putAccount: set("PUT", "/host/v1/accounts/{id}"),
  listAccounts: get("/host/v1/accounts"),
  getAccount: get("/host/v1/accounts/{id}"),
  getAccountLedger: get("/host/v1/accounts/{id}/ledger"),
  listAccountPeople: get("/host/v1/accounts/{id}/people"),
  deleteAccount: set("DELETE", "/host/v1/accounts/{id}"),
  putProject: set("PUT", "/host/v1/projects/{id}"),
  putEmailList: set("PUT", "/host/v1/email-lists/{id}"),
  createApiKey: once(
    "/host/v1/accounts/{id}/api-keys",
    "The key may have been created, but it is lost. Its owner can revoke it in the console.",
  ),
  revokeApiKey: set("POST", "/host/v1/api-keys/{id}/revoke"),
  createWebhookOfAccount: once("/host/v1/accounts/{id}/webhooks", secretIsLost),
  // An unused link expires.
  createConsoleSession: set("POST", "/host/v1/accounts/{id}/console-sessions"),
  endConsoleSessions: set("DELETE", "/host/v1/accounts/{id}/console-sessions"),
  // The same event of the same record is sent once.
  publishEvents: set("POST", "/host/v1/events"),
  listHostEventTypes: get("/host/v1/event-types"),
  putEventType: set("PUT", "/host/v1/event-types/{name}"),
  deleteEventType: set("DELETE", "/host/v1/event-types/{name}"),
  deleteRecord: set("DELETE", "/host/v1/accounts/{id}/records/{kind}/{record}"),
  putSubscriber: set("PUT", "/host/v1/projects/{id}/subscribers/{email}"),
  putSuppression: set("PUT", "/host/v1/suppressions/{email}"),
  deleteSuppression: set("DELETE", "/host/v1/suppressions/{email}"),
  recoverAnyWebhook: once("/host/v1/webhooks/{id}/recoveries", isStarted),
  listAllWebhooks: get("/host/v1/webhooks"),
  search: get("/host/v1/search"),
  getStats: get("/host/v1/stats"),
  disableAnyWebhook: once("/host/v1/webhooks/{id}/disable", isChanged),
  limitAnyWebhook: set("POST", "/host/v1/webhooks/{id}/limit"),
  testAnyWebhook: once("/host/v1/webhooks/{id}/test", "The test may have been sent."),
  enableAnyWebhook: once("/host/v1/webhooks/{id}/enable", isChanged),
  pauseAnyWebhook: once("/host/v1/webhooks/{id}/pause", isChanged),
  resumeAnyWebhook: once("/host/v1/webhooks/{id}/resume", isChanged),
  turnAnyWebhookOn: once("/host/v1/webhooks/{id}/turn-on", isChanged),
  startWebhookAction: once("/host/v1/webhooks/actions", isStarted),
  listWebhookActions: get("/host/v1/webhooks/actions"),
  getWebhookAction: get("/host/v1/webhooks/actions/{id}"),
  stopWebhookAction: once("/host/v1/webhooks/actions/{id}/stop", isStopped),
  startResend: once("/host/v1/accounts/{id}/resends", isStarted),
  listResends: get("/host/v1/accounts/{id}/resends"),
  getResend: get("/host/v1/accounts/{id}/resends/{job}"),
  stopResend: once("/host/v1/accounts/{id}/resends/{job}/stop", isStopped),
  // A second erasure finds nothing to remove.
  startErasure: set("POST", "/host/v1/accounts/{id}/erasures"),
  getErasure: get("/host/v1/accounts/{id}/erasures/{erasure}"),
  deleteContact: set("DELETE", "/host/v1/accounts/{id}/contacts/{contact}"),
  listAuditLog: get("/host/v1/audit"),
  exportAuditLog: { ...get("/host/v1/audit/export"), isFile: true },
  putNoticeEndpoint: once(
    "/host/v1/notice-endpoint",
    "The URL may have been set, but its signing secret is lost. Delete it, and set it again.",
    "PUT",
  ),
  getNoticeEndpoint: get("/host/v1/notice-endpoint"),
  deleteNoticeEndpoint: set("DELETE", "/host/v1/notice-endpoint"),
  listNotices: get("/host/v1/notices"),
  countOutbox: get("/host/v1/outbox"),
  listRejectedEvents: get("/host/v1/outbox/rejected"),
  getRejectedEvent: get("/host/v1/outbox/rejected/{id}"),
  retryRejectedEvent: once(
    "/host/v1/outbox/rejected/{id}/retry",
    "It is safe to repeat the call: resource_not_found then means that the event is in the outbox again.",
  ),
  deleteRejectedEvent: set("DELETE", "/host/v1/outbox/rejected/{id}"),
  getHostOpenApiDocument: get("/host/v1/openapi.json"),
} as const satisfies Record<string, Operation>;
