import { getRequestListener } from "@hono/node-server";
import { createDuplicateGuard } from "@hookwright/signature/duplicates";
import {
  expressHandler,
  fastifyPlugin,
  fetchHandler,
  h3Handler,
  honoHandler,
  lambdaHandler,
  nextRoute,
  nodeHandler,
} from "@hookwright/signature/handlers";
import type { HandlerOptions, LambdaEvent, SignatureError } from "@hookwright/signature/handlers";
import express from "express";
import Fastify from "fastify";
import { H3 } from "h3";
import { createApp, createRouter, eventHandler, readBody, toNodeListener } from "h3-1";
import { toNodeHandler } from "h3/node";
import { Hono } from "hono";
import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { describe, expect, it } from "vitest";
import { body, deliver, event, secret } from "./support/deliver.ts";
import { postBytes } from "./support/post-bytes.ts";
import { requestAfterBody } from "./support/request-after-body.ts";
import { review } from "./support/review.ts";

interface Receiver extends AsyncDisposable {
  readonly url: string;
  send(request: Request): Promise<Response>;
}

/** A receiver behind a body parser, if `parsed`, and without one otherwise. */
type Open = (options: HandlerOptions, parsed?: boolean) => Promise<Receiver>;

async function listen(server: Server): Promise<Receiver> {
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/webhooks`,
    send: (request) => fetch(request),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Reads the body of a request before the handler gets it, as a careless middleware does. */
async function readFirst(request: Request, parsed: boolean): Promise<Request> {
  if (parsed) await request.text();
  return request;
}

const serveNode = (listener: RequestListener): Promise<Receiver> => listen(createServer(listener));

const withoutServer = (send: (request: Request) => Promise<Response>): Receiver => ({
  url: "http://localhost/webhooks",
  send,
  [Symbol.asyncDispose]: async () => {},
});

const servers: Readonly<Record<string, Open>> = {
  "Node http": (options, parsed = false) => {
    const handle = nodeHandler(options);
    return serveNode(async (request, response) => {
      if (parsed) for await (const chunk of request) expect(chunk).toBeDefined();
      await handle(request, response);
    });
  },
  Express: (options, parsed = false) => {
    const app = express();
    if (parsed) app.use(express.json({ limit: "50mb" }));
    app.all("/webhooks", expressHandler(options));
    return serveNode(app);
  },
  "Express with express.raw()": (options, parsed = false) => {
    const app = express();
    if (parsed) app.use(express.json({ limit: "50mb" }));
    app.all("/webhooks", express.raw({ type: "*/*", limit: "50mb" }), expressHandler(options));
    return serveNode(app);
  },
  Hono: async (options, parsed = false) => {
    const app = new Hono();
    app.use(async ({ req }, next) => {
      if (parsed) await req.raw.text();
      await next();
    });
    app.all("/webhooks", honoHandler(options));
    return serveNode(getRequestListener(app.fetch));
  },
  "h3 2": (options, parsed = false) => {
    const handle = h3Handler(options);
    const app = new H3().all("/webhooks", async (incoming) => {
      if (parsed) await incoming.req.text();
      return handle(incoming);
    });
    return serveNode(toNodeHandler(app));
  },
  "h3 1": (options, parsed = false) => {
    const handle = h3Handler(options);
    const route = eventHandler(async (incoming) => {
      if (parsed) await readBody(incoming);
      return handle(incoming);
    });
    return serveNode(toNodeListener(createApp().use(createRouter().use("/webhooks", route))));
  },
  Fetch: async (options, parsed = false) => {
    const handle = fetchHandler(options);
    return withoutServer(async (request) => handle(await readFirst(request, parsed)));
  },
  Next: async (options, parsed = false) => {
    const { POST } = nextRoute(options);
    return withoutServer(async (request) => POST(await readFirst(request, parsed)));
  },
};

const fastify: Open = async (options) => {
  const app = Fastify();
  await app.register(fastifyPlugin, { ...options, path: "/webhooks" });
  app.post("/other", async ({ body: parsed }) => parsed);
  await app.listen({ port: 0, host: "127.0.0.1" });
  return { ...(await listen(app.server)), [Symbol.asyncDispose]: () => app.close() };
};

interface Sent {
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly method: string;
}

const lambda =
  (toEvent: (sent: Sent) => LambdaEvent): Open =>
  async (options) => {
    const handle = lambdaHandler(options);
    return withoutServer(async (request) => {
      const bytes = Buffer.from(await request.arrayBuffer());
      const sent = { headers: request.headers, bytes, method: request.method };
      const { statusCode, headers, body: text } = await handle(toEvent(sent));
      return new Response(statusCode === 204 ? null : text, { status: statusCode, headers });
    });
  };

const lambdas: Readonly<Record<string, Open>> = {
  "Lambda, base64": lambda(({ headers, bytes, method }) => ({
    body: bytes.toString("base64"),
    isBase64Encoded: true,
    headers: Object.fromEntries(headers),
    requestContext: { http: { method } },
  })),
  "Lambda, text": lambda(({ headers, bytes, method }) => ({
    body: bytes.toString(),
    isBase64Encoded: false,
    headers: Object.fromEntries(headers),
    httpMethod: method,
  })),
  "Lambda behind a load balancer": lambda(({ headers, bytes, method }) => ({
    body: bytes.toString("base64"),
    isBase64Encoded: true,
    multiValueHeaders: Object.fromEntries([...headers].map(([name, value]) => [name, [value]])),
    httpMethod: method,
  })),
};

const all = Object.entries({ ...servers, Fastify: fastify, ...lambdas });

interface Seen {
  readonly events: string[];
  readonly tests: string[];
  readonly refused: string[];
  readonly errors: unknown[];
  readonly options: HandlerOptions;
}

function record(more: Partial<HandlerOptions> = {}): Seen {
  const events: string[] = [];
  const tests: string[] = [];
  const refused: string[] = [];
  const errors: unknown[] = [];
  const options: HandlerOptions = {
    secrets: ["whsec_new", secret],
    onEvent: ({ id }) => void events.push(id),
    onTest: ({ id }) => void tests.push(id),
    onRefused: ({ code, message }: SignatureError) => void refused.push(`${code}: ${message}`),
    onError: (error) => void errors.push(error),
    ...more,
  };
  return { events, tests, refused, errors, options };
}

describe.each(all)("the handler for %s", (_, open) => {
  it("passes signed events and tests on, and refuses everything else", async () => {
    const { options, events, tests, refused, errors } = record();
    await using receiver = await open(options);
    const send = receiver.send;
    const spaced = JSON.stringify({ ...event, data: { ...review, title: "Grüße 🥐" } }, null, 1);
    expect(await deliver(send, receiver.url)).toBe(204);
    expect(await deliver(send, receiver.url, { signed: spaced })).toBe(204);
    expect(await deliver(send, receiver.url, { test: true })).toBe(204);
    expect(await deliver(send, receiver.url, { sent: `${body} ` })).toBe(401);
    expect(await deliver(send, receiver.url, { sent: "" })).toBe(401);
    expect(await deliver(send, receiver.url, { timestamp: 1 })).toBe(401);
    expect(await deliver(send, receiver.url, { signed: "{}" })).toBe(400);
    expect(await deliver(send, receiver.url, { signed: "no JSON" })).toBe(400);
    expect(events).toEqual([event.id, event.id]);
    expect(tests).toEqual([event.id]);
    expect(refused.map((text) => text.split(":")[0])).toEqual([
      "signature_mismatch",
      "signature_mismatch",
      "timestamp_outside_tolerance",
      "invalid_envelope",
      "invalid_json",
    ]);
    expect(errors).toEqual([]);
    expect((await send(new Request(receiver.url))).status).toBeOneOf([404, 405]);
  });

  it("answers 500 if the program fails, so that the sender retries, and keeps the reason", async () => {
    const failure = new Error("the database is away");
    const { options, errors } = record({
      onEvent: async () => {
        throw failure;
      },
    });
    await using receiver = await open(options);
    expect(await deliver(receiver.send, receiver.url)).toBe(500);
    expect(errors).toEqual([failure]);
  });

  it("refuses a body over the limit with 413, and accepts one of exactly the limit", async () => {
    const { options, events } = record({ maximumBodyBytes: Buffer.byteLength(body) });
    await using receiver = await open(options);
    expect(await deliver(receiver.send, receiver.url, { sent: `${body} ` })).toBe(413);
    expect(await deliver(receiver.send, receiver.url)).toBe(204);
    expect(events).toEqual([event.id]);
  });

  it("handles an event once with a duplicate guard, and answers 409 while it is handled", async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let handled = 0;
    const { options } = record({
      guard: createDuplicateGuard(),
      onEvent: async () => {
        handled += 1;
        begin();
        await ended;
      },
    });
    await using receiver = await open(options);
    const first = deliver(receiver.send, receiver.url);
    await begun;
    expect(await deliver(receiver.send, receiver.url)).toBe(409);
    end();
    expect(await first).toBe(204);
    expect(await deliver(receiver.send, receiver.url)).toBe(204);
    expect(handled).toBe(1);
  });

  it("reads the secret for each delivery, and answers 500 if there is none", async () => {
    let current = "";
    const { options, refused } = record({ secrets: () => current });
    await using receiver = await open(options);
    expect(await deliver(receiver.send, receiver.url)).toBe(500);
    expect(refused).toEqual([expect.stringContaining("no_secret: secret is empty or missing")]);
    current = secret;
    expect(await deliver(receiver.send, receiver.url)).toBe(204);
  });
});

it.each(Object.entries(servers))(
  "%s: a body that was read before is an error that says so",
  async (_, open) => {
    const { options, refused, events } = record();
    await using receiver = await open(options, true);
    expect(await deliver(receiver.send, receiver.url)).toBe(500);
    expect(refused).toEqual([
      expect.stringMatching(/^body_not_raw: the body was read before the handler: /u),
    ]);
    expect(events).toEqual([]);
  },
);

it("Express: the raw body that express.json() keeps is enough", async () => {
  const { options, events } = record();
  const app = express().use(
    express.json({ verify: (request, _response, rawBody) => Object.assign(request, { rawBody }) }),
  );
  app.post("/webhooks", expressHandler(options));
  await using receiver = await serveNode(app);
  expect(await deliver(receiver.send, receiver.url)).toBe(204);
  expect(events).toEqual([event.id]);
});

it("Fastify: other routes of the app still get parsed bodies", async () => {
  await using receiver = await fastify(record().options);
  const response = await fetch(receiver.url.replace("webhooks", "other"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{ "a": 1 }',
  });
  expect(await response.json()).toEqual({ a: 1 });
});

it.each(["Node http", "Express", "h3 1"])(
  "%s: an endless body takes no memory, and the connection serves on",
  async (name) => {
    await using receiver = await (servers[name] ?? expect.fail())(record().options);
    expect(await postBytes(receiver.url, 2 ** 23 + 1)).toBe(413);
    expect(await requestAfterBody(receiver.url, 2 ** 25)).toBeOneOf([404, 405]);
  },
);
