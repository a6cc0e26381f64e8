import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createSignedHeaders } from "@hookwright/signature";
import { attempt, delivery, issues, webhook } from "./rows.ts";

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly json: unknown;
}

export interface DeveloperServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SentRequest[];
  /** Rows of `GET /developer/v1/deliveries`, newest first. */
  deliveries: object[];
  /** Replaces `deliveries` by pages of their own. */
  deliveryPages: readonly (readonly object[])[] | undefined;
  /** Replaces responses by `METHOD /path`. */
  readonly overrides: Map<
    string,
    {
      readonly status: number;
      readonly body: unknown;
      readonly once?: boolean;
      /** Seconds, for 429. @default 1 */
      readonly retryAfter?: number;
    }
  >;
  /** Ids of the listeners that exist. */
  readonly listeners: ReadonlySet<string>;
  /** Streams that are open now. */
  readonly streams: number;
  /** True if a new listener is unknown at once, as on a server that loses its memory. */
  losesListeners: boolean;
  /** Sends an event to every listener. It is stored, so that a reader can resume. */
  send(id: string, body: string, options?: { readonly ageSeconds?: number }): void;
  /** Sends text to every stream. */
  write(text: string): void;
  /** Cuts all connections, as a broken network does. */
  dropStreams(): void;
  /** Forgets all listeners, as after ten minutes without a reader. */
  forgetListeners(): void;
  requested(method: string, path: RegExp): readonly SentRequest[];
}

interface LoggedEvent {
  readonly id: string;
  readonly body: string;
  readonly ageSeconds: number;
}

export const apiKey = "hwk_test_key";
export const consoleToken = "hwc_test_token";
export const signingSecret = "whsec_of_the_listener";

