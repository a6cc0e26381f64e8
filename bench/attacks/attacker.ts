import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { listen, onMessages } from "../harness/http-messages.ts";
import type { HostileAccount } from "./create-accounts.ts";
import type { AttackName } from "./names.ts";
import { counts, createHttpClient, holdSockets, repeatRequests, sendCounted } from "./tools.ts";
import type { HeldSockets, HttpRequest } from "./tools.ts";

/** What an attack gets. */
export interface AttackTarget {
  readonly url: string;
  readonly accounts: readonly HostileAccount[];
  /** The rate for attacks that hold sockets. */
  readonly connectionsPerSecond: number;
  readonly victimEmail: string;
}

type Attack = (target: AttackTarget, account: HostileAccount) => void;

/**
 * Runs one attack in a separate process, so that it does not slow down the measurements. Its first message is the
 * address of its endpoint. The parent's first message is the target, which starts the attack. Each message is answered
 * with the counts so far.
 */
const announcedBytes = 1_048_576;
const sentBytes = 1_048_476;
const pipelined = 1_400;
const longAgo = "2020-01-01T00:00:00Z";

/** A header section of almost 16 KiB, which is the server's limit, and a body of 4 KiB. */
const largeResponse = [
  "HTTP/1.1 200 OK\r\ncontent-length: 4096\r\n",
  ...Array.from({ length: 62 }, (_, index) => `x-filler-${100 + index}: ${"h".repeat(244)}\r\n`),
  "\r\n",
  "b".repeat(4_096),
].join("");
/** What the endpoint of an attack responds to every delivery. `tests` never gets a response. */
const responses: Readonly<Record<string, string>> = {
  mails: "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n",
  tests: "",
  resends: largeResponse,
};
const name = process.argv[2] ?? "";
const response = responses[name] ?? "HTTP/1.1 204 No Content\r\n\r\n";
/** Deliveries to the endpoint so far. */
let received = 0;
const port = await listen((socket) => {
  socket.on("error", () => socket.destroy());
  onMessages(socket, () => {
    received += 1;
    socket.write(response);
  });
});
const endpointOrigin = `http://127.0.0.1:${port}`;

