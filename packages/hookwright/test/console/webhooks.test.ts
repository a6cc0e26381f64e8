import { verifySync } from "@hookwright/signature/node";
import { describe, expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";

describe("a webhook in the console", () => {
  it("is created, shown with its creator, listed and deleted", async () => {
    await using world = await openConsole();
    const { id, secret } = await world.createWebhook();
    const shown = await world.ask(`GET /console/api/webhooks/${id}`);
    expect([shown.status, shown.data]).toEqual([
      200,
      {
        id,
        event: "review.submitted",
        events: ["review.submitted"],
        target_url: `${world.origin}/hooks`,
        project_id: null,
        status: "active",
        consecutive_failures: 0,
        last_success_at: null,
        last_failure_at: null,
        created_at: expect.any(String),
        name: null,
        headers: [],
        rotating: false,
        backoff_until: null,
        max_per_second: null,
        host_max_per_second: null,
        ordered: false,
        body_form: null,
        waiting: null,
        created_by: { type: "console", key_id: null, name: null },
        verified: false,
        status_changed_at: null,
        status_reason: null,
        status_detail: null,
        missed: 0,
        removed_at: null,
      },
    ]);
    const again = await world.ask("POST /console/api/webhooks", {
      event: "review.submitted",
      target_url: `${world.origin}/hooks`,
    });
    expect([again.status, again.data["id"], again.data["signing_secret"]]).toEqual([200, id, undefined]);
    expect((await world.ask("GET /console/api/webhooks")).rows).toEqual([shown.data]);
    expect(JSON.stringify((await world.ask("GET /console/api/webhooks")).rows)).not.toContain(secret);
    expect((await world.ask(`DELETE /console/api/webhooks/${id}`)).data).toEqual({ id, deleted: true });
    expect((await world.ask(`GET /console/api/webhooks/${id}`)).data).toEqual({
      ...shown.data,
      status: "removed",
      status_reason: "person",
      status_changed_at: expect.any(String),
      removed_at: expect.any(String),
      missed: null,
    });
    expect((await world.ask(`DELETE /console/api/webhooks/${id}`)).code).toBe("resource_not_found");
  });

  it("sends nothing while it is paused, and never sends events of that time", async () => {
    await using world = await openConsole();
    const { id } = await world.createWebhook();
    const paused = await world.ask(`POST /console/api/webhooks/${id}/pause`);
    expect([paused.status, paused.data["status"]]).toEqual([200, "paused"]);
    expect(await world.publish("rev_1")).toEqual([]);
    expect((await world.ask(`POST /console/api/webhooks/${id}/resume`)).data["status"]).toBe("active");
    expect(await world.publish("rev_2")).toHaveLength(1);
    await world.settled();
    expect(world.received.map(({ headers }) => headers["x-service-event"])).toEqual(["review.submitted"]);
  });

  it("has a limit of its owner and one of the operator, and an order, and says what waits", async () => {
    await using world = await openConsole();
    const { path, id } = await world.createWebhook();
    const { limit } = world.hookwright.webhooks;
    const change = (json: object) => world.ask(`PATCH ${path}`, json);
    expect((await change({ max_per_second: 50, ordered: true })).data).toMatchObject({
      max_per_second: 50,
      host_max_per_second: null,
      ordered: true,
      waiting: 0,
    });
    expect(await limit("acc_1", id, { max_per_second: 1 })).toMatchObject({ host_max_per_second: 1 });
    // Fields that are left out stay.
    expect((await change({ name: "Slow" })).data).toMatchObject({ max_per_second: 50, ordered: true });
    expect((await change({ max_per_second: null, ordered: false })).data).toMatchObject({
      max_per_second: null,
      host_max_per_second: 1,
      ordered: false,
    });
    for (const max_per_second of [0, 1_001, "x"])
      expect([max_per_second, (await change({ max_per_second })).code]).toEqual([
        max_per_second,
        "validation_failed",
      ]);
    await expect(limit("acc_1", id, { max_per_second: 0 })).rejects.toMatchObject({
      code: "validation_failed",
    });
    expect((await world.createWebhook("/other", { max_per_second: 20, ordered: true })).id).not.toBe(id);
  });

  it("is turned on again after 30 failures, with its count of failures at 0", async () => {
    await using world = await openConsole({ retryDelaysSeconds: [], endpointBackoffSeconds: 0 });
    const { id } = await world.createWebhook();
    world.answerWith(500);
    for (let number = 1; number <= 30; number++) {
      await world.publish(`rev_${number}`);
      await world.settled();
    }
    expect((await world.ask(`GET /console/api/webhooks/${id}`)).data).toMatchObject({
      status: "switched_off",
      consecutive_failures: 30,
    });
    expect(await world.publish("rev_31")).toEqual([]);
    const on = await world.ask(`POST /console/api/webhooks/${id}/turn-on`);
    expect(on.data).toMatchObject({ status: "active", consecutive_failures: 0 });
    world.answerWith(204);
    expect(await world.publish("rev_32")).toHaveLength(1);
  });

  it("refuses every transition that its state does not allow, with 409", async () => {
    await using world = await openConsole();
    const { id } = await world.createWebhook();
    const refused = async (...actions: string[]) => {
      for (const action of actions) {
        const answered = await world.ask(`POST /console/api/webhooks/${id}/${action}`);
        expect([action, answered.status, answered.code]).toEqual([action, 409, "invalid_state"]);
      }
    };
    await refused("resume", "turn-on", "rotate/finish", "rotate/cancel");
    await world.ask(`POST /console/api/webhooks/${id}/test`);
    await world.ask(`POST /console/api/webhooks/${id}/pause`);
    await refused("pause", "turn-on", "test");
    await world.ask(`POST /console/api/webhooks/${id}/rotate`);
    await refused("rotate");
  });

  it("changes once if two requests ask for the same change at the same time", async () => {
    await using world = await openConsole();
    const { id } = await world.createWebhook();
    for (const action of ["pause", "resume", "rotate", "rotate/finish"]) {
      const both = await Promise.all(
        [1, 2].map(() => world.ask(`POST /console/api/webhooks/${id}/${action}`)),
      );
      expect([action, both.filter(({ code }) => code === undefined).length]).toEqual([action, 1]);
      expect([action, both.filter(({ code }) => code === "invalid_state").length]).toEqual([action, 1]);
    }
  });

  it("that does not exist gets 404 on every route", async () => {
    await using world = await openConsole();
    for (const action of ["pause", "resume", "turn-on", "test", "rotate", "rotate/finish", "rotate/cancel"]) {
      const answered = await world.ask(`POST /console/api/webhooks/wh_unknown/${action}`);
      expect([action, answered.status, answered.code]).toEqual([action, 404, "resource_not_found"]);
    }
  });
});

describe("a signing secret", () => {
  it("is rotated: deliveries use the old one until the rotation is finished, tests use the new one", async () => {
    await using world = await openConsole();
    const { id, secret: old } = await world.createWebhook();
    const rotated = await world.ask(`POST /console/api/webhooks/${id}/rotate`);
    expect([rotated.status, rotated.data["rotating"]]).toEqual([201, true]);
    const fresh = String(rotated.data["signing_secret"]);
    expect(fresh).toMatch(/^whsec_[\w-]{43}$/);
    const isSignedWith = (secrets: string): boolean => {
      const { headers, body } = world.received.at(-1) ?? { headers: {}, body: Buffer.alloc(0) };
      try {
        return verifySync({ body, headers, secrets }).event === "review.submitted";
      } catch {
        return false;
      }
    };
    await world.publish("rev_1");
    await world.settled();
    expect([isSignedWith(old), isSignedWith(fresh)]).toEqual([true, false]);
    await world.ask(`POST /console/api/webhooks/${id}/test`);
    expect([isSignedWith(old), isSignedWith(fresh)]).toEqual([false, true]);
    const finished = await world.ask(`POST /console/api/webhooks/${id}/rotate/finish`);
    expect([finished.status, finished.data["rotating"], finished.data["signing_secret"]]).toEqual([
      200,
      false,
      undefined,
    ]);
    await world.publish("rev_2");
    await world.settled();
    expect([isSignedWith(old), isSignedWith(fresh)]).toEqual([false, true]);
  });

  it("that is pending is dropped on cancel", async () => {
    await using world = await openConsole();
    const { id, secret: old } = await world.createWebhook();
    await world.ask(`POST /console/api/webhooks/${id}/rotate`);
    expect((await world.ask(`POST /console/api/webhooks/${id}/rotate/cancel`)).data["rotating"]).toBe(false);
    await world.ask(`POST /console/api/webhooks/${id}/test`);
    const { headers, body } = world.received[0] ?? { headers: {}, body: "" };
    expect(verifySync({ body, headers, secrets: old }).event).toBe("review.submitted");
  });

  it("of an automation platform's webhook cannot be rotated", async () => {
    await using world = await openConsole();
    const { hookwright } = world;
    const { id: keyId } = await hookwright.apiKeys.create("acc_1", { name: "Zapier", integration: true });
    const { webhook } = await hookwright.webhooks.create(
      {
        accountId: "acc_1",
        credential: { type: "key", keyId, name: "Zapier", integration: true },
        rights: ["webhooks"],
      },
      { event: "review.submitted", target_url: `${world.origin}/zap` },
    );
    for (const action of ["rotate", "rotate/finish", "rotate/cancel"]) {
      const answered = await world.ask(`POST /console/api/webhooks/${webhook.id}/${action}`);
      expect([answered.status, answered.code]).toEqual([409, "invalid_state"]);
    }
  });
});

describe("a test", () => {
  it("is one attempt with sample data: its result is returned and logged, and changes no counters", async () => {
    await using world = await openConsole();
    const { id, secret } = await world.createWebhook();
    world.answerWith(500);
    const answered = await world.ask(`POST /console/api/webhooks/${id}/test`);
    expect([answered.status, answered.data]).toMatchObject([
      200,
      {
        number: 1,
        status: 500,
        error: "status",
        next_attempt_at: null,
        request: { headers: { "X-Service-Test": "1" } },
      },
    ]);
    const [received] = world.received;
    if (received === undefined) throw new Error("no test arrived");
    const { headers, body } = received;
    const event = verifySync({ body, headers, secrets: secret });
    // The webhook is for the whole account, so the test names the oldest site.
    expect(event.project).toEqual({ id: "site_1", name: "Shop", timezone: "Europe/London" });
    expect(event.id).toMatch(/^review\.submitted_test_[0-9a-f]{32}$/);
    expect((await world.ask(`GET /console/api/webhooks/${id}`)).data["consecutive_failures"]).toBe(0);
    const { rows } = await world.ask("GET /console/api/deliveries?kind=test");
    expect(rows).toMatchObject([
      {
        id: headers["x-service-delivery"],
        kind: "test",
        status: "failed",
        attempts_made: 1,
        body_id: event.id,
      },
    ]);
    expect((await world.ask(`GET /console/api/deliveries?q=${event.id}`)).rows).toEqual(rows);
    const resent = await world.ask(`POST /console/api/deliveries/${String(rows[0]?.["id"])}/resend`);
    expect([resent.status, resent.code]).toEqual([409, "invalid_state"]);
  });

  it("that gets 410 removes the webhook and cancels its pending deliveries", async () => {
    await using world = await openConsole({ retryDelaysSeconds: [3_600] });
    const { id } = await world.createWebhook();
    world.answerWith(500);
    const [pending] = await world.publish("rev_1");
    await world.settled();
    world.answerWith(410);
    expect((await world.ask(`POST /console/api/webhooks/${id}/test`)).data["status"]).toBe(410);
    expect((await world.ask(`GET /console/api/webhooks/${id}`)).data).toMatchObject({
      status: "removed",
      status_reason: "gone",
    });
    await expect.poll(() => world.statusOf(pending)).toBe("cancelled");
  });

  it("is sent by a process with the role api", async () => {
    await using world = await openConsole({ role: "api" });
    const { id } = await world.createWebhook();
    expect((await world.ask(`POST /console/api/webhooks/${id}/test`)).data["status"]).toBe(204);
  });

  it("names the webhook's own site", async () => {
    await using world = await openConsole();
    const { path } = await world.createWebhook("/two", { project_id: "site_2" });
    await world.ask(`POST ${path}/test`);
    expect(JSON.parse(String(world.received[0]?.body))).toMatchObject({
      project: { id: "site_2", name: "Blog" },
    });
  });
});
