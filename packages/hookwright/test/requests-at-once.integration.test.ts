// Every route that reads many rows gets hundreds of requests at once.
// @module-tag long

import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { selectRoutes } from "../../api/src/routes/select-routes.ts";
import type { Figures, Ready } from "./support/crowded-server.ts";
import { hostToken, inOrder, lastOnes, nameOf, toRequests } from "./support/walk-routes.ts";
import type { WalkedRequest } from "./support/walk-routes.ts";

const rows = 10_000;
const atOnce = 300;
/** The seeded rows take 95 MB. The process ends if the requests need 55 MB more. */
const heapMegabytes = 150;
/** After this time the clients leave, so that the test ends, but not before one of them was served. */
const patienceMs = 150;

async function startServer() {
  const program = fileURLToPath(new URL("support/crowded-server.ts", import.meta.url));
  const child = fork(program, [hostToken, String(rows)], {
    execArgv: [
      `--max-old-space-size=${heapMegabytes}`,
      // The young generation of a busy standalone server has this size.
      "--max-semi-space-size=4",
      // The store is in the heap. V8 would let garbage grow in proportion to its rows, whatever the requests hold.
      "--expose-gc",
    ],
  });
  const exited = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the server ended: ${code ?? signal}`);
  });
  exited.catch(() => {});
  const next = async () => (await Promise.race([once(child, "message"), exited]))[0];
  const ready: Ready = await next();
  return {
    ready,
    exited,
    begin: () => child.send("begin"),
    async figures(): Promise<Figures> {
      child.send("figures");
      return next();
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited.catch(() => {});
    },
  };
}

interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** Sends a request. Undefined: the client left before the response. */
async function send(
  options: { readonly port: number; readonly agent: Agent; readonly signal: AbortSignal },
  { method, path, headers, body }: WalkedRequest,
): Promise<Answer | undefined> {
  try {
    const sent = request({ ...options, method, path, headers }).end(body);
    const [response]: readonly IncomingMessage[] = await once(sent, "response");
    if (response === undefined) return undefined;
    const { statusCode: status, headers: answered } = response;
    const retryAfter = answered["retry-after"];
    if (answered["content-type"] !== "text/event-stream")
      return { status, retryAfter, body: await text(response) };
    // A stream has no end.
    response.destroy();
    return { status, retryAfter, body: "" };
  } catch {
    return undefined;
  }
}

// `reads-of-routes.test.ts` proves that the other routes read few rows.
it("300 requests of one account at once, to any route that reads many rows, neither delay another account nor fill the memory", async () => {
  await using server = await startServer();
  const { port, filled } = server.ready;
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  onTestFinished(() => agent.destroy());
  // The operator's export reads the log of all accounts, so 300 of them take as long as all other routes together.
  const routes = selectRoutes({ hostToken }).filter(
    (route) => route.reads !== "few" && nameOf(route) !== "GET /host/v1/audit/export",
  );
  expect(routes.filter(({ reads }) => reads === "scan").length).toBeGreaterThan(20);
  // The first request of a route compiles its code.
  for (const route of inOrder(routes).filter(({ method }) => method === "GET"))
    for (const next of toRequests(route, filled))
      await send({ port, agent, signal: AbortSignal.timeout(patienceMs) }, next);
  server.begin();
  for (const route of inOrder(routes)) {
    const requests = toRequests(route, filled);
    const leaving = new AbortController();
    const served = Promise.withResolvers<void>();
    const options = { port, agent, signal: leaving.signal };
    const sent = Array.from({ length: atOnce }, async (_, index) => {
      const next = requests[index % requests.length];
      const answer = next && (await send(options, next));
      if (answer !== undefined && answer.status !== 429) served.resolve();
      return answer;
    });
    const patience = Promise.all([delay(patienceMs), served.promise]);
    await Promise.race([Promise.all(sent), patience, server.exited]);
    leaving.abort();
    const answers = (await Promise.all(sent)).filter((answer) => answer !== undefined);
    const refused = answers.filter(({ status }) => status === 429);
    expect([nameOf(route), answers.length > refused.length]).toEqual([nameOf(route), true]);
    expect(answers.filter(({ status = 0 }) => status >= 500)).toEqual([]);
    if (!lastOnes.includes(nameOf(route))) expect(answers.filter(({ status }) => status === 401)).toEqual([]);
    for (const { body, retryAfter } of refused) {
      expect(JSON.parse(body).error.code).toBe("rate_limited");
      expect(Number(retryAfter)).toBeGreaterThan(0);
    }
  }
  const { p99Ms, p99ProcessorMs, grownBytes } = await server.figures();
  console.info(
    `p99 ${p99Ms.toFixed(0)} ms, ${p99ProcessorMs.toFixed(0)} ms of processor time, memory + ${(grownBytes / 1e6).toFixed(0)} MB`,
  );
  expect(p99ProcessorMs).toBeLessThan(250);
  expect(grownBytes).toBeLessThan(60_000_000);
}, 120_000);
