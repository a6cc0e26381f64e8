import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../src/create-client.ts";
import type { Client } from "../src/resources.ts";
import type { ClientOptions, RetryNotice } from "../src/options.ts";
import { failureOf } from "./support/failure-of.ts";
import { page, refusal, scriptedFetch, silent, success, unreachable } from "./support/scripted-fetch.ts";
import type { Step } from "./support/scripted-fetch.ts";

afterEach(() => void vi.useRealTimers());

const away = refusal(503, "internal_error");
const noEnvelope: Step = () => new Response("<h1>Bad gateway</h1>", { status: 502 });

function connect(steps: readonly Step[], options: Partial<ClientOptions> = {}) {
  const script = scriptedFetch(...steps);
  const waits: number[] = [];
  const notices: RetryNotice[] = [];
  const client = createClient({
    baseUrl: "https://example.com",
    apiKey: "hwk_1",
    fetch: script.fetch,
    random: () => 0,
    sleep: async (delayMs) => void waits.push(delayMs),
    onRetry: (notice) => void notices.push(notice),
    ...options,
  });
  return { client, waits, notices, requests: script.requests };
}

const limited = (retryAfter: string): Step => refusal(429, "rate_limited", { "retry-after": retryAfter });

const contact = { project_id: "site_1", email: "ada@example.com" };
const draft = { project_id: "site_1", title: "A title" };
const hook = { event: "order.paid", target_url: "https://example.com/hooks" };

const repeated: readonly [string, (client: Client) => Promise<unknown>, Step][] = [
  ["a read", (client) => client.me(), success({})],
  ["a page", (client) => client.orders.list().page(), page([], null)],
  ["a deletion", (client) => client.webhooks.delete("wh_1"), success({ id: "wh_1", deleted: true })],
  ["a contact", (client) => client.contacts.save(contact), success({})],
  ["a subscription", (client) => client.subscribers.create(contact), success({})],
];

describe.each([
  ["no response", unreachable, "network_failure"],
  ["503", away, "internal_error"],
  ["502 of a gateway", noEnvelope, "unexpected_answer"],
  ["504", refusal(504, "internal_error"), "internal_error"],
])("after %s", (_, failing, code) => {
  it.each(repeated)("%s is retried", async (_, call, succeeding) => {
    const { client, requests, notices } = connect([failing, succeeding]);
    await call(client);
    expect(requests).toHaveLength(2);
    expect(notices).toMatchObject([{ attempts: 1, code }]);
  });

  it.each([
    ["a new webhook", (client: Client) => client.webhooks.create(hook), /signing secret/],
    ["a draft", (client: Client) => client.blogPosts.create(draft), /second one/],
  ])("%s is not retried, and the error says what to do", async (_, call, message) => {
    const { client, requests } = connect([failing, success({}, 201)]);
    expect(await failureOf(call(client))).toMatchObject({
      code,
      outcomeUnknown: true,
      message: expect.stringMatching(message),
    });
    expect(requests).toHaveLength(1);
  });
});

