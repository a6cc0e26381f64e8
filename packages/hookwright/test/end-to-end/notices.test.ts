import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { verifySync } from "@hookwright/signature/node";
import { partitions } from "@hookwright/storage";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHookwright } from "../../src/index.ts";
import type { Mail, Notice } from "../../src/index.ts";
import { listenLocally } from "../support/listen-locally.ts";
import { openConsole } from "./support/open-console.ts";
import { openWorld } from "./support/open-world.ts";
import type { World } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { storages } from "./support/storages.ts";

interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Where the operator gets notices. It answers with the statuses in turn, then with 204. */
async function openOperator(...statuses: number[]) {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    arrived.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 204).end();
  });
  const local = await listenLocally(server);
  onTestFinished(() => local[Symbol.asyncDispose]());
  return { url: `${local.origin}/notices`, arrived };
}

/** Removes a webhook: its endpoint answers 410. */
async function loseWebhook(world: World, id: string): Promise<void> {
  world.receiver.answerWith(410);
  await world.publishEvent("order.created", order(id));
  await expect.poll(async () => (await world.ask("GET /v1/webhooks")).rows).toEqual([]);
}

/** The tables with rows that name a text. */
async function rowsAbout({ store }: World, name: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const partition of partitions)
    for (const { key, value } of await store.list({ prefix: [partition], limit: 10_000 }))
      if (JSON.stringify([key, value]).includes(name)) found.push(key[1]);
  return found.toSorted();
}

const kinds = ["webhook.removed", "webhook.failing"];

