import type { Mail } from "../../src/index.ts";
import { expect, it } from "vitest";
import { developerRoutes } from "../../../api/src/routes/select-routes.ts";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { openConsole } from "../support/open-console.ts";

useQuickScrypt();
const password = "correct horse battery";

const key =
  "id name prefix integration rights project_id expires_at created_at last_used_at revoked_at webhooks_count";
const webhook =
  "id event events target_url project_id status consecutive_failures last_success_at last_failure_at created_at rotating name headers " +
  "created_by.type created_by.key_id created_by.name verified removed_at status_changed_at status_reason status_detail missed backoff_until " +
  "max_per_second host_max_per_second ordered body_form waiting";
const health =
  "health.success_rate health.first_try_rate health.p95_ms health.strip.at health.strip.due health.strip.delivered health.strip.pending health.strip.failed " +
  "health.strip.cancelled health.strip.not_sent";
const ledger =
  "due delivered pending failed cancelled not_sent retried first_try_rate p50_ms p95_ms p99_ms max_ms";
const delivery =
  "id webhook_id target_url event record_id body_id project_id kind status attempts_made next_attempt_at created_at completed_at " +
  "cancel_reason resent_from last_status last_error last_duration_ms";
const attempt =
  "id number started_at duration_ms phases.queued_ms phases.dns_ms phases.connect_ms phases.tls_ms phases.wait_ms phases.read_ms reused request.headers request.body status headers excerpt body_state error detail summary next_attempt_at";
const issue =
  "id webhook_id status http_status error response deliveries attempts first_at since last_at deliveries_since last_delivery_id";
const listenerResult = "listener_id delivery_id status duration_ms error reported_at";
const recovery = "id webhook_id since until statuses missed status found resent created_at finished_at";
const resend =
  "id filter.statuses filter.webhook_ids filter.since filter.until not_sent status found resent skipped created_at finished_at";
const counts = "all ok client_error server_error rate_limited";
const account =
  "id name email timezone plan.name plan.integrations plan.crm plan.monthly_new_subscribers plan.blog_posts_per_site demo created_at";

const sessionPerson = below("person", "id name email");
const holder = `${sessionPerson} role rights`;
const person = "id email name role status timezone created_at expires_at last_sign_in_at";