const attacks: Readonly<Record<AttackName, Attack>> = {
  bodies: (target, { apiKey }) =>
    hold(target, [
      stalledBody(600, "/console/api/session", target),
      stalledBody(100, "/v1/contacts", target, apiKey),
    ]),
  pipeline: (target, { apiKey }) =>
    hold(target, [
      unreadResponses("/v1/openapi.json", target),
      unreadResponses("/v1/orders?limit=100", target, apiKey),
    ]),
  silent: (target) => hold(target, [{ count: 1_500, bytes: Buffer.alloc(0), reads: true }]),
  streams: (target) =>
    hold(
      target,
      target.accounts.map(({ consoleToken }, index) => ({
        count: index < 7 ? 100 : 8,
        bytes: Buffer.from(get("/console/api/events", target, consoleToken)),
        reads: true,
      })),
    ),
  resends(target, { consoleToken: token, deliveryId, webhookId }) {
    const paths = [`deliveries/${deliveryId}/resend`, `webhooks/${webhookId}/test`];
    repeat(target, 32, (count) => ({ method: "POST", path: `/console/api/${paths[count % 2]}`, token }));
  },
  tests(target, first) {
    repeat(target, 128, (count) => {
      const { consoleToken: token, webhookId } = target.accounts[count % target.accounts.length] ?? first;
      return { method: "POST", path: `/console/api/webhooks/${webhookId}/test`, token };
    });
  },
  search(target, { consoleToken: token, recordId }) {
    const path = `/console/api/deliveries?q=${recordId}&limit=1`;
    repeat(target, 30, () => ({ method: "GET", path, token }));
  },
  scans(target, { consoleToken, apiKey, webhookId }) {
    const paths = [
      `/console/api/deliveries/counts?since=${longAgo}`,
      `/console/api/webhooks/${webhookId}/recoveries/preview?since=${longAgo}&statuses=delivered`,
      "/developer/v1/deliveries?error=timeout",
      "/console/api/overview?period=30d",
      "/console/api/requests?path=/v1/none",
    ];
    repeat(target, 300, (count) => {
      const path = paths[count % paths.length] ?? "";
      return { method: "GET", path, token: path.startsWith("/developer") ? apiKey : consoleToken };
    });
  },
  mails: (target, account) => void sendMails(target, account),
  changes(target, { consoleToken: token, webhookId }) {
    const names = Array.from({ length: 10 }, (_, number) => `X-Own-${number}`);
    repeat(target, 16, (count) => ({
      method: "PATCH",
      path: `/console/api/webhooks/${webhookId}`,
      token,
      body: {
        name: `name ${count}`,
        headers: Object.fromEntries(names.map((header) => [header, `${count} `.padEnd(390, "h")])),
      },
    }));
  },
  trigger(target, { apiKey: token, projectId }) {
    const length = 60_000;
    const slow = ["0", " ", "a.", "a@", "-", "9", "/", ":"].map((part) => part.repeat(length / part.length));
    repeat(target, 16, (count) => {
      const text = `${slow[count % slow.length]}!`;
      const field = [{ id: text }, { created_at: text }, { customer: { email: text } }, { currency: text }];
      const data = field[(count >> 3) % field.length];
      return {
        method: "POST",
        path: "/developer/v1/trigger",
        token,
        body: { event: "order.created", project_id: projectId, data },
      };
    });
  },
  traceparent(target, { apiKey: token }) {
    repeat(target, 30, () => ({
      method: "GET",
      path: "/v1/me",
      token,
      headers: {
        traceparent: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`,
        tracestate: "vendor=value,".repeat(200),
        baggage: "name=value;property,".repeat(200),
      },
    }));
  },
  "sign-ins"(target) {
    repeat(target, 60, (count) => {
      const email = count % 2 === 0 ? target.victimEmail : `${randomUUID()}@example.com`;
      const localAddress = `127.0.1.${1 + (count % 20)}`;
      const body = { email, password: `guess ${count}` };
      return { method: "POST", path: "/console/api/session", body, localAddress };
    });
  },
  links(target) {
    const path = "/console/api/session/link";
    repeat(target, 30, () => ({ method: "POST", path, body: { code: `hwl_${randomUUID()}` } }));
  },
  "host-tokens"(target) {
    repeat(target, 30, () => ({ method: "GET", path: "/host/v1/accounts", token: randomUUID() }));
  },
};

function clientOf({ url }: AttackTarget) {
  return createHttpClient(url, { localAddress: "127.0.0.1", keepAlive: true });
}

function hold({ url, connectionsPerSecond }: AttackTarget, kinds: readonly HeldSockets[]): void {
  holdSockets(url, connectionsPerSecond, kinds);
}

function repeat(target: AttackTarget, loops: number, next: (count: number) => HttpRequest): void {
  repeatRequests(clientOf(target), loops, next);
}

function stalledBody(count: number, path: string, { url }: AttackTarget, token?: string): HeldSockets {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    "content-type: application/json",
    `content-length: ${announcedBytes}`,
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n{"email":"`);
  const bytes = Buffer.concat([head, Buffer.alloc(sentBytes - 10, "a")]);
  return { count, bytes, reads: true };
}

function unreadResponses(path: string, target: AttackTarget, token?: string): HeldSockets {
  const bytes = Buffer.from(get(path, target, token).repeat(pipelined));
  return { count: 100, bytes, reads: false };
}

function get(path: string, { url }: AttackTarget, token?: string): string {
  const authorization = token === undefined ? "" : `authorization: Bearer ${token}\r\n`;
  return `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${authorization}\r\n`;
}

const webhooksOfRound = 10;
/** After this many failures in a row, the server warns the owner by mail. */
const failures = 6;
const failuresWithinMs = 5_000;
const refusedPauseMs = 500;

/** Creates webhooks, lets each fail six times, deletes them, and starts again. */
async function sendMails(target: AttackTarget, account: HostileAccount): Promise<never> {
  const { consoleToken: token, apiKey, projectId } = account;
  const send = clientOf(target);

  async function call(request: HttpRequest): Promise<string> {
    const { status, body } = await sendCounted(send, request);
    if (status === undefined || status >= 400) await pause(refusedPauseMs);
    return body;
  }

  for (;;) {
    const expected = received + webhooksOfRound * failures;
    const created: string[] = [];
    for (let number = 0; number < webhooksOfRound; number++) {
      const body = { event: "subscriber.created", target_url: `${endpointOrigin}/${number}` };
      const response = await call({ method: "POST", path: "/console/api/webhooks", token, body });
      const [, id] = /"id":"(wh_\w+)"/u.exec(response) ?? [];
      if (id !== undefined) created.push(id);
    }
    for (let number = 0; number < failures; number++) {
      const body = { project_id: projectId, email: `${randomUUID()}@example.com`, name: "Ada" };
      await call({ method: "POST", path: "/v1/subscribers", token: apiKey, body });
    }
    const giveUpAt = performance.now() + failuresWithinMs;
    while (received < expected && performance.now() < giveUpAt) await pause(50);
    for (const id of created) await call({ method: "DELETE", path: `/console/api/webhooks/${id}`, token });
  }
}

process.once("message", (message) => {
  const target: AttackTarget = JSON.parse(String(message));
  const [account] = target.accounts;
  const attack = Object.entries(attacks).find(([each]) => each === name)?.[1];
  if (attack === undefined || account === undefined) throw new Error(`there is no attack "${name}"`);
  attack(target, account);
  process.send?.(counts);
  process.on("message", () => process.send?.(counts));
});
process.on("disconnect", () => process.exit(0));
process.send?.(endpointOrigin);
