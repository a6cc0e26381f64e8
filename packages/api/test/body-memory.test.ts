import type { RequestListener } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { createBodyBudget } from "../src/request/body-budget.ts";
import { createBodyBuffer } from "../src/request/body-buffer.ts";
import { listen, openConnection } from "./support/listen.ts";
import type { RawConnection } from "./support/listen.ts";
import { hostToken, openApi } from "./support/open-api.ts";
import type { TestApi } from "./support/open-api.ts";
import { toNodeListener } from "./support/to-node-listener.ts";

const kibibyte = 2 ** 10;
/** An account may use 1 MiB of this. */
const bodyMemoryBytes = 4 * 2 ** 20;
const webhook = JSON.stringify({ event: "order.created", target_url: "https://example.com/hook" });

/** Sends a request that stops in the middle of its body. */
function stall(
  port: number,
  { path, token, sent, announced }: { path: string; token?: string; sent: number; announced: number },
): RawConnection {
  const connection = openConnection(port);
  connection.send(
    [
      `POST ${path} HTTP/1.1`,
      "Host: localhost",
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
      "Content-Type: application/json",
      `Content-Length: ${announced}`,
      "",
      " ".repeat(sent),
    ].join("\r\n"),
  );
  return connection;
}

describe.each([
  ["Node's handler", (api: TestApi): RequestListener => api.handler],
  ["the fetch function of a framework", (api: TestApi): RequestListener => toNodeListener(api.fetch)],
])("stalled request bodies, with %s", (_, listenerOf) => {
  async function open() {
    const api = await openApi({ bodyMemoryBytes });
    await api.options.service.accounts.put("acc_2", { name: "Other", email: "other@example.com" });
    const { api_key: otherKey } = await api.options.service.apiKeys.create("acc_2", { name: "Other" });
    const server = await listen(listenerOf(api));
    const create = async (token: string, body = webhook): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      return (await fetch(`${server.origin}/v1/webhooks`, { method: "POST", headers, body })).status;
    };
    return { api, server, otherKey, create };
  }

  it("one account uses at most a quarter of the memory, and its longest idle request gets 503", async () => {
    const { api, server, otherKey, create } = await open();
    await using _server = server;
    const stalled: RawConnection[] = [];
    for (let index = 0; index < 6; index += 1) {
      const size = { sent: 250 * kibibyte, announced: 300 * kibibyte };
      stalled.push(stall(server.port, { path: "/v1/webhooks", token: api.apiKey, ...size }));
    }
    // A body of 250 KiB uses 256 KiB of memory, so four of six fit.
    await expect.poll(() => api.log).toHaveLength(2);
    const answers = await Promise.race(
      [0, 1].map(() => Promise.any(stalled.map(({ received }) => received('"internal_error"')))),
    );
    expect(answers).toMatch(/^HTTP\/1\.1 503 /);
    expect(answers).toMatch(/^retry-after: [1-5]\r?$/im);
    expect(answers).toMatch(/^connection: close\r?$/im);
    expect(answers).toMatch(/^x-request-id: req_/im);
    expect(api.log.map(({ fields }) => fields["code"])).toEqual(["body_memory_full", "body_memory_full"]);
    // The same account and other accounts are still served.
    expect(await create(otherKey)).toBe(201);
    expect(await create(api.apiKey)).toBe(201);
    expect(await create(otherKey, `${webhook}${" ".repeat(900 * kibibyte)}`)).toBe(200);
    for (const connection of stalled) connection[Symbol.dispose]();
  });

  it("stalled public requests never block a client that sends its body at once", async () => {
    const { server } = await open();
    await using _server = server;
    const stalled = Array.from({ length: 400 }, () =>
      stall(server.port, { path: "/console/api/session", sent: 4_000, announced: 4_096 }),
    );
    await Promise.any(stalled.map(({ received }) => received("HTTP/1.1 503")));
    for (let round = 0; round < 3; round += 1) {
      const response = await fetch(`${server.origin}/console/api/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "nobody@example.com" }),
      });
      expect(response.status).toBe(422);
    }
    for (const connection of stalled) connection[Symbol.dispose]();
  });

  it("a client that disconnects frees its memory", async () => {
    const { api, server, create } = await open();
    await using _server = server;
    for (let round = 0; round < 12; round += 1) {
      const size = { sent: 500 * kibibyte, announced: 600 * kibibyte };
      const connection = stall(server.port, { path: "/v1/webhooks", token: api.apiKey, ...size });
      await new Promise((resolve) => connection.socket.write("x", resolve));
      connection[Symbol.dispose]();
    }
    await expect.poll(() => create(api.apiKey, webhook.padEnd(1_000_000))).toBeLessThan(300);
  });

  it("the host is not blocked", async () => {
    const { api, server } = await open();
    await using _server = server;
    const size = { sent: 1_000 * kibibyte, announced: 1_010 * kibibyte };
    const stalled = [stall(server.port, { path: "/v1/webhooks", token: api.apiKey, ...size })];
    const response = await fetch(`${server.origin}/host/v1/accounts/acc_2/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
      body: '{"name":"Third"}'.padEnd(3_500 * kibibyte),
    });
    expect(response.status).toBe(201);
    for (const connection of stalled) connection[Symbol.dispose]();
  });
});