/** The fields of `data` in the answer of each route. */
const table: Readonly<Record<string, string>> = {
  "POST /console/api/session": `token expires_at ${below("account", account)} ${holder}`,
  "POST /console/api/session/link": `token expires_at read_only path reason ${below("account", account)} person role rights`,
  "DELETE /console/api/session": "signed_out",
  "GET /console/api/sessions": `id person ${sessionPerson} role link read_only created_at expires_at network machine last_used_at current`,
  "DELETE /console/api/sessions/{id}": "id signed_out",
  "DELETE /console/api/sessions": "id signed_out",
  "GET /console/api/people": person,
  "POST /console/api/people": "id email role status url expires_at",
  "PATCH /console/api/people/{id}": person,
  "DELETE /console/api/people/{id}": "id deleted",
  "PATCH /console/api/me": person,
  "GET /console/api/invitations/{token}": "account_name email role expires_at",
  "POST /console/api/invitations/{token}": `token expires_at ${below("account", account)} ${holder}`,
  "GET /console/api/account":
    `${account} ${holder} ${below("limits", "requests_per_minute console_requests_per_minute sends_per_minute webhooks api_keys")} ` +
    `${below("retention", "days deliveries delivery_log_mib requests bodies")} ` +
    below("delivery", "switch_off_after retry_delays_seconds endpoint_backoff_seconds"),
  "GET /console/api/projects": "id name timezone created_at",
  "GET /console/api/keys": key,
  "POST /console/api/keys": `${key} api_key`,
  "POST /console/api/keys/{id}/revoke": "id revoked",
  "GET /console/api/webhooks": webhook,
  "GET /console/api/webhooks?include=health": `${webhook} ${health}`,
  "POST /console/api/webhooks": `${webhook} signing_secret`,
  "GET /console/api/webhooks/{id}": webhook,
  "PATCH /console/api/webhooks/{id}": webhook,
  "DELETE /console/api/webhooks/{id}": "id deleted",
  "POST /console/api/webhooks/{id}/test": attempt,
  "POST /console/api/webhooks/{id}/rotate": `${webhook} signing_secret`,
  "POST /console/api/webhooks/{id}/rotate/finish": webhook,
  "POST /console/api/webhooks/{id}/rotate/cancel": webhook,
  "POST /console/api/webhooks/{id}/pause": webhook,
  "POST /console/api/webhooks/{id}/resume": webhook,
  "POST /console/api/webhooks/{id}/turn-on": webhook,
  "GET /console/api/deliveries": delivery,
  "GET /console/api/deliveries/{id}": `${delivery} ${below("attempts", attempt)} resends ${below("listener_results", listenerResult)}`,
  "GET /console/api/deliveries/{id}/related": `${delivery} webhook_name`,
  "POST /console/api/deliveries/{id}/resend": delivery,
  "POST /console/api/deliveries/{id}/attempts/{n}/compare":
    "parts difference.offset difference.line difference.column difference.before difference.sent difference.received problems.problem problems.message",
  "POST /console/api/deliveries/{id}/share": "id url expires_at",
  "GET /console/api/deliveries/{id}/shares": "id created_at expires_at",
  "GET /console/api/shared/{token}": `${delivery} ${below("attempts", attempt)} resends listener_results expires_at`,
  "DELETE /console/api/shares/{id}": "id deleted",
  "GET /console/api/search":
    `${below("records", "id kind project_id number email created_at matched")} ` +
    below("deliveries", `${delivery} matched`),
  "GET /console/api/deliveries/counts": "all delivered pending failed cancelled",
  "GET /console/api/webhooks/{id}/recoveries": recovery,
  "POST /console/api/webhooks/{id}/recoveries": recovery,
  "GET /console/api/webhooks/{id}/recoveries/preview": "found complete",
  "GET /console/api/recoveries/{id}": recovery,
  "POST /console/api/recoveries/{id}/stop": recovery,
  "GET /console/api/resends": resend,
  "POST /console/api/resends": resend,
  "GET /console/api/resends/{id}": resend,
  "POST /console/api/resends/{id}/stop": resend,
  "GET /console/api/overview":
    "period since until step_seconds " +
    `${below("series", `at attempts ${ledger}`)} ` +
    `${below("totals", `success_rate ${ledger}`)} ` +
    below(
      "attention",
      "kind webhook_id message since last_answer.http_status last_answer.error last_answer.response is_known snoozed_until",
    ),
  "GET /console/api/notice-targets": "id type to kinds status created_at",
  "POST /console/api/notice-targets": "id type to kinds status created_at signing_secret",
  "PATCH /console/api/notice-targets/{id}": "id type to kinds status created_at",
  "POST /console/api/notice-targets/{id}/test": "id sent",
  "POST /console/api/notice-targets/{id}/confirmation": "id sent",
  "DELETE /console/api/notice-targets/{id}": "id deleted",
  "GET /console/api/notice-confirmations/{token}": "account_name to",
  "POST /console/api/notice-confirmations/{token}": "account_name to",
  "GET /console/api/notice-stops/{token}": "account_name to",
  "POST /console/api/notice-stops/{token}": "account_name to",
  "GET /console/api/issues": issue,
  "PATCH /console/api/issues/{id}": issue,
  "POST /console/api/snoozes": "kind webhook_id snoozed_until",
  "GET /console/api/ledger":
    `since until step_seconds ${below("series", `at ${ledger}`)} ${below("totals", ledger)} ` +
    below("webhooks", `webhook_id ${ledger}`),
  "GET /console/api/requests": "id method path status error_code key_name duration_ms created_at",
  "GET /console/api/requests/counts": counts,
  "GET /console/api/requests/counts?period=24h": `${counts} step_seconds ${below("series", "at ok client_error server_error")}`,
  "GET /console/api/rate-limit": "limit remaining reset_seconds",
  "GET /console/api/audit":
    "id at actor.kind actor.id actor.name action account_id target.kind target.id changed changes changes.field changes.old changes.new request_id",
  "GET /console/api/event-types":
    "event name description sample fields.path fields.type fields.required fields.values fields.example fields.description",
};

