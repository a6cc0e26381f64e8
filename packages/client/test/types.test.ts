import { expect, expectTypeOf, it } from "vitest";
import { createClient } from "../src/index.ts";
import type { Contact, DeliveryBody, DeliveryBodyOf, EventName, WebhookInputBody } from "../src/index.ts";
import { openWorld } from "./support/open-world.ts";
import { scriptedFetch, success } from "./support/scripted-fetch.ts";

const connect = () => {
  const { fetch, inits } = scriptedFetch(success({ id: "an_id" }, 200));
  return { client: createClient({ baseUrl: "https://example.com", apiKey: "hwk_1", fetch }), inits };
};

it("a contact that was read can be saved again", async () => {
  await using world = await openWorld();
  const { contacts } = world.client;
  const { contact } = await contacts.save({
    project_id: "site_1",
    email: "ada@example.com",
    name: null,
    notes: undefined,
    tags: ["vip"],
  });
  expectTypeOf(contact).toEqualTypeOf<Contact>();
  const again = await contacts.save(contact);
  expect(again).toMatchObject({ created: false, contact: { id: contact.id, name: null, tags: ["vip"] } });
});

it("arrays in a body may be read-only, and optional fields may be null", async () => {
  const { client, inits } = connect();
  const tags = ["a", "b"] as const;
  await client.subscribers.create({ project_id: "site_1", email: "ada@example.com", tags, list_id: null });
  await client.blogPosts.create({ project_id: "site_1", title: "A title", tags, content: null });
  await client.contacts.save({ project_id: "site_1", email: "ada@example.com", tags });
  // @ts-expect-error a required field must not be null
  await client.contacts.save({ project_id: "site_1", email: null });
  expect(inits).toHaveLength(4);
});

it("a webhook accepts known events and events of later versions", () => {
  expectTypeOf<EventName>().toExtend<WebhookInputBody["event"]>();
  expectTypeOf<string>().toExtend<WebhookInputBody["event"]>();
  expectTypeOf<null>().toExtend<WebhookInputBody["project_id"]>();
});

it("samples of an event that is known only at run time are narrowed by their event", () => {
  const samples = (event: EventName) => connect().client.eventTypes.samples(event).toArray();
  expectTypeOf<Awaited<ReturnType<typeof samples>>[number]>().toEqualTypeOf<DeliveryBody>();
  const read = (body: DeliveryBody): number | string =>
    body.event === "review.submitted" ? body.data.rating : body.id;
  expectTypeOf<DeliveryBody<"order.paid">["data"]["number"]>().toEqualTypeOf<string>();
  expectTypeOf(read).returns.toEqualTypeOf<number | string>();
});

it("the delivery type of one event can be named in a program's declarations", () => {
  const samples = () => connect().client.eventTypes.samples("order.paid").toArray();
  expectTypeOf(samples).returns.resolves.toEqualTypeOf<DeliveryBodyOf<"order.paid">[]>();
});
