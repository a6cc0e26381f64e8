import type { Script } from "./script.ts";

const deep = (levels: number): string => `${`{"a":`.repeat(levels)}1${"}".repeat(levels)}`;
const wide = (fields: number): string =>
  Array.from({ length: fields }, (_, index) => `"field${index}":1`).join(",");
const json = { "content-type": "application/json" };

export const badRequests: Script = async (_, ask) => {
  for (const [headers, body] of [
    [json, ""],
    [json, "  "],
    [json, "{"],
    [json, "[]"],
    [json, "null"],
    [json, `"text"`],
    [json, `{"__proto__":{}}`],
    [json, `{"a":[{"__proto__":1}]}`],
    [json, deep(64)],
    [json, deep(65)],
    [json, `{${wide(1_000)}}`],
    [json, `{${wide(1_001)}}`],
    [json, `{"a":[{${wide(1_001)}}]}`],
    [json, `{"a":[${"1,".repeat(1_001)}1]}`],
    [json, `{"__proto__":{},${wide(1_001)}}`],
    [json, `{"a":${deep(65)},"__proto__":{}}`],
    [json, `{"a":${deep(65)},"b":{"__proto__":{}}}`],
    [json, new Uint8Array([0xff, 0xfe])],
    [json, `{"a":"${"x".repeat(2 ** 20)}"}`],
    [{ "content-type": "text/plain" }, "{}"],
    [{ "content-type": "application/json; charset=latin1" }, "{}"],
    [{ "content-type": "APPLICATION/JSON" }, "{}"],
    [{ ...json, "content-encoding": "gzip" }, "{}"],
    [{ ...json, "content-encoding": "identity" }, "{}"],
    [{ "content-type": "" }, new Uint8Array([123, 125])],
    [{ "content-type": "" }, ""],
    [{ "content-type": "text/plain" }, ""],
  ] as const)
    await ask("POST /v1/contacts", { headers, body });
  await ask("POST /v1/contacts");
  await ask("DELETE /v1/webhooks/none", { headers: json, body: "{" });
  for (const query of [
    "limit=0",
    "limit=101",
    "limit=100",
    "limit=1.5",
    "limit=01",
    "limit=+1",
    "limit=",
    "limit=%20",
    "limit=1&limit=1",
    "a=1&a=2&b=1&b=2",
    "unknown=1",
    "cursor=",
    "cursor=nonsense",
    `a=${"x".repeat(17_000)}`,
  ])
    await ask(`GET /v1/orders?${query}`);
  await ask("GET /v1/event-types?limit=0");
  await ask("GET /v1/event-types?a=1&a=2");
  await ask("GET /v1/event-types/order.paid/samples?limit=11");
  await ask("GET /v1/event-types/order.paid/samples?limit=10&cursor=nonsense");
  await ask("GET /v1/event-types/nothing.happened/samples?limit=11");
  await ask("GET /v1/event-types/nothing.happened/samples?project_id=none");
  await ask("GET /v1/event-types/order.paid/samples?project_id=none");
  await ask("GET /v1/me?a=1&a=2");
};