/** Routes that answer with something else than `data`: a stream, and the exact bytes of a body. */
const others = [
  "GET /console/api/deliveries/export",
  "GET /console/api/requests/export",
  "GET /console/api/webhooks/export",
  "GET /console/api/keys/export",
  "GET /console/api/audit/export",
  "GET /console/api/events",
  "GET /console/api/deliveries/{id}/attempts/{n}/body",
];

it("each route of the console answers with exactly these fields", async () => {
  const mails: Mail[] = [];
  const options = {
    retryDelaysSeconds: [],
    endpointBackoffSeconds: 0,
    publicUrl: "https://hooks.example.com",
    mailer: { send: async (mail: Mail): Promise<void> => void mails.push(mail) },
  };
  await using world = await openConsole(options, password);
  const { hookwright } = world;
  const login = { email: "owner@example.com", password };
  const answered: Record<string, string> = {};
  let token = "";

  async function call(method: string, path: string, json?: unknown): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    return hookwright.fetch(new Request(`http://localhost${path}`, { method, headers, ...body }));
  }
  /** Calls a route and notes the fields of its answer. `query` is for what every call needs. */
  async function ask(route: string, { id = "", query = "", json }: Asked = {}) {
    const [method = "", path = ""] = route.split(" ");
    const response = await call(
      method,
      path.replace(/\{(?:id|token)\}/u, id).replace("{n}", "1") + query,
      json,
    );
    const { data, meta } = JSON.parse(await response.text());
    expect([route, response.ok, meta !== undefined]).toEqual([route, true, Array.isArray(data)]);
    answered[route] = fieldsOf(data);
    return data;
  }
  /** The token of the first link of a mail to such a page. */
  function findToken(pageName: string): string {
    const text = mails.map((mail) => mail.text).find((each) => each.includes(`#/${pageName}/`));
    return text?.split(`#/${pageName}/`)[1]?.split("\n")[0] ?? "";
  }
  ({ token } = await ask("POST /console/api/session", { json: login }));
  const { url } = await hookwright.sessions.createLink("acc_1");
  await ask("POST /console/api/session/link", { json: { code: url.split("/").at(-1) } });
  const made = await ask("POST /console/api/keys", { json: { name: "Zapier" } });
  await hookwright.fetch(
    new Request("http://localhost/v1/me", { headers: { authorization: `Bearer ${made.api_key}` } }),
  );
  await ask("GET /console/api/keys");
  await ask("GET /console/api/requests");
  await ask("GET /console/api/requests/counts");
  await ask("GET /console/api/requests/counts?period=24h");
  await ask("GET /console/api/rate-limit");
  await ask("GET /console/api/event-types");
  await ask("GET /console/api/account");
  await ask("GET /console/api/projects");
  const invited = { json: { email: "ada@example.com", role: "viewer" } };
  const { id: personId, url: invitation } = await ask("POST /console/api/people", invited);
  const invitationToken = invitation.split("/").at(-1);
  await ask("GET /console/api/invitations/{token}", { id: invitationToken });
  const acceptance = { name: "Ada", password: "Ada's own password" };
  const joined = await ask("POST /console/api/invitations/{token}", {
    id: invitationToken,
    json: acceptance,
  });
  const owners = token;
  token = joined.token;
  await ask("PATCH /console/api/me", { json: { timezone: "Europe/London" } });
  token = owners;
  await ask("GET /console/api/people");
  await ask("PATCH /console/api/people/{id}", { id: personId, json: { role: "developer" } });
  const [opened] = await ask("GET /console/api/sessions");
  await ask("DELETE /console/api/sessions/{id}", { id: opened.id });
  await ask("DELETE /console/api/people/{id}", { id: personId });

  const target = { event: "review.submitted", target_url: `${world.origin}/hooks` };
  const { id } = await ask("POST /console/api/webhooks", { json: target });
  await ask("GET /console/api/webhooks/{id}", { id });
  await ask("PATCH /console/api/webhooks/{id}", { id, json: { headers: { Authorization: "Basic eDp5" } } });
  await ask("POST /console/api/webhooks/{id}/test", { id });
  await ask("POST /console/api/webhooks/{id}/rotate", { id });
  await ask("POST /console/api/webhooks/{id}/rotate/cancel", { id });
  await ask("POST /console/api/webhooks/{id}/rotate", { id });
  await ask("POST /console/api/webhooks/{id}/rotate/finish", { id });

  const listener = JSON.parse(await (await call("POST", "/developer/v1/listeners", {})).text()).data;
  const events = `/developer/v1/listeners/${listener.id}/events`;
  const stream = (await call("GET", events)).body?.pipeThrough(new TextDecoderStream()).getReader();
  const [sent = ""] = await world.publish("rev_1");
  await world.settled();
  let text = "";
  while (!/^id: \w+\n/mu.test(text)) {
    const { value = "", done = true } = (await stream?.read()) ?? {};
    if (done) throw new Error(`the stream has ended: ${text}`);
    text += value;
  }
  const heard = /^id: (\w+)\n/mu.exec(text)?.[1];
  await stream?.cancel();
  await call("POST", `${events}/${heard}/result`, { status: 204, duration_ms: 1 });
  await ask("GET /console/api/deliveries");
  await ask("GET /console/api/deliveries/{id}", { id: sent });
  await ask("GET /console/api/search", { query: "?q=rev_1" });
  await ask("GET /console/api/deliveries/counts");
  await ask("POST /console/api/deliveries/{id}/resend", { id: sent });
  await ask("GET /console/api/deliveries/{id}/related", { id: sent });
  await ask("POST /console/api/deliveries/{id}/attempts/{n}/compare", { id: sent, json: { received: "{}" } });
  const shared = await ask("POST /console/api/deliveries/{id}/share", { id: sent, json: { days: 1 } });
  await ask("GET /console/api/deliveries/{id}/shares", { id: sent });
  await ask("GET /console/api/shared/{token}", { id: shared.url.split("/").at(-1) });
  await ask("DELETE /console/api/shares/{id}", { id: shared.id });

  world.answerWith(500);
  for (let number = 0; number < 30; number++) await world.publish(`rev_failed_${number}`);
  await expect.poll(async () => (await hookwright.webhooks.get("acc_1", id)).status).toBe("switched_off");
  await ask("GET /console/api/notice-targets");
  const mailed = await ask("POST /console/api/notice-targets", {
    json: { type: "email", to: "ops@example.com" },
  });
  const told = await ask("POST /console/api/notice-targets", {
    json: { type: "webhook", to: target.target_url },
  });
  await ask("PATCH /console/api/notice-targets/{id}", { id: told.id, json: { kinds: ["webhook.failing"] } });
  await ask("POST /console/api/notice-targets/{id}/test", { id: told.id });
  await ask("DELETE /console/api/notice-targets/{id}", { id: told.id });
  await expect.poll(() => mails.some(({ text }) => text.includes("#/stop/"))).toBe(true);
  await ask("POST /console/api/notice-targets/{id}/confirmation", { id: mailed.id });
  const confirm = findToken("confirm");
  await ask("GET /console/api/notice-confirmations/{token}", { id: confirm });
  await ask("POST /console/api/notice-confirmations/{token}", { id: confirm });
  const stop = findToken("stop");
  await ask("GET /console/api/notice-stops/{token}", { id: stop });
  await ask("POST /console/api/notice-stops/{token}", { id: stop });
  await ask("GET /console/api/overview", { query: "?period=1h" });
  const [failure] = await ask("GET /console/api/issues");
  await ask("PATCH /console/api/issues/{id}", { id: failure.id, json: { status: "acknowledged" } });
  await ask("POST /console/api/snoozes", {
    json: { kind: "webhook_switched_off", webhook_id: id, hours: 1 },
  });
  await ask("GET /console/api/ledger", { query: "?by=webhook" });
  await ask("GET /console/api/webhooks");
  await ask("GET /console/api/webhooks?include=health");
  await ask("POST /console/api/webhooks/{id}/turn-on", { id });

  // Without responses 500 of the 600 deliveries stay pending, and the recovery waits with the others.
  world.answerWith("nothing");
  await ask("POST /console/api/webhooks/{id}/pause", { id });
  for (let number = 0; number < 600; number++) await world.publish(`rev_missed_${number}`);
  await ask("POST /console/api/webhooks/{id}/resume", { id });
  const input = { since: "2020-01-01T00:00:00Z", missed: true };
  await ask("GET /console/api/webhooks/{id}/recoveries/preview", { id, query: `?since=${input.since}` });
  const started = await ask("POST /console/api/webhooks/{id}/recoveries", { id, json: input });
  await ask("GET /console/api/webhooks/{id}/recoveries", { id });
  await ask("GET /console/api/recoveries/{id}", { id: started.id });
  await ask("POST /console/api/recoveries/{id}/stop", { id: started.id });
  const filter = {
    statuses: ["failed"],
    webhook_ids: [id],
    since: input.since,
    until: "2099-01-01T00:00:00Z",
  };
  const job = await ask("POST /console/api/resends", { json: { filter, not_sent: true } });
  await ask("POST /console/api/resends/{id}/stop", { id: job.id });
  await ask("GET /console/api/resends/{id}", { id: job.id });
  await ask("GET /console/api/resends");
  world.answerWith(204);

  await ask("DELETE /console/api/webhooks/{id}", { id });
  await ask("POST /console/api/keys/{id}/revoke", { id: made.id });
  await ask("GET /console/api/audit");
  await ask("DELETE /console/api/session");
  ({ token } = await ask("POST /console/api/session", { json: login }));
  await ask("DELETE /console/api/sessions");

  const sorted = Object.entries(table).map(([route, fields]) => [route, inOrder(fields)]);
  expect(answered).toEqual(Object.fromEntries(sorted));
  const routes = developerRoutes.filter(({ path }) => path.startsWith("/console/api/"));
  const names = routes.map(({ method, path }) => `${method} ${path}`);
  const tested = Object.keys(table).filter((route) => !route.includes("?"));
  expect([...tested, ...others].toSorted()).toEqual(names.toSorted());
});

interface Asked {
  readonly id?: string;
  readonly query?: string;
  readonly json?: unknown;
}

/** The fields of an object in another one. */
function below(name: string, fields: string): string {
  return fields.replaceAll(/\S+/gu, `${name}.$&`);
}

function inOrder(fields: string): string {
  return fields.split(" ").toSorted().join(" ");
}

/** The paths of all values. Entries of a list have no index, and the names of HTTP headers and of samples are no fields. */
function fieldsOf(data: unknown): string {
  const paths = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    const isOpen = /(?:^|\.)(?:headers|sample)$/u.test(path);
    if (Array.isArray(value) && value.length > 0) value.forEach((each) => walk(each, path));
    else if (typeof value !== "object" || value === null || isOpen || Array.isArray(value)) paths.add(path);
    else for (const [name, each] of Object.entries(value)) walk(each, path === "" ? name : `${path}.${name}`);
  };
  walk(data, "");
  return inOrder([...paths].join(" "));
}
