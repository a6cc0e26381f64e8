import { randomUUID } from "node:crypto";
import { createHttpClient } from "./http-client.ts";
import type { HttpRequest } from "./http-client.ts";
import { holdSockets } from "./hold-sockets.ts";
import type { HeldSockets } from "./hold-sockets.ts";
import { openHostileEndpoint } from "./hostile-endpoint.ts";
import type { HostileEndpoint } from "./hostile-endpoint.ts";
import type { AttackTarget } from "./open-attacker.ts";
import type { AttackName } from "./options.ts";
import { repeatRequests } from "./repeat-requests.ts";
import { sendMails } from "./send-mails.ts";
import { createTally } from "./tally.ts";

/**
 * Runs one attack in a separate process, so that it does not slow down the measurements. Its first message is the
 * address of its endpoint. The parent's first message is the target, which starts the attack. Each later message asks
 * for the counts.
 */
const announcedBytes = 1_048_576;
const sentBytes = 1_048_476;
const pipelined = 1_400;

const tally = createTally();
const kind = process.argv[2] === "mails" ? "failing" : "large";
const endpoint = await openHostileEndpoint(kind);

const attacks: Readonly<Record<AttackName, (target: AttackTarget, endpoint: HostileEndpoint) => void>> = {
  bodies: (target) =>
    hold(target, [
      stalledBody("public", 600, "/console/api/session", target),
      stalledBody("with key", 100, "/v1/contacts", target, target.apiKey),
    ]),
  pipeline: (target) =>
    hold(target, [
      unreadResponses("openapi", "/v1/openapi.json", target),
      unreadResponses("orders", "/v1/orders?limit=100", target, target.apiKey),
    ]),
  silent: (target) => hold(target, [{ name: "silent", count: 1_500, bytes: Buffer.alloc(0), reads: true }]),
  resends(target) {
    const { consoleToken: token, deliveryId, webhookId } = target;
    const resend = { method: "POST", path: `/console/api/deliveries/${deliveryId}/resend`, token };
    const test = { method: "POST", path: `/console/api/webhooks/${webhookId}/test`, token };
    repeat(target, 24, () => resend);
    repeat(target, 8, () => test);
  },
  search({ consoleToken: token, recordId, ...target }) {
    const path = `/console/api/deliveries?q=${recordId}&limit=1`;
    repeat(target, 30, () => ({ method: "GET", path, token }));
  },
  mails({ consoleToken, apiKey, projectId, url }, endpoint) {
    void sendMails({ send: clientOf(url), endpoint, consoleToken, apiKey, projectId, tally });
  },
  "sign-ins"(target) {
    let attempts = 0;
    repeat(target, 60, () => {
      const email = ++attempts % 2 === 0 ? target.victimEmail : `${randomUUID()}@example.com`;
      const body = { email, password: `guess ${attempts}` };
      return { method: "POST", path: "/console/api/session", body };
    });
  },
};

function clientOf(url: string) {
  return createHttpClient(url, { localAddress: "127.0.0.1", keepAlive: true });
}

function hold({ url, connectionsPerSecond }: AttackTarget, kinds: readonly HeldSockets[]): void {
  holdSockets({ url, connectionsPerSecond, kinds, tally });
}

function repeat({ url }: Pick<AttackTarget, "url">, loops: number, next: () => HttpRequest): void {
  repeatRequests({ send: clientOf(url), loops, next, tally });
}

function stalledBody(
  name: string,
  count: number,
  path: string,
  { url }: AttackTarget,
  token?: string,
): HeldSockets {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    "content-type: application/json",
    `content-length: ${announcedBytes}`,
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n{"email":"`);
  return { name, count, bytes: Buffer.concat([head, Buffer.alloc(sentBytes - 10, "a")]), reads: true };
}

function unreadResponses(name: string, path: string, { url }: AttackTarget, token?: string): HeldSockets {
  const authorization = token === undefined ? "" : `authorization: Bearer ${token}\r\n`;
  const request = `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${authorization}\r\n`;
  return { name, count: 100, bytes: Buffer.from(request.repeat(pipelined)), reads: false };
}

process.once("message", (target: AttackTarget & { readonly attack: AttackName }) => {
  attacks[target.attack](target, endpoint);
  process.on("message", () => process.send?.(tally.counts()));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ origin: endpoint.origin });
