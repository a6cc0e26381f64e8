import type { Route } from "@hookwright/api";
import { sampleDeliveryBody } from "@hookwright/domain";
import type { FilledAccount } from "./fill-account.ts";

export const hostToken = "host-token-of-the-test";

export interface WalkedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const past = new Date(Date.now() - 2 * 24 * 60 * 60 * 1_000).toISOString();

/** The body of each route that takes one. */
const bodies: Readonly<Record<string, unknown>> = {
  createWebhook: { event: "order.created", target_url: "https://hooks.example.com/new" },
  createConsoleWebhook: { event: "order.created", target_url: "https://hooks.example.com/new" },
  updateWebhook: { name: "Orders" },
  writeContact: { project_id: "site_1", email: "ada1@example.com", notes: "n" },
  subscribe: { list_id: "lst_1", email: "ada1@example.com" },
  createBlogPost: { project_id: "site_1", title: "News" },
  createListener: {},
  reportListenerResult: { status: 200, duration_ms: 1 },
  triggerEvent: { event: "order.created" },
  createConsoleKey: { name: "New" },
  createApiKey: { name: "New" },
  recoverWebhook: { since: past, missed: true },
  recoverDeveloperWebhook: { since: past, missed: true },
  disableAnyWebhook: { reason: "abuse" },
  startWebhookAction: { action: "resume", filter: { status: "paused" } },
  recoverAnyWebhook: { since: past, missed: true },
  putAccount: { name: "Bakery" },
  putProject: { account_id: "acc_large", name: "Shop" },
  putEmailList: { project_id: "site_1", name: "News" },
  createConsoleSession: {},
  publishEvents: {
    event: "review.submitted",
    project_id: "site_1",
    data: { ...sampleDeliveryBody("review.submitted").data, id: "rev_1" },
  },
  putSubscriber: { list_ids: ["lst_1"] },
  putSuppression: { reason: "bounced" },
  signIn: { email: "nobody@example.com", password: "wrong" },
  exchangeLink: { code: "hwl_none" },
};

/** Values that match nothing or everything, so that a request reads as much as it can. Others come from the examples of the route. */
const values: Readonly<Record<string, readonly string[]>> = {
  limit: ["100"],
  since: [past],
  until: [new Date().toISOString()],
  error: ["dns", "status"],
  q: ["ord_1", "nothing"],
  status: ["failed", "500", "suspended", "active", "removed", "paid"],
  webhook_id: [],
  project_id: ["site_1"],
  account_id: ["acc_large"],
  action: ["api_key.created"],
  include: ["health"],
  period: ["30d"],
  cursor: [],
};

/** What must come last, because other requests need what it removes. */
export const lastOnes: readonly string[] = [
  "disableAnyWebhook",
  "revokeConsoleKey",
  "revokeApiKey",
  "deleteWebhook",
  "deleteConsoleWebhook",
  "endAllSessions",
  "signOut",
  "endConsoleSessions",
  "deleteAccount",
];

/** The routes in an order in which each finds what it needs. */
export function inOrder(routes: readonly Route[]): readonly Route[] {
  return routes.toSorted(
    (one, other) => lastOnes.indexOf(one.operationId) - lastOnes.indexOf(other.operationId),
  );
}

/**
 * Requests to a route that read as many rows as they can: without filters, and with each filter alone.
 *
 * @throws Error for a route that has a parameter or a body without a value here
 */
export function toRequests(route: Route, filled: FilledAccount): readonly WalkedRequest[] {
  const { apiKey, token } = filled;
  const { method, operationId, access } = route;
  const ids = operationId === "deleteAccount" ? { ...filled.ids, accounts: "acc_other_1" } : filled.ids;
  const parts = route.path.split("/");
  const path = parts
    .map((part, index) => {
      const name = /^\{(\w+)\}$/u.exec(part)?.[1];
      return name === undefined ? part : valueOf(name === "id" ? (parts[index - 1] ?? "") : name, ids);
    })
    .join("/");
  if (route.body !== undefined && !(operationId in bodies))
    throw new Error(`${method} ${route.path}: add a body to walk-routes.ts`);
  const body = route.body === undefined ? undefined : JSON.stringify(bodies[operationId]);
  const credential =
    access === "host" || access === "metrics" ? hostToken : access === "account" ? apiKey : token;
  const headers = {
    authorization: `Bearer ${credential}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const names = Object.keys(route.query.shape);
  const always = names.includes("limit") ? ["limit=100"] : [];
  if (operationId === "previewRecovery") always.push(`since=${past}`, "missed=true");
  const filtered = names.flatMap((name) =>
    valuesOf(route, name).map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return [[], ...filtered.map((parameter) => [parameter])].map((parameters) => {
    const query = new Map([...always, ...parameters].map((each) => [each.split("=")[0], each])).values();
    const text = [...query].join("&");
    return { method, path: text === "" ? path : `${path}?${text}`, headers, body };
  });
}

function valueOf(kind: string, ids: FilledAccount["ids"]): string {
  const value = ids[kind];
  if (value === undefined) throw new Error(`add an id of ${kind} to fill-account.ts`);
  return encodeURIComponent(value);
}

function valuesOf(route: Route, name: string): readonly string[] {
  const known = values[name];
  if (known !== undefined) return known;
  const example = route.query.shape[name]?.meta()?.["example"];
  return typeof example === "string" ? [example] : [];
}
