import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { describe, expect, expectTypeOf, it } from "vitest";
import { verify } from "../src/index.ts";
import { verifySync } from "../src/node.ts";
import { verify as verifyLean } from "../src/verify.ts";
import type { HeadersInput } from "../src/read-service-headers.ts";
import { body, headers, now, secret } from "./sample-delivery.ts";

const entries = Object.entries(headers);
const lowerCase = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
const upperCase = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]));
const others = {
  host: "receiver.example",
  "set-cookie": ["a=1", "b=2"],
  "x-request-idx": "15 letters.",
  te: undefined,
};

function* walk(): Generator<[string, string]> {
  yield* Object.entries(headers);
}

async function receive(): Promise<IncomingMessage> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const server = createServer((request, response) => {
    resolve(request);
    response.end();
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  await fetch(`http://127.0.0.1:${address.port}`, { method: "POST", headers, body });
  await new Promise((closed) => {
    server.close(closed);
  });
  return promise;
}

const shapes: Array<[string, () => HeadersInput]> = [
  ["Fetch Headers", () => new Headers(headers)],
  ["a plain object, canonical names", () => headers],
  ["a plain object, lower-case names", () => lowerCase],
  ["a plain object, upper-case names", () => upperCase],
  ["a plain object among other headers", () => ({ ...others, ...lowerCase })],
  ["a plain object without a prototype", () => Object.assign(Object.create(null), lowerCase)],
  ["a plain object of arrays", () => Object.fromEntries(entries.map(([name, value]) => [name, [value]]))],
  ["a plain object, every name in two spellings", () => ({ ...headers, ...lowerCase })],
  ["a plain object, every name in three spellings", () => ({ ...upperCase, ...headers, ...lowerCase })],
  [
    "a plain object, every name in two spellings, one of them with arrays",
    () => ({
      ...headers,
      ...Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value]])),
    }),
  ],
  ["an array of pairs", () => entries],
  [
    "pairs with arrays and gaps",
    () => [["Via", undefined], ...entries.map(([name, value]) => [name, [value]] as const)],
  ],
  ["a Map", () => new Map(entries)],
  ["an iterator that can be walked once", walk],
  ["a flat list", () => entries.flat()],
];

describe.each([
  ["portable", verify],
  ["lean", verifyLean],
  ["node", verifySync],
] as const)("headers, %s entry", (_, verifyEntry) => {
  const verifyWith = async (shape: HeadersInput) =>
    verifyEntry({ body, headers: shape, secrets: secret, now });

  it.each(shapes)("are read from %s", async (_name, create) => {
    expect(await verifyWith(create())).toMatchObject({ id: "subscriber.created_s1" });
  });

  it("are read from all three forms of a received Node request", async () => {
    const request = await receive();
    for (const shape of [request.headers, request.headersDistinct, request.rawHeaders])
      expect(await verifyWith(shape)).toMatchObject({ id: "subscriber.created_s1" });
  });

  it.each([
    ["Fetch Headers", () => new Headers([...entries, ["x-service-timestamp", `${now}`]])],
    [
      "a plain object, two spellings with different values",
      () => ({ ...headers, "x-service-timestamp": `${now + 1}` }),
    ],
    [
      "a plain object, two spellings with the same value in another form",
      () => ({ ...headers, "x-service-timestamp": `0${now}` }),
    ],
    [
      "a plain object, two spellings, each with two values",
      () => ({
        ...headers,
        "X-Service-Timestamp": [`${now}`, `${now}`],
        "x-service-timestamp": `${now},${now}`,
      }),
    ],
    [
      "a plain object, three spellings, the last one repeating the first",
      () => ({
        ...headers,
        "x-service-timestamp": `${now + 1}`,
        "X-SERVICE-TIMESTAMP": `${now}`,
      }),
    ],
    ["a comma-joined value", () => ({ ...headers, "X-Service-Timestamp": `${now}, ${now}` })],
    ["a plain object of arrays", () => ({ ...headers, "X-Service-Timestamp": [`${now}`, `${now}`] })],
    ["a flat list", () => [...entries.flat(), "x-service-timestamp", `${now}`]],
    ["an array of pairs", () => [...entries, ["x-service-timestamp", `${now}`]]],
    ["a Map in two spellings", () => new Map([...entries, ["x-service-timestamp", `${now}`]])],
  ] satisfies Array<[string, () => HeadersInput]>)(
    "refuse a repeated timestamp in %s",
    async (_name, create) => {
      await expect(verifyWith(create())).rejects.toMatchObject({ code: "malformed_header" });
    },
  );

  it.each([
    ["nothing", {}],
    ["an empty list", []],
    ["null", null],
    ["undefined", undefined],
    ["no such name", others],
  ])("are missing in %s", async (_name, shape) => {
    // @ts-expect-error a caller without types may pass null or undefined
    await expect(verifyWith(shape)).rejects.toMatchObject({ code: "missing_header" });
  });

  const without = (missing: string) => Object.fromEntries(entries.filter(([name]) => name !== missing));

  it.each(["X-Service-Timestamp", "X-Service-Signature"])("are rejected without %s", async (name) => {
    await expect(verifyWith(without(name))).rejects.toThrow(`no ${name.toLowerCase()}`);
  });

  it.each(["X-Service-Event", "X-Service-Delivery"])(
    "are accepted without %s, which is not signed",
    async (name) => {
      expect(await verifyWith(without(name))).toMatchObject({ id: "subscriber.created_s1" });
    },
  );
});

it("accepts the type of Fetch `Headers` that is not iterable", () => {
  // As in TypeScript 5 with `lib: ["dom"]` or `lib: ["webworker"]`.
  type Declared = Pick<Headers, "append" | "delete" | "get" | "getSetCookie" | "has" | "set" | "forEach">;
  expectTypeOf<Declared>().toExtend<HeadersInput>();
  expectTypeOf<{ readonly body: string; readonly when: Date }>().not.toExtend<HeadersInput>();
});