/** The routes of the developer API over real sockets, by the contract. */
export async function openDeveloperServer(): Promise<DeveloperServer> {
  const requests: SentRequest[] = [];
  const overrides: DeveloperServer["overrides"] = new Map();
  const listeners = new Set<string>();
  const log: LoggedEvent[] = [];
  const streams = new Set<ServerResponse>();
  let created = 0;
  let polls = 0;

  /** Signing is asynchronous, and deliveries are sent in order. */
  let written = Promise.resolve();
  const write = async (response: ServerResponse, { id, body, ageSeconds }: LoggedEvent): Promise<void> => {
    const signed = await createSignedHeaders({
      timestamp: Math.floor(Date.now() / 1_000) - ageSeconds,
      body,
      secret: signingSecret,
      deliveryId: id,
      event: String(JSON.parse(body).event),
    });
    const headers = { "User-Agent": "Hookwright (+webhooks)", ...signed };
    response.write(`id: ${id}\nevent: delivery\ndata: ${JSON.stringify({ headers, body })}\n\n`);
  };

  let url = "";
  const self = {
    get url() {
      return url;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
    requests,
    overrides,
    listeners,
    deliveries: [
      delivery,
      { ...delivery, id: "dlv_2", body_id: "order.created_ord_2", status: "failed", attempts_made: 6 },
    ],
    get streams() {
      return streams.size;
    },
    requested: (method: string, path: RegExp) =>
      requests.filter((each) => each.method === method && path.test(each.path)),
    losesListeners: false,
    deliveryPages: undefined as DeveloperServer["deliveryPages"],
    send(id: string, body: string, { ageSeconds = 0 } = {}) {
      log.push({ id, body, ageSeconds });
      for (const response of streams) written = written.then(() => write(response, { id, body, ageSeconds }));
    },
    write(text: string) {
      for (const response of streams) response.write(text);
    },
    dropStreams() {
      for (const response of streams) response.socket?.destroy();
    },
    forgetListeners: () => listeners.clear(),
  };

  const answer = (request: SentRequest, response: ServerResponse): void => {
    const key = `${request.method} ${request.path}`;
    const override = overrides.get(key);
    if (override !== undefined) {
      if (override.once === true) overrides.delete(key);
      return send(response, override.status, override.body, override.retryAfter);
    }
    if (
      request.path !== "/console/api/session" &&
      ![apiKey, consoleToken].includes(request.headers.authorization?.replace("Bearer ", "") ?? "")
    )
      return refuse(response, 401, "invalid_api_key", "The API key is unknown or revoked.");
    const [, name = "", id = "", action = ""] =
      /^\/developer\/v1\/(\w+)(?:\/([^/]+))?(?:\/(.+))?$/u.exec(request.path) ?? [];
    const route = `${request.method} ${name}${id === "" ? "" : "/:id"}${action === "" ? "" : `/${action.split("/")[0]}`}`;
    switch (route) {
      case "POST listeners": {
        created += 1;
        const listener = `lsn_${created}`;
        if (!self.losesListeners) listeners.add(listener);
        return succeed(response, 201, {
          id: listener,
          signing_secret: signingSecret,
          ...(request.json as object),
          expires_at: "2026-11-20T09:40:00Z",
        });
      }
      case "DELETE listeners/:id":
        if (!listeners.delete(id)) return notFound(response);
        return succeed(response, 200, { id, deleted: true });
      case "GET listeners/:id/events": {
        if (!listeners.has(id)) return notFound(response);
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(": hello\n\n");
        const last = request.headers["last-event-id"];
        const from = last === undefined ? 0 : log.findIndex((each) => each.id === last) + 1;
        for (const each of log.slice(from)) void write(response, each);
        streams.add(response);
        response.once("close", () => streams.delete(response));
        return undefined;
      }
      case "POST listeners/:id/events":
        return succeed(response, 200, { listener_id: id, ...(request.json as object) });
      case "POST trigger":
        return succeed(response, 201, {
          id: "order.created_test_1",
          event: "order.created",
          listeners: streams.size,
        });
      case "GET webhooks":
        return succeed(response, 200, [webhook], { has_more: false, next_cursor: null });
      case "GET deliveries": {
        if (self.deliveryPages !== undefined) {
          const at = Number(request.query["cursor"] ?? 0);
          const next = at + 1 < self.deliveryPages.length ? String(at + 1) : null;
          const meta = { has_more: next !== null, next_cursor: next };
          return succeed(response, 200, self.deliveryPages[at], meta);
        }
        const wanted = self.deliveries.filter(
          (row) =>
            !("status" in request.query) || (row as { status?: string }).status === request.query["status"],
        );
        const from = Number(request.query["cursor"] ?? 0);
        const to = from + Number(request.query["limit"] ?? 25);
        const hasMore = to < wanted.length;
        return succeed(response, 200, wanted.slice(from, to), {
          has_more: hasMore,
          next_cursor: hasMore ? String(to) : null,
        });
      }
      case "GET deliveries/:id": {
        if (id === "dlv_unknown") return notFound(response);
        const found = self.deliveries.find((row) => (row as { id?: string }).id === id);
        return succeed(response, 200, { ...(found ?? { ...delivery, id }), attempts: [attempt] });
      }
      case "POST deliveries/:id/resend":
        return succeed(response, 201, {
          ...delivery,
          id: "dlv_3",
          kind: "resend",
          status: "pending",
          attempts_made: 0,
        });
      case "POST webhooks/:id/recoveries":
        polls = 0;
        return succeed(response, 201, toRecovery(id, polls));
      case "GET issues":
        return succeed(response, 200, issues);
      case "PATCH issues/:id":
        return succeed(response, 200, { ...issues[0], id, ...(request.json as object) });
      case "POST resends":
        polls = 0;
        return JSON.stringify(request.json).includes('"dry_run":true')
          ? succeed(response, 200, { found: 4, skipped: 1, complete: true })
          : succeed(response, 201, { ...toRecovery("wh_1", polls), skipped: 0 });
      case "GET resends/:id":
        polls += 1;
        return succeed(response, 200, { ...toRecovery("wh_1", polls), skipped: 0 });
      case "GET recoveries/:id":
        polls += 1;
        return succeed(response, 200, toRecovery("wh_1", polls));
      default:
        if (request.path === "/v1/me") return succeed(response, 200, account);
        return refuse(response, 404, "not_found", "No such endpoint.");
    }
  };

  const server = createServer((incoming, response) => {
    void readText(incoming).then((text) => {
      const target = new URL(incoming.url ?? "/", "http://localhost");
      const request = {
        method: incoming.method ?? "",
        path: target.pathname,
        query: Object.fromEntries(target.searchParams),
        headers: incoming.headers,
        json: text === "" ? undefined : JSON.parse(text),
      };
      requests.push(request);
      answer(request, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  url = `http://127.0.0.1:${address.port}`;
  return self;
}

const account = {
  id: "acc_1",
  name: "Bakery",
  email: "ada@example.com",
  timezone: "Europe/London",
  plan: { name: "pro", integrations: true },
  demo: false,
  created_at: "2026-11-01T00:00:00Z",
};

function toRecovery(webhookId: string, polls: number): object {
  return {
    id: "rec_1",
    webhook_id: webhookId,
    status: polls >= 2 ? "finished" : "running",
    found: 4,
    resent: Math.min(4, polls * 2),
  };
}

function succeed(response: ServerResponse, status: number, data: unknown, meta?: object): void {
  send(response, status, { success: true, data, ...(meta === undefined ? {} : { meta }) });
}

function notFound(response: ServerResponse): void {
  refuse(response, 404, "resource_not_found", "There is no such record on this account.");
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  send(response, status, { success: false, error: { code, message } });
}

function send(response: ServerResponse, status: number, body: unknown, retryAfter = 1): void {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(status === 429 ? { "retry-after": String(retryAfter) } : {}),
  });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}
