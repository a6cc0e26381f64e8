import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";

async function openCompared() {
  const world = await openConsole({ retryDelaysSeconds: [3_600] });
  await world.createWebhook();
  const [id = ""] = await world.publish("rev_1");
  await world.settled();
  const body = world.received[0]?.body.toString() ?? "";
  const compare = (input: unknown, attempt: number | string = 1) =>
    world.ask(`POST /console/api/deliveries/${id}/attempts/${attempt}/compare`, input);
  return { world, body, compare, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

it("what arrived as it was sent has no difference, as text and in base64", async () => {
  await using opened = await openCompared();
  const { body, compare } = opened;
  const equal = { status: 200, data: { parts: ["body"], problems: [] } };
  expect(await compare({ received: body })).toMatchObject(equal);
  const received = Buffer.from(body).toString("base64");
  expect(await compare({ received, encoding: "base64" })).toMatchObject(equal);
});

it("base64 keeps bytes that a text cannot have", async () => {
  await using opened = await openCompared();
  const { body, compare } = opened;
  const received = Buffer.concat([Buffer.from(body.slice(0, 5)), Buffer.from([0xff])]).toString("base64");
  const { data } = await compare({ received, encoding: "base64" });
  expect(data).toMatchObject({
    difference: { offset: 5, line: 1, column: 6, before: body.slice(0, 5) },
    problems: [{ problem: "body_changed", message: expect.any(String) }],
  });
});

it.each([0, 2, "x", "1.5", "9999999999"])("the attempt %s does not exist", async (attempt) => {
  await using opened = await openCompared();
  expect(await opened.compare({ received: "{}" }, attempt)).toMatchObject({
    status: 404,
    code: "resource_not_found",
  });
});

it("a delivery of another account does not exist", async () => {
  await using opened = await openCompared();
  const path = "/console/api/deliveries/dlv_00000000000000000000000000000000/attempts/1/compare";
  expect(await opened.world.ask(`POST ${path}`, { received: "{}" })).toMatchObject({ status: 404 });
});

it.each([
  [{}, /^received:/u],
  [{ received: "" }, /^received:/u],
  [{ received: "x".repeat(900_001) }, /^received:.*900,?000/u],
  [{ received: "{}", encoding: "hex" }, /^encoding:/u],
])("a wrong input is refused and named", async (input, message) => {
  await using opened = await openCompared();
  expect(await opened.compare(input)).toMatchObject({
    status: 422,
    code: "validation_failed",
    message: expect.stringMatching(message),
  });
});

it("the longest text is compared", async () => {
  await using opened = await openCompared();
  expect(await opened.compare({ received: "x".repeat(900_000) })).toMatchObject({ status: 200 });
});
