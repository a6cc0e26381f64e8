import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { createHookwright } from "../src/index.ts";
import type { Hookwright } from "../src/index.ts";

const secret = "a test secret of 32 characters!!";
const hostToken = "host-token-of-the-test";
const declared = {
  description: "A parcel is sent.",
  schema: {
    type: "object",
    required: ["id", "weight"],
    properties: { id: { type: "string" }, weight: { type: "number" } },
  },
  sample: { id: "par_1", weight: 2.5 },
};

async function ask(hookwright: Hookwright, route: string, body?: unknown) {
  const [method = "", path = ""] = route.split(" ");
  const response = await hookwright.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const { data, error } = await response.json();
  return { status: response.status, data, error };
}

it("a host declares an event over the host API, and every process knows it within a second", async () => {
  const store = memoryStore();
  await using first = await createHookwright({ store, secret, hostToken, role: "api" });
  await using second = await createHookwright({ store, secret, hostToken, role: "api" });
  await first.accounts.put("acc_1", { email: "owner@example.com" });
  await first.projects.put("site_1", { account_id: "acc_1" });
  const path = "/host/v1/event-types/parcel.sent";

  expect(await ask(first, `PUT ${path}`, declared)).toMatchObject({
    status: 201,
    data: {
      ...declared,
      event: "parcel.sent",
      name: "Parcel sent",
      declared: true,
      record: "parcel.sent",
      sample: { id: "parcel.sent_par_1", data: declared.sample },
    },
  });
  expect((await ask(first, `PUT ${path}`, declared)).status).toBe(200);
  const publish = (hookwright: Hookwright, data: unknown) =>
    ask(hookwright, "POST /host/v1/events", {
      event: "parcel.sent",
      project_id: "site_1",
      id: "evt_1",
      data,
    });
  expect(await publish(first, { id: "par_7", weight: "much" })).toMatchObject({
    status: 422,
    error: { code: "validation_failed", message: expect.stringMatching(/^data\.weight: /u) },
  });
  await expect
    .poll(async () => (await publish(second, declared.sample)).data?.id, { timeout: 1_000 })
    .toBe("parcel.sent_evt_1");
  const openApi = await (await second.fetch(new Request("http://localhost/v1/openapi.json"))).json();
  expect(openApi.webhooks["parcel.sent"]).toBeDefined();
  await using late = await createHookwright({ store, secret, hostToken, role: "api" });
  expect(late.eventTypes.list().at(-1)?.event).toBe("parcel.sent");

  const target_url = "https://example.com/hook";
  const webhook = await ask(first, "POST /host/v1/accounts/acc_1/webhooks", {
    event: "parcel.sent",
    target_url,
  });
  expect(await ask(first, `DELETE ${path}`)).toMatchObject({
    status: 409,
    error: { code: "invalid_state", message: expect.stringMatching(/^1 webhook names parcel\.sent/u) },
  });
  await first.webhooks.remove("acc_1", webhook.data.id);
  expect(await ask(first, `DELETE ${path}`)).toMatchObject({ status: 200, data: { id: "parcel.sent" } });
  expect((await ask(first, `DELETE ${path}`)).error.code).toBe("resource_not_found");
  expect((await publish(first, declared.sample)).error.code).toBe("unknown_event");
});

it("an event of the program or the specification is not declared, and a declared one gives way to the program", async () => {
  const store = memoryStore();
  const lines: unknown[] = [];
  const logger = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (...line: unknown[]) => void lines.push(line),
  };
  await using before = await createHookwright({ store, secret, hostToken, role: "api" });
  expect(await ask(before, "PUT /host/v1/event-types/order.paid", declared)).toMatchObject({
    error: { code: "invalid_state", message: expect.stringContaining("of the specification") },
  });
  expect(await ask(before, "PUT /host/v1/event-types/parcel", declared)).toMatchObject({
    error: { code: "validation_failed", message: expect.stringContaining("2 to 5 parts") },
  });
  expect(
    await ask(before, "PUT /host/v1/event-types/parcel.sent", { ...declared, sample: {} }),
  ).toMatchObject({
    error: { code: "validation_failed", message: expect.stringMatching(/^sample\./u) },
  });
  await ask(before, "PUT /host/v1/event-types/parcel.sent", declared);
  const own = {
    schema: { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } },
    sample: { id: "own" },
    description: "Of the program.",
  } as const;
  await using after = await createHookwright({
    store,
    secret,
    hostToken,
    role: "api",
    logger,
    events: { "parcel.sent": own },
  });
  expect(after.eventTypes.list().at(-1)?.description).toBe("Of the program.");
  expect(JSON.stringify(lines)).toContain("event_type_refused");
});

it.each([{ record: "" }, { record: " " }, { record: null }, { record: [] }])(
  "$record counts as left out",
  async ({ record }) => {
    await using hookwright = await createHookwright({ store: memoryStore(), secret, hostToken, role: "api" });
    expect(
      await ask(hookwright, "PUT /host/v1/event-types/parcel.sent", { ...declared, record }),
    ).toMatchObject({
      status: 201,
      data: { record: "parcel.sent" },
    });
  },
);
