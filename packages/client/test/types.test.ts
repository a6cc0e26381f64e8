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

it("lists in a body may be read-only, and what can be left out may be null", async () => {
  const { client, inits } = connect();
  const tags = ["a", "b"] as const;
  await client.subscribers.create({ project_id: "site_1", email: "ada@example.com", tags, list_id: null });
  await client.blogPosts.create({ project_id: "site_1", title: "A title", tags, content: null });
  await client.contacts.save({ project_id: "site_1", email: "ada@example.com", tags });
  // @ts-expect-error what is required may not be null
  await client.contacts.save({ project_id: "site_1", email: null });
  expect(inits).toHaveLength(4);
});

it("a webhook takes the known events, and those of later versions", () => {
  expectTypeOf<EventName>().toExtend<WebhookInputBody["event"]>();
  expectTypeOf<string>().toExtend<WebhookInputBody["event"]>();
  expectTypeOf<null>().toExtend<WebhookInputBody["project_id"]>();
});

it("samples of an event that is known when the program runs are told apart by their event", () => {
  const samples = (event: EventName) => connect().client.eventTypes.samples(event).toArray();
  expectTypeOf<Awaited<ReturnType<typeof samples>>[number]>().toEqualTypeOf<DeliveryBody>();
  const read = (body: DeliveryBody): number | string =>
    body.event === "review.submitted" ? body.data.rating : body.id;
  expectTypeOf<DeliveryBody<"order.paid">["data"]["number"]>().toEqualTypeOf<string>();
  expectTypeOf(read).returns.toEqualTypeOf<number | string>();
});

it("the delivery of one event has a name, so that a program's own declarations can say it", () => {
  const samples = () => connect().client.eventTypes.samples("order.paid").toArray();
  expectTypeOf(samples).returns.resolves.toEqualTypeOf<DeliveryBodyOf<"order.paid">[]>();
});
