import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verify } from "@hookwright/signature";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { expect, it } from "vitest";
import { readGuide } from "./support/read-guide.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";
import { review } from "./support/review.ts";

const guide = new URL("../guide/automation.md", import.meta.url);

interface Step {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly status: number;
}

/** The requests of the page in order. A block has the request line, perhaps a body, and the expected status. */
const steps: readonly Step[] = readGuide(guide)
  .filter(({ language }) => language === "http")
  .map(({ code }) => {
    const lines = code.trimEnd().split("\n");
    const [method = "", path = ""] = (lines[0] ?? "").split(" ");
    return { method, path, body: lines.length > 2 ? lines[1] : undefined, status: Number(lines.at(-1)) };
  });

it("the requests of the page work in their order, and the deliveries between them arrive", async () => {
  const received: { readonly headers: Record<string, unknown>; readonly body: Buffer }[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(status).end();
  });
  await using receiver = await listenLocally(server);
  const target = `${receiver.origin}/hooks/1`;
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "s".repeat(32),
    privateTargets: true,
  });
  await hookwright.accounts.put("acc_1", { name: "Bakery", email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  await hookwright.emailLists.put("list_1", { project_id: "site_1", name: "News" });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "Zapier", integration: true });
  const values: Record<string, string> = {
    event: "review.submitted",
    project_id: "site_1",
    list_id: "list_1",
    target_url: target,
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/gu, (whole, name: string) => values[name] ?? whole);
  const publish = (id: string) =>
    hookwright.publish({ event: "review.submitted", project_id: "site_1", data: { ...review, id } });
  const ask = async ({ method, path, body }: Omit<Step, "status">) => {
    const response = await hookwright.fetch(
      new Request(`http://localhost${fill(path)}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: fill(body) }),
      }),
    );
    const { data } = JSON.parse(await response.text());
    return { status: response.status, data };
  };

  await publish("rev_0");
  let secret = "";
  for (const step of steps) {
    const answered = await ask(step);
    expect([step.method, step.path, answered.status]).toEqual([step.method, step.path, step.status]);
    if (step.path === "/v1/me") expect(answered.data.name).toBe("Bakery");
    if (step.path === "/v1/event-types")
      expect(answered.data[0]).toMatchObject({
        event: expect.any(String),
        name: expect.any(String),
        sample: {},
      });
    if (step.path === "/v1/projects") expect(answered.data).toMatchObject([{ id: "site_1", name: "Shop" }]);
    if (step.path.startsWith("/v1/email-lists")) expect(answered.data).toMatchObject([{ id: "list_1" }]);
    if (step.path.includes("/samples"))
      expect(answered.data).toMatchObject([{ id: "review.submitted_rev_0", data: { id: "rev_0" } }]);
    if (answered.status === 201 && step.path === "/v1/webhooks") {
      values["webhook_id"] = answered.data.id;
      secret = answered.data.signing_secret;
      const [sample] = (
        await ask({ method: "GET", path: "/v1/event-types/{event}/samples", body: undefined })
      ).data;
      await publish("rev_1");
      await expect.poll(() => received.length).toBe(1);
      const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received;
      const sent = JSON.parse(body.toString());
      expect(Object.keys(sent)).toEqual(Object.keys(sample));
      expect(Object.keys(sent.data)).toEqual(Object.keys(sample.data));
      const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      expect((await verify({ body, headers: named, secrets: secret })).id).toBe("review.submitted_rev_1");
    }
  }
  expect(secret).toMatch(/^whsec_/u);

  // A workflow that was deleted without unsubscribing answers 410.
  const again = await ask({
    method: "POST",
    path: "/v1/webhooks",
    body: '{"event": "{event}", "target_url": "{target_url}"}',
  });
  expect(again.status).toBe(201);
  status = 410;
  await publish("rev_2");
  await expect
    .poll(
      async () =>
        (await ask({ method: "GET", path: `/v1/webhooks/${again.data.id}`, body: undefined })).status,
    )
    .toBe(404);
});

it("the page has the requests that an integration needs", () => {
  expect(steps.map(({ method, path }) => `${method} ${path.split("?")[0]}`)).toEqual([
    "GET /v1/me",
    "GET /v1/event-types",
    "GET /v1/projects",
    "GET /v1/email-lists",
    "GET /v1/event-types/{event}/samples",
    "POST /v1/webhooks",
    "POST /v1/webhooks",
    "DELETE /v1/webhooks/{webhook_id}",
    "DELETE /v1/webhooks/{webhook_id}",
    "POST /v1/contacts",
    "POST /v1/subscribers",
    "POST /v1/blog-posts",
  ]);
});
