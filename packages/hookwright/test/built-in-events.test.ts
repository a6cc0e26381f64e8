import { sampleDeliveryBody } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { openConsole, openHookwright } from "./support/open-console.ts";
import type { World } from "./support/open-console.ts";

const anything = {
  schema: { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } },
  sample: { id: "par_1" },
  description: "A parcel is sent.",
} as const;
const events = { "parcel.sent": anything };
const order = sampleDeliveryBody("order.created").data;
const switchedOff = {
  code: "unknown_event",
  message: expect.stringMatching(/`order\.created` is switched off/u),
};

const listNames = async ({ ask }: World, path: string) =>
  (await ask(`GET ${path}`)).rows.map((row) => row["event"]);

async function readDocument({ hookwright }: World) {
  return (await hookwright.fetch(new Request("http://localhost/v1/openapi.json"))).json();
}

describe("without the events of the specification", () => {
  it("lists, documents and tests only the host's own", async () => {
    await using world = await openConsole({ builtInEvents: false, events });
    for (const api of ["v1", "console/api", "developer/v1"])
      expect([api, await listNames(world, `/${api}/event-types`)]).toEqual([api, ["parcel.sent"]]);
    expect(world.hookwright.eventTypes.list().map(({ event }) => event)).toEqual(["parcel.sent"]);
    const document = await readDocument(world);
    expect(Object.keys(document.webhooks)).toEqual(["parcel.sent"]);
    const { parameters } = document.paths["/v1/event-types/{type}/samples"].get;
    expect(parameters[0].example).toBe("parcel.sent");
    const { example: asked } = document.paths["/v1/webhooks"].post.requestBody.content["application/json"];
    expect(asked.events).toEqual(["parcel.sent"]);
    expect(document.components.schemas.EventType.properties.event).toMatchObject({
      enum: ["parcel.sent"],
      example: "parcel.sent",
    });
    const example = (target: string) =>
      document.paths[target].get.responses[200].content["application/json"].example.data[0];
    expect(example("/v1/event-types")).toMatchObject({
      event: "parcel.sent",
      sample: { event: "parcel.sent" },
    });
    expect(example("/v1/event-types/{type}/samples")).toMatchObject({ event: "parcel.sent" });
    expect(document.webhooks["parcel.sent"].post.parameters[0]).toMatchObject({ example: "parcel.sent" });
    // The resources stay.
    expect(Object.keys(document.paths)).toContain("/v1/orders");
    const { path } = await world.createWebhook("/all", { event: undefined, events: ["*"] });
    expect((await world.ask(`POST ${path}/test`)).data["error"]).toBeNull();
    expect(world.received[0]?.headers["x-service-event"]).toBe("parcel.sent");
  });

  it("refuses them by name: webhooks, tests, publications, samples, listeners and triggers", async () => {
    await using world = await openConsole({ builtInEvents: false, events });
    const { ask, hookwright, site, origin } = world;
    const target_url = `${origin}/hooks`;
    const { path } = await world.createWebhook("/all", { event: undefined, events: ["*"] });
    for (const [target, body] of [
      ["POST /v1/webhooks", { event: "order.created", target_url }],
      ["POST /v1/webhooks", { events: ["parcel.sent", "order.created"], target_url }],
      [`PATCH ${path}`, { events: ["order.created"] }],
      [`POST ${path}/test`, { event: "order.created" }],
      ["GET /v1/event-types/order.created/samples", undefined],
      ["POST /developer/v1/listeners", { events: ["order.created"] }],
      ["POST /developer/v1/trigger", { event: "order.created" }],
    ] as const)
      expect([target, await ask(target, body)]).toMatchObject([target, { status: 422, ...switchedOff }]);

    const publication = { event: "order.created", project_id: site, data: order } as const;
    await expect(hookwright.publish(publication)).rejects.toMatchObject(switchedOff);
    await expect(hookwright.validateEvent(publication)).rejects.toMatchObject(switchedOff);
    expect(await hookwright.publishMany([publication])).toMatchObject([{ error: switchedOff }]);
    expect(world.received).toEqual([]);
  });

  it("a new subscriber is stored, and nothing is sent", async () => {
    await using world = await openConsole({ builtInEvents: false, events });
    const { ask, site } = world;
    await world.createWebhook("/all", { event: undefined, events: ["*"] });
    const subscriber = { project_id: site, email: "ada@example.com" };
    expect((await ask("POST /v1/subscribers", subscriber)).status).toBe(201);
    expect((await ask("POST /v1/subscribers", { ...subscriber, tags: ["vip"] })).data).toMatchObject({
      tags: ["vip"],
    });
    expect((await ask("GET /console/api/deliveries")).rows).toEqual([]);
    expect((await ask("GET /console/api/ledger")).data["totals"]).toMatchObject({ due: 0 });
  });

  it("webhooks of before stay readable, their deliveries can be sent, and the log names them", async () => {
    const store = memoryStore();
    let delivered: string | undefined;
    {
      await using world = await openConsole({ store, retryDelaysSeconds: [0.05] });
      await world.createWebhook();
      [delivered] = await world.publish("rev_1");
      await world.settled();
      world.answerWith("nothing");
      await world.publish("rev_2");
      await expect.poll(() => world.received.length).toBe(2);
      world.answerWith(500);
    }
    const lines: object[] = [];
    const write = (message: string, fields?: object): void => void lines.push({ message, ...fields });
    const logger = { debug: write, info: write, warn: write, error: write };
    await using world = await openConsole({ store, builtInEvents: ["order.paid"], logger });
    expect(lines).toContainEqual(
      expect.objectContaining({ code: "event_removed", event: "review.submitted", webhooks: 1 }),
    );
    const { ask } = world;
    expect((await ask("GET /v1/webhooks")).rows).toMatchObject([
      { event: "review.submitted", status: "active" },
    ]);
    expect((await ask("GET /console/api/deliveries?event=review.submitted")).rows).toHaveLength(2);
    const resent = await ask(`POST /console/api/deliveries/${delivered}/resend`);
    expect(resent.status).toBe(201);
    const statuses = async () =>
      (await ask("GET /console/api/deliveries")).rows.map(({ cancel_reason }) => cancel_reason);
    expect(await statuses()).toEqual([null, null, null]);
    const job = { filter: { statuses: ["failed"], event: "review.submitted" }, dry_run: true };
    expect((await ask("POST /console/api/resends", job)).status).toBe(200);
  });

  it("their names stay reserved", async () => {
    await using world = await openConsole({ builtInEvents: false, hostToken: "host-token-of-the-test" });
    const put = new Request("http://localhost/host/v1/event-types/order.created", {
      method: "PUT",
      headers: { authorization: "Bearer host-token-of-the-test", "content-type": "application/json" },
      body: JSON.stringify({ description: "Mine.", schema: { type: "object" }, sample: { id: "1" } }),
    });
    expect(await (await world.hookwright.fetch(put)).json()).toMatchObject({
      error: { code: "invalid_state", message: expect.stringContaining("also while it is switched off") },
    });
    await expect(
      openHookwright({ builtInEvents: false, events: { "order.created": anything } }),
    ).rejects.toThrow(
      /events\.order\.created: is an event of the specification\. Its name stays reserved, also/u,
    );
  });

  it("a server without any event says so, and its document is valid", async () => {
    const lines: object[] = [];
    const write = (message: string, fields?: object): void => void lines.push({ message, ...fields });
    const logger = { debug: write, info: write, warn: write, error: write };
    await using world = await openConsole({ builtInEvents: [], logger });
    expect(lines).toContainEqual(expect.objectContaining({ code: "events_missing" }));
    const { webhooks, components } = await readDocument(world);
    expect(webhooks).toEqual({});
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.validateSchema(components.schemas.EventType)).toBe(true);
    expect((await world.ask("GET /v1/event-types")).rows).toEqual([]);
  });

  it.each([{ given: ["order.create"] }, { given: ["*"] }, { given: "off" }, { given: null }, { given: 1 }])(
    "$given is refused at the start",
    async ({ given }) => {
      await expect(openHookwright({ builtInEvents: given } as object)).rejects.toThrow(
        /builtInEvents: must be true, false, or a list of events of the specification/u,
      );
    },
  );
});
