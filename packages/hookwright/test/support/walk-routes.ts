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
  "POST /v1/webhooks": { event: "order.created", target_url: "https://hooks.example.com/new" },
  "POST /console/api/webhooks": { event: "order.created", target_url: "https://hooks.example.com/new" },
  "POST /developer/v1/webhooks": { event: "order.created", target_url: "https://hooks.example.com/new" },
  "POST /developer/v1/webhooks/{id}/test": {},
  "POST /host/v1/accounts/{id}/webhooks": {
    event: "order.created",
    target_url: "https://hooks.example.com/new",
  },
  "PATCH /console/api/webhooks/{id}": { name: "Orders" },
  "PATCH /console/api/issues/{id}": { status: "acknowledged" },
  "PATCH /developer/v1/issues/{id}": { status: "acknowledged" },
  "POST /console/api/snoozes": { kind: "webhook_paused", webhook_id: "wh_unknown", hours: 1 },
  "POST /console/api/webhooks/{id}/test": {},
  "POST /host/v1/webhooks/{id}/test": {},
  "POST /v1/contacts": { project_id: "site_1", email: "ada1@example.com", notes: "n" },
  "POST /v1/subscribers": { list_id: "lst_1", email: "ada1@example.com" },
  "POST /v1/blog-posts": { project_id: "site_1", title: "News" },
  "POST /developer/v1/listeners": {},
  "POST /developer/v1/listeners/{id}/events/{delivery}/result": { status: 200, duration_ms: 1 },
  "POST /developer/v1/trigger": { event: "order.created" },
  "POST /console/api/keys": { name: "New" },
  "POST /host/v1/accounts/{id}/api-keys": { name: "New" },
  "POST /console/api/webhooks/{id}/recoveries": { since: past, missed: true },
  "POST /developer/v1/webhooks/{id}/recoveries": { since: past, missed: true },
  "POST /console/api/deliveries/{id}/attempts/{n}/compare": { received: "{}" },
  "POST /console/api/deliveries/{id}/share": { days: 1 },
  "POST /console/api/resends": { filter: { statuses: ["failed"] } },
  "POST /developer/v1/resends": { filter: { statuses: ["failed"] } },
  "POST /host/v1/outbox/rejected/{id}/retry": { project_id: "site_1" },
  "POST /host/v1/accounts/{id}/resends": { filter: { statuses: ["failed"] } },
  "POST /host/v1/webhooks/{id}/limit": { max_per_second: 1_000 },
  "POST /host/v1/accounts/{id}/erasures": { email: "ada1@example.com" },
  "POST /host/v1/webhooks/{id}/disable": { reason: "abuse" },
  "POST /host/v1/webhooks/actions": { action: "resume", filter: { status: "paused" } },
  "POST /host/v1/webhooks/{id}/recoveries": { since: past, missed: true },
  "PUT /host/v1/event-types/{name}": {
    description: "A parcel is sent.",
    schema: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
    sample: { id: "par_1" },
  },
  "PUT /host/v1/accounts/{id}": { name: "Bakery" },
  "PUT /host/v1/projects/{id}": { account_id: "acc_large", name: "Shop" },
  "PUT /host/v1/email-lists/{id}": { project_id: "site_1", name: "News" },
  "POST /host/v1/accounts/{id}/console-sessions": {},
  "POST /host/v1/events": {
    event: "review.submitted",
    project_id: "site_1",
    data: { ...sampleDeliveryBody("review.submitted").data, id: "rev_1" },
  },
  "PUT /host/v1/projects/{id}/subscribers/{email}": { list_ids: ["lst_1"] },
  "POST /console/api/notice-targets": { type: "chat", to: "https://example.com/chat" },
  "PATCH /console/api/notice-targets/{id}": { kinds: ["webhook.failing"] },
  "PUT /host/v1/notice-endpoint": { url: "https://example.com/notices" },
  "PUT /host/v1/suppressions/{email}": { reason: "bounced" },
  "POST /console/api/session": { email: "nobody@example.com", password: "wrong" },
  "POST /console/api/session/link": { code: "hwl_none" },
  "POST /console/api/people": { email: "new@example.com", role: "viewer" },
  "PATCH /console/api/people/{id}": { role: "owner" },
  "PATCH /console/api/me": { name: "Ada" },
  "POST /console/api/invitations/{token}": { name: "Ada", password: "correct horse" },
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
  "POST /host/v1/webhooks/{id}/disable",
  "POST /console/api/keys/{id}/revoke",
  "POST /host/v1/api-keys/{id}/revoke",
  "DELETE /v1/webhooks/{id}",
  "DELETE /console/api/webhooks/{id}",
  "DELETE /console/api/sessions",
  "DELETE /console/api/session",
  "DELETE /host/v1/accounts/{id}/console-sessions",
  "DELETE /host/v1/accounts/{id}/contacts/{contact}",
  "DELETE /host/v1/accounts/{id}",
];

export function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** The routes in an order in which each finds what it needs. */
export function inOrder(routes: readonly Route[]): readonly Route[] {
  return routes.toSorted((one, other) => lastOnes.indexOf(nameOf(one)) - lastOnes.indexOf(nameOf(other)));
}

/**
 * Requests to a route that read as many rows as they can: without filters, and with each filter alone.
 *
 * @throws Error for a route that has a parameter or a body without a value here
 */
export function toRequests(route: Route, filled: FilledAccount): readonly WalkedRequest[] {
  const { apiKey, token } = filled;
  const { method, access } = route;
  const named = nameOf(route);
  const ids =
    named === "DELETE /host/v1/accounts/{id}" ? { ...filled.ids, accounts: "acc_other_1" } : filled.ids;
  const parts = route.path.split("/");
  const path = parts
    .map((part, index) => {
      const parameter = /^\{(\w+)\}$/u.exec(part)?.[1];
      if (parameter === undefined) return part;
      return valueOf(parameter === "id" ? (parts[index - 1] ?? "") : parameter, ids);
    })
    .join("/");
  if (route.body !== undefined && !(named in bodies))
    throw new Error(`${named}: add a body to walk-routes.ts`);
  const body = route.body === undefined ? undefined : JSON.stringify(bodies[named]);
  const credential =
    access === "host" || access === "metrics" ? hostToken : access === "account" ? apiKey : token;
  const headers = {
    authorization: `Bearer ${credential}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const names = Object.keys(route.query.shape);
  const always = names.includes("limit") ? ["limit=100"] : [];
  if (named === "GET /console/api/webhooks/{id}/recoveries/preview")
    always.push(`since=${past}`, "missed=true");
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