describe("retries", () => {
  it.each([
    [400, "invalid_cursor"],
    [401, "invalid_api_key"],
    [404, "resource_not_found"],
    [422, "validation_failed"],
    [500, "internal_error"],
  ])("do not follow %s", async (status, code) => {
    const { client, requests } = connect([refusal(status, code)]);
    expect((await failureOf(client.me())).code).toBe(code);
    expect(requests).toHaveLength(1);
  });

  it("end after the given number, with the last error", async () => {
    const { client, requests, waits } = connect([away], { retries: 2 });
    expect(await failureOf(client.me())).toMatchObject({ code: "internal_error", status: 503 });
    expect([requests.length, waits.length]).toEqual([3, 2]);
    const none = connect([away], { retries: 0 });
    await failureOf(none.client.me());
    expect(none.requests).toHaveLength(1);
  });

  it("double the delay each time, half of it random, up to eight seconds", async () => {
    const least = connect([away], { retries: 6 });
    await failureOf(least.client.me());
    expect(least.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
    const most = connect([away], { retries: 6, random: () => 0.999_999 });
    await failureOf(most.client.me());
    expect(most.waits).toEqual([499, 999, 1_999, 3_999, 7_999, 7_999]);
    const bounded = connect([away], { longestWaitMs: 1_000 });
    await failureOf(bounded.client.me());
    expect(bounded.waits).toEqual([250, 500, 500]);
  });

  it("wait for Retry-After plus jitter", async () => {
    const busy = refusal(429, "rate_limited", { "retry-after": "7" });
    const { client, waits } = connect([busy, success({})], { random: () => 0.5 });
    await client.me();
    expect(waits).toEqual([7_125]);
  });

  it.each([
    ["Fri, 20 Nov 2026 09:30:05 GMT", 5_000],
    ["Friday, 20-Nov-26 09:30:06 GMT", 6_000],
    ["Fri Nov 20 09:30:07 2026", 7_000],
  ])("accept each date format of HTTP: %s", async (date, delayMs) => {
    const now = (): number => Date.UTC(2026, 10, 20, 9, 30, 0);
    const { client, waits } = connect([limited(date), success({})], { now });
    await client.me();
    expect(waits).toEqual([delayMs]);
  });

  it.each(["0", "Fri, 20 Nov 2026 09:29:00 GMT"])(
    "use the back-off for a Retry-After without a wait: %s",
    async (value) => {
      const now = (): number => Date.UTC(2026, 10, 20, 9, 30, 0);
      const { client, waits } = connect([limited(value)], { now });
      expect((await failureOf(client.me())).retryAfterSeconds).toBe(0);
      expect(waits).toEqual([250, 500, 1_000]);
    },
  );

  it("wait for up to exactly longestWaitMs", async () => {
    const { client, waits } = connect([limited("60"), success({})]);
    await client.me();
    expect(waits).toEqual([60_000]);
  });

  it("treat hundreds of digits as a long wait", async () => {
    const { client, waits } = connect([limited("9".repeat(400))]);
    expect((await failureOf(client.me())).retryAfterSeconds).toBe(Number.MAX_SAFE_INTEGER);
    expect(waits).toEqual([]);
  });

  it.each([
    "",
    "soon",
    "soon 5",
    "-1",
    "1.5",
    "NaN",
    "2026-11-20T09:30:05Z",
    "Fri, 20 Nov 2026 09:30:05",
    "Friday",
  ])("use the back-off for an invalid Retry-After: %j", async (value) => {
    const { client, waits } = connect([refusal(429, "rate_limited", { "retry-after": value }), success({})]);
    await client.me();
    expect(waits).toEqual([250]);
    const once = connect([limited(value)], { retries: 0 });
    expect((await failureOf(once.client.me())).retryAfterSeconds).toBeUndefined();
  });

  it("count a webhook as deleted if the response was lost and it is not found", async () => {
    const gone = refusal(404, "resource_not_found");
    for (const lost of [unreachable, away])
      expect(await connect([lost, gone]).client.webhooks.delete("wh_1")).toEqual({
        id: "wh_1",
        deleted: true,
      });
    const busy = refusal(429, "rate_limited", { "retry-after": "1" });
    const limited = connect([busy, gone]);
    expect((await failureOf(limited.client.webhooks.delete("wh_1"))).code).toBe("resource_not_found");
  });

  it("report an unknown outcome after a 500", async () => {
    const { client, requests } = connect([refusal(500, "internal_error")]);
    expect(await failureOf(client.contacts.save(contact))).toMatchObject({
      outcomeUnknown: true,
      message: expect.stringContaining("safe to repeat"),
    });
    expect(await failureOf(client.subscribers.create(contact))).toMatchObject({
      outcomeUnknown: true,
      message: expect.stringContaining("safe to repeat"),
    });
    expect(requests).toHaveLength(2);
  });

  it("keep the unknown outcome of an earlier attempt", async () => {
    const { client } = connect([unreachable, refusal(422, "validation_failed")]);
    expect(await failureOf(client.contacts.save(contact))).toMatchObject({ outcomeUnknown: true });
    const refused = connect([refusal(422, "validation_failed")]);
    expect(await failureOf(refused.client.contacts.save(contact))).toMatchObject({ outcomeUnknown: false });
    const read = connect([unreachable]);
    expect(await failureOf(read.client.me())).toMatchObject({ outcomeUnknown: false });
  });

  it("fail with the error of the sleep option", async () => {
    const broken = new Error("no timers here");
    const { client, requests } = connect([away], { sleep: () => Promise.reject(broken) });
    await expect(client.me()).rejects.toBe(broken);
    expect(requests).toHaveLength(1);
  });

  it("await onRetry and fail with its rejection", async () => {
    const order: string[] = [];
    const stop = new Error("enough");
    const { client, requests } = connect([away], {
      onRetry: async ({ attempts }) => {
        await Promise.resolve();
        order.push(`onRetry ${attempts}`);
        if (attempts === 2) throw stop;
      },
      sleep: async () => void order.push("slept"),
    });
    await expect(client.me()).rejects.toBe(stop);
    expect(order).toEqual(["onRetry 1", "slept", "onRetry 2"]);
    expect(requests).toHaveLength(2);
  });
});

describe("time and signals", () => {
  const openSignal = () => {
    const controller = new AbortController();
    const reason = new Error("the user left");
    return { signal: controller.signal, abort: () => controller.abort(reason), reason };
  };
  const unscripted = { sleep: undefined, onRetry: undefined };

  it("an attempt that takes too long is aborted with its connection", async () => {
    vi.useFakeTimers();
    let signalled = false;
    const deaf: Step = (_, { signal }) => {
      signal?.addEventListener("abort", () => (signalled = true));
      return new Promise(() => {});
    };
    const { client } = connect([deaf], { retries: 0, timeoutMs: 5_000 });
    const failure = failureOf(client.me());
    await vi.advanceTimersByTimeAsync(4_999);
    expect(signalled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("within 5000 ms"),
    });
    expect([signalled, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it("the time limit includes the body", async () => {
    vi.useFakeTimers();
    const stalling: Step = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    const { client } = connect([stalling], { retries: 0 });
    const failure = failureOf(client.me());
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await failure).code).toBe("timeout");
  });

  it("each attempt has its own time limit", async () => {
    vi.useFakeTimers();
    const { client, requests, waits } = connect([silent, success({})], { timeoutMs: 1_000 });
    const called = client.me();
    await vi.advanceTimersByTimeAsync(1_000);
    await called;
    expect([requests.length, waits]).toEqual([2, [250]]);
  });

  it("an aborted signal sends nothing", async () => {
    const { signal, abort, reason } = openSignal();
    abort();
    const { client, requests } = connect([success({})]);
    expect(await failureOf(client.blogPosts.create(draft, { signal }))).toMatchObject({
      code: "aborted",
      cause: reason,
      outcomeUnknown: false,
    });
    expect(requests).toEqual([]);
  });

  it("a signal aborts a running request, which is not retried", async () => {
    const { signal, abort, reason } = openSignal();
    const { client, requests } = connect([silent]);
    const failure = failureOf(client.contacts.save(contact, { signal }));
    await expect.poll(() => requests.length).toBe(1);
    abort();
    expect(await failure).toMatchObject({ code: "aborted", cause: reason, outcomeUnknown: true });
    expect(requests).toHaveLength(1);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("a signal ends a wait and leaves no timer or listener", async () => {
    vi.useFakeTimers();
    const { signal, abort, reason } = openSignal();
    const { client, requests } = connect([refusal(429, "rate_limited", { "retry-after": "50" })], unscripted);
    const failure = failureOf(client.me({ signal }));
    await vi.advanceTimersByTimeAsync(20_000);
    expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([
      1,
      expect.arrayContaining([expect.any(Function)]),
    ]);
    abort();
    expect(await failure).toMatchObject({ code: "aborted", cause: reason });
    expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([0, []]);
    expect(requests).toHaveLength(1);
  });

  it("a completed wait leaves no timer or listener", async () => {
    vi.useFakeTimers();
    const { signal } = openSignal();
    const { client } = connect([away, success({})], unscripted);
    const called = client.me({ signal });
    await vi.advanceTimersByTimeAsync(500);
    await called;
    expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([0, []]);
  });

  it("a signal that aborts before a wait skips it", async () => {
    vi.useFakeTimers();
    const { signal, abort } = openSignal();
    const { client } = connect([away], { sleep: undefined, onRetry: abort });
    expect((await failureOf(client.me({ signal }))).code).toBe("aborted");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a signal ends an endless onRetry and sleep", async () => {
    for (const option of ["onRetry", "sleep"]) {
      const { signal, abort } = openSignal();
      const { promise: begun, resolve } = Promise.withResolvers<void>();
      const endless = (): Promise<never> => {
        resolve();
        return new Promise(() => {});
      };
      const { client, requests } = connect([away], { [option]: endless });
      const failure = failureOf(client.me({ signal }));
      await begun;
      abort();
      expect((await failure).code).toBe("aborted");
      expect(requests).toHaveLength(1);
      expect(getEventListeners(signal, "abort")).toEqual([]);
    }
  });

  it("a signal ends a wait after a lost write, whose outcome stays unknown", async () => {
    const { signal, abort } = openSignal();
    const { client, requests } = connect([unreachable], { onRetry: abort });
    expect(await failureOf(client.contacts.save(contact, { signal }))).toMatchObject({
      code: "aborted",
      outcomeUnknown: true,
      message: expect.stringContaining("safe to repeat"),
    });
    expect(requests).toHaveLength(1);
  });

  it("the body is cancelled after the time limit if fetch ignores its signal", async () => {
    vi.useFakeTimers();
    let cancelled = 0;
    const stalling = (): Response =>
      new Response(
        new ReadableStream({ pull: () => new Promise(() => {}), cancel: () => void (cancelled += 1) }),
      );
    const late = (): Promise<Response> =>
      new Promise((resolve) => setTimeout(() => resolve(stalling()), 2_000));
    for (const step of [stalling, late]) {
      const { client } = connect([step], { retries: 0, timeoutMs: 1_000 });
      const failure = failureOf(client.me());
      await vi.advanceTimersByTimeAsync(2_000);
      expect((await failure).code).toBe("timeout");
    }
    expect(cancelled).toBe(2);
  });

  it("a signal that aborts during a custom sleep ends the call", async () => {
    for (const ending of ["resolves", "rejects"]) {
      const { signal, abort } = openSignal();
      const sleep = async (): Promise<void> => {
        abort();
        if (ending === "rejects") throw new Error("woken");
      };
      const { client } = connect([away], { sleep });
      expect((await failureOf(client.me({ signal }))).code).toBe("aborted");
    }
  });
});