describe.each(storages)("on $name, the operator", (storage) => {
  it("gets a signed notice, which is retried, and nobody else sees its webhook", async () => {
    await using world = await openWorld(storage);
    const { host } = world;
    const { url, arrived } = await openOperator(500);
    const put = await host("PUT /host/v1/notice-endpoint", { url, kinds: ["webhook.removed"] });
    expect([put.status, put.data]).toEqual([
      201,
      { url, kinds: ["webhook.removed"], signing_secret: expect.stringMatching(/^whsec_/u) },
    ]);
    const secret = put.data.signing_secret;
    expect((await host("PUT /host/v1/notice-endpoint", { url, kinds })).data).toEqual({ url, kinds });
    expect((await host("GET /host/v1/notice-endpoint")).data).toEqual({ url, kinds, status: "active" });
    const { id } = await world.subscribe("order.created");
    await loseWebhook(world, "ord_1");
    await expect.poll(() => arrived.length).toBe(2);
    const [first, second] = arrived;
    expect(second?.headers["x-service-delivery"]).toBe(first?.headers["x-service-delivery"]);
    if (second === undefined) throw new Error("nothing has arrived");
    expect(verifySync({ ...second, secrets: [secret] })).toMatchObject({
      event: "webhook.removed",
      data: { kind: "webhook.removed", account_id: "acc_1", webhook: { id } },
    });
    const row = {
      kind: "webhook.removed",
      account_id: "acc_1",
      delivery_id: first?.headers["x-service-delivery"],
      target_url: url,
      status: "delivered",
      attempts_made: 2,
      last_status: 204,
      next_attempt_at: null,
    };
    await expect.poll(async () => (await host("GET /host/v1/notices")).rows).toMatchObject([row]);
    expect((await host("GET /host/v1/webhooks")).rows).toEqual([]);
    expect((await host("GET /host/v1/stats")).data).toMatchObject({ webhooks: { active: 0 } });
  });

  it("sees that its URL answered 410, and gets a new secret when it sets it again", async () => {
    const codes: unknown[] = [];
    const warn = (_: string, fields?: object): void => void codes.push(Reflect.get(fields ?? {}, "code"));
    await using world = await openWorld(storage, { logger: { info() {}, warn, error: console.error } });
    const { host } = world;
    const { url } = await openOperator(410);
    await host("PUT /host/v1/notice-endpoint", { url });
    await host("PUT /host/v1/notice-endpoint", { url });
    await world.subscribe("order.created");
    await loseWebhook(world, "ord_1");
    const shown = async () => (await host("GET /host/v1/notice-endpoint")).data;
    await expect.poll(shown).toMatchObject({ status: "removed" });
    await expect.poll(() => codes).toContain("notice_endpoint_removed");
    const anew = await host("PUT /host/v1/notice-endpoint", { url });
    expect([anew.status, anew.data.signing_secret]).toEqual([201, expect.stringMatching(/^whsec_/u)]);
    expect(await shown()).toMatchObject({ status: "active" });
    const { rows } = await host("GET /host/v1/audit?limit=100");
    const actions = JSON.stringify(rows).match(/notice_endpoint\.\w+/gu);
    // The PUT that changed nothing has no entry.
    expect(actions).toEqual(["notice_endpoint.created", "notice_endpoint.created"]);
  });

  it("has one URL and one secret, although two programs set one at the same time", async () => {
    await using world = await openWorld(storage);
    const { host } = world;
    const urls = ["https://example.com/a", "https://example.com/b", "https://example.com/c"];
    const put = await Promise.all(urls.map((url) => host("PUT /host/v1/notice-endpoint", { url })));
    expect(put.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    await host("DELETE /host/v1/notice-endpoint");
    expect(await rowsAbout(world, "signing-secret")).toEqual([]);
  });

  it("refuses a wrong URL and wrong kinds, and ends it", async () => {
    await using world = await openWorld(storage);
    const { host } = world;
    const url = "https://example.com/notices";
    const codeOf = async (target: string, json?: unknown) => (await host(target, json)).error?.code;
    expect(await codeOf("PUT /host/v1/notice-endpoint", { url: "ftp://example.com" })).toBe(
      "invalid_target_url",
    );
    expect(await codeOf("PUT /host/v1/notice-endpoint", { url, kinds: ["webhook.lost"] })).toBe(
      "validation_failed",
    );
    expect(await codeOf("GET /host/v1/notice-endpoint")).toBe("resource_not_found");
    await host("PUT /host/v1/notice-endpoint", { url });
    expect((await host("DELETE /host/v1/notice-endpoint")).data).toEqual({ url, deleted: true });
    expect(await codeOf("GET /host/v1/notice-endpoint")).toBe("resource_not_found");
    const anew = await host("PUT /host/v1/notice-endpoint", { url });
    expect(anew.data.signing_secret).toMatch(/^whsec_/u);
  });

  it("and its program get a notice once, although two processes share the store, with the names and the form of the server", async () => {
    const got: Notice[] = [];
    const onNotice = (notice: Notice): void => void got.push(notice);
    const wire = { headerPrefix: "X-Acme", bodyForm: "standard" } as const;
    await using world = await openWorld(storage, { onNotice, ...wire });
    const { url, arrived } = await openOperator();
    await using _second = await createHookwright({
      store: world.store,
      secret: "a secret of thirty-two characters",
      privateTargets: true,
      onNotice,
      ...wire,
    });
    await world.host("PUT /host/v1/notice-endpoint", { url });
    for (const path of ["/a", "/b", "/c"]) await world.subscribe("order.created", path);
    await loseWebhook(world, "ord_1");
    await expect.poll(() => [got.length, arrived.length]).toEqual([3, 3]);
    const ids = arrived.map(({ headers }) => headers["x-acme-delivery"]);
    expect([new Set(ids).size, new Set(got.map(({ id }) => id)).size]).toEqual([3, 3]);
    for (const { body } of arrived) expect(JSON.parse(body)).toMatchObject({ type: "webhook.removed" });
  });

  it("keeps nothing about an account that is deleted", async () => {
    await using world = await openWorld(storage);
    const { host } = world;
    const { url, arrived } = await openOperator();
    await host("PUT /host/v1/notice-endpoint", { url });
    await world.subscribe("order.created");
    await loseWebhook(world, "ord_1");
    await expect.poll(() => arrived.length).toBe(1);
    await expect
      .poll(async () => (await host("GET /host/v1/notices")).rows)
      .toMatchObject([{ status: "delivered" }]);
    expect((await host("DELETE /host/v1/accounts/acc_1")).status).toBe(200);
    expect((await host("GET /host/v1/notices")).rows).toEqual([]);
    expect(await rowsAbout(world, "acc_1")).toEqual(["audit-after-account", "audit-log"]);
  });
});

describe.each(storages)("on $name, an account", (storage) => {
  it("chooses who is told, by mail, with a signed POST and in a chat, and a link ends the mails", async () => {
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail): Promise<void> => void mails.push(mail) };
    const publicUrl = "https://hooks.example.com";
    await using world = await openConsole(storage, { mailer, publicUrl });
    const path = "/console/api/notice-targets";
    const listed = async () => (await world.console(`GET ${path}`)).rows;
    expect(await listed()).toMatchObject([{ id: "account", type: "email", to: "one@example.com" }]);
    const [post, chat] = [await openOperator(), await openOperator()];
    const add = (input: object) => world.console(`POST ${path}`, { kinds: ["webhook.removed"], ...input });
    const mailed = await add({ type: "email", to: "Ops@Example.com" });
    const unconfirmed = { type: "email", to: "ops@example.com", status: "unconfirmed" };
    expect([mailed.status, mailed.data]).toMatchObject([201, unconfirmed]);
    const [, confirmation = ""] = /#\/confirm\/(\S+)/u.exec(mails.pop()?.text ?? "") ?? [];
    const confirm = `/console/api/notice-confirmations/${confirmation}`;
    const shown = { account_name: "One", to: "ops@example.com" };
    for (const method of ["GET", "POST"])
      expect((await world.ask(`${method} ${confirm}`, { token: null })).data).toEqual(shown);
    expect((await world.ask(`GET ${confirm}x`, { token: null })).status).toBe(404);
    const { signing_secret: secret } = (await add({ type: "webhook", to: post.url })).data;
    expect((await add({ type: "chat", to: chat.url })).data).not.toHaveProperty("signing_secret");
    expect((await add({ type: "chat", to: chat.url })).error?.code).toBe("invalid_state");
    expect((await add({ type: "chat", to: "ftp://example.com" })).error?.code).toBe("invalid_target_url");
    expect((await add({ type: "email", to: "nobody" })).error?.code).toBe("validation_failed");

    await loseWebhook(world, "ord_1");
    const counts = () => [mails.length, post.arrived.length, chat.arrived.length];
    await expect.poll(counts).toEqual([2, 1, 1]);
    const gone = await openOperator(410);
    const { id: goneId } = (await add({ type: "chat", to: gone.url })).data;
    await world.console(`POST ${path}/${goneId}/test`);
    const goneOne = async () => (await listed()).find(({ id }) => id === goneId);
    await expect.poll(goneOne).toMatchObject({ status: "removed" });
    expect((await world.console(`POST ${path}/${goneId}/test`)).error?.code).toBe("invalid_state");
    await world.console(`DELETE ${path}/${goneId}`);
    for (const { headers, body } of post.arrived)
      expect(verifySync({ headers, body, secrets: [secret] })).toMatchObject({ event: "webhook.removed" });
    expect(JSON.parse(chat.arrived[0]?.body ?? "")).toEqual({
      text: expect.stringMatching(/with 410.*\n\nhttps:\/\/hooks\.example\.com\/console#\/webhooks$/u),
    });

    const mail = mails.find(({ to }) => to === "ops@example.com");
    const [, token = ""] =
      /https:\/\/hooks\.example\.com\/console#\/stop\/(\S+)/u.exec(mail?.text ?? "") ?? [];
    const stop = `/console/api/notice-stops/${token}`;
    expect((await world.ask(`GET ${stop}`, { token: null })).data).toEqual(shown);
    // A scanner that follows the link stops nothing.
    expect(await listed()).toHaveLength(4);
    expect((await world.ask(`POST ${stop}`, { token: null })).data).toEqual(shown);
    expect((await listed()).map(({ id }) => id)).not.toContain(mailed.data.id);
    expect((await world.ask(`POST ${stop}`, { token: null })).status).toBe(404);
    expect((await world.ask(`GET ${stop}x`, { token: null })).status).toBe(404);

    const [account] = await listed();
    const changed = await world.console(`PATCH ${path}/${account?.id}`, { kinds: ["webhook.recovered"] });
    expect(changed.data).toMatchObject({ id: "account", kinds: ["webhook.recovered"] });
    expect((await world.console(`POST ${path}/account/test`)).data).toEqual({ id: "account", sent: true });
    await expect.poll(() => mails.at(-1)?.text).toContain("This is a test.");
    for (let number = (await listed()).length; number < 20; number++)
      await add({ type: "chat", to: `https://example.com/${number}` });
    expect((await add({ type: "chat", to: "https://example.com/21" })).error?.code).toBe("invalid_state");
    expect((await world.console(`DELETE ${path}/account`)).data).toEqual({ id: "account", deleted: true });
    expect((await world.console(`DELETE ${path}/account`)).status).toBe(404);

    expect((await world.host("DELETE /host/v1/accounts/acc_1")).status).toBe(200);
    expect(await rowsAbout(world, "acc_1")).toEqual(["audit-after-account", "audit-log"]);
  });
});