describe("the memory for bodies", () => {
  const open = (client: string | undefined, budget = createBodyBudget({ totalBytes: 400 })) => {
    const memory = budget.open(client);
    const interrupt = vi.fn<(error: Error) => void>();
    memory.startReading(interrupt);
    return { memory, interrupt };
  };

  it("a client gets 503 if its complete bodies fill a quarter of the memory", () => {
    const budget = createBodyBudget({ totalBytes: 400 });
    const { memory } = open("one", budget);
    memory.reserve(100);
    memory.progress();
    memory.stopReading();
    expect(() => open("one", budget).memory.reserve(1)).toThrow("memory for request bodies is full");
    memory.release();
    open("one", budget).memory.reserve(100);
  });

  it("clients share three quarters, and if they are full, the largest client loses memory", () => {
    const budget = createBodyBudget({ totalBytes: 400 });
    const clients = ["one", "two", "three", "four"].map((client, index) => {
      const opened = open(client, budget);
      opened.memory.reserve(80 - index);
      opened.memory.progress();
      return opened;
    });
    expect(clients.map(({ interrupt }) => interrupt.mock.calls.length)).toEqual([1, 0, 0, 0]);
    const host = open(undefined, budget).memory;
    host.reserve(150);
    expect(clients.map(({ interrupt }) => interrupt.mock.calls.length)).toEqual([1, 0, 0, 0]);
    host.reserve(250);
    expect(clients.map(({ interrupt }) => interrupt.mock.calls.length)).toEqual([1, 1, 1, 1]);
    expect(() => host.reserve(1)).toThrow("memory for request bodies is full");
  });

  it("the body that has been idle longest loses its memory first", () => {
    const budget = createBodyBudget({ totalBytes: 400 });
    const [first, second, third] = [open("one", budget), open("one", budget), open("one", budget)];
    for (const { memory } of [first, second]) {
      memory.reserve(40);
      memory.progress();
    }
    first.memory.progress();
    third.memory.reserve(40);
    expect([first.interrupt, second.interrupt].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  });
});

describe("the chunks of a body of 256 KiB", () => {
  /** Sends the body, and returns the bytes that its chunks still have after the response. */
  async function keptBytes(path: string, begin: RequestListener = () => {}): Promise<number> {
    const { handler, apiKey } = await openApi();
    const chunks: Uint8Array[] = [];
    await using server = await listen((request, response) => {
      const push = request.push.bind(request);
      request.push = (chunk: unknown) => {
        if (chunk instanceof Uint8Array) chunks.push(chunk);
        return push(chunk);
      };
      begin(request, response);
      handler(request, response);
    });
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const body = webhook.padEnd(256 * kibibyte);
    await (await fetch(server.origin + path, { method: "POST", headers, body })).text();
    expect(chunks).not.toEqual([]);
    return chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  it.each(["/v1/webhooks", "/console/api/session"])(
    "do not wait for the garbage collector, also if the body is refused: %s",
    async (path) => expect(await keptBytes(path)).toBeLessThan(4_096),
  );

  it("stay intact if the program reads them too", async () => {
    let read = 0;
    const kept = await keptBytes("/v1/webhooks", (request) => {
      request.on("data", (chunk: Uint8Array) => void (read += chunk.byteLength));
    });
    expect([kept, read]).toEqual([256 * kibibyte, 256 * kibibyte]);
  });
});

it("a body is stored in its own memory, without the packets that contained it", () => {
  const memory = createBodyBudget({ totalBytes: 2 ** 20 }).open("one");
  const body = createBodyBuffer({ limitBytes: 4_096, memory }, Number.NaN);
  const packet = new Uint8Array(65_536).fill(32);
  for (let at = 0; at < 2_000; at += 1) body.append(packet.subarray(at, at + 1));
  expect(body.bytes().byteLength).toBe(2_000);
  expect(body.bytes().buffer.byteLength).toBe(2_048);
});
