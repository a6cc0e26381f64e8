import { describe, expect, it } from "vitest";
import { formatMs, sayAttempt } from "../src/index.ts";
import type { AttemptPhases, ExplainedAttempt } from "../src/index.ts";

const none: AttemptPhases = {
  queued_ms: 2,
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  wait_ms: null,
  read_ms: null,
};
/** 45 ms of network, 340 ms of the endpoint. */
const all: AttemptPhases = { queued_ms: 2, dns_ms: 5, connect_ms: 15, tls_ms: 25, wait_ms: 338, read_ms: 2 };

function say(changes: Partial<ExplainedAttempt>): string {
  const { status = null, phases = all } = changes;
  const { queued_ms: _, ...parts } = phases;
  const duration = Object.values(parts).reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
  return sayAttempt({
    status,
    error: status === null ? "timeout" : status < 300 ? null : "status",
    detail: status === null || status < 300 ? null : `The endpoint answered ${status}.`,
    excerpt: status === null ? null : "",
    duration_ms: duration,
    phases,
    ...changes,
  });
}

describe("the sentence about an attempt", () => {
  it.each<[string, Partial<ExplainedAttempt>, string]>([
    [
      "a 500 with a body",
      { status: 500, excerpt: "\n`vat_id` of undefined\n  at line 3" },
      "Your endpoint took 340 of 385 ms and answered 500: `vat_id` of undefined",
    ],
    ["a 503 without a body", { status: 503 }, "Your endpoint took 340 of 385 ms and answered 503."],
    [
      "a 2xx, whose body says nothing new",
      { status: 200, excerpt: "ok", phases: { ...none, wait_ms: 3.12, read_ms: 0 } },
      "Your endpoint took 3.1 ms and answered 200.",
    ],
    [
      "a 2xx after a slow network",
      { status: 204, phases: { ...all, tls_ms: 800, wait_ms: 30, read_ms: 0 } },
      "The network took 820 of 850 ms (TLS 800 ms), and your endpoint answered 204.",
    ],
    [
      "a network that was slower, but not slow",
      { status: 204, phases: { ...none, connect_ms: 0.9, wait_ms: 0.4, read_ms: 0 } },
      "Your endpoint took 0.4 of 1.3 ms and answered 204.",
    ],
    [
      "a redirect",
      {
        status: 302,
        detail:
          "The endpoint answered 302 with Location /login: redirects are not followed. Set the webhook's URL to the new address.",
        excerpt: "<html>",
      },
      "Your endpoint took 340 of 385 ms and answered 302 with Location /login: redirects are not followed. Set the webhook's URL to the new address.",
    ],
    [
      "a 410",
      { status: 410, detail: "The endpoint answered 410 (Gone): its webhook is removed." },
      "Your endpoint took 340 of 385 ms and answered 410 (Gone): its webhook is removed.",
    ],
    [
      "an unusual response",
      {
        status: 500,
        detail: "The endpoint answered 500. 2 malformed header lines were ignored.",
        excerpt: "no",
      },
      "Your endpoint took 340 of 385 ms and answered 500: no. 2 malformed header lines were ignored.",
    ],
    [
      "a time-out while it works",
      {
        phases: { ...all, wait_ms: 9_955, read_ms: null },
        detail: "No response within 10 s (connected after 20 ms, waiting for the response headers).",
      },
      "Your endpoint took 10.0 s and answered nothing. No response within 10 s (connected after 20 ms, waiting for the response headers).",
    ],
    [
      "a time-out within the headers",
      { phases: { ...all, wait_ms: 9_000, read_ms: 955 } },
      "Your endpoint took 10.0 s and did not complete its response. No complete response arrived within the time limit.",
    ],
    [
      "a time-out of TLS",
      { phases: { ...none, dns_ms: 1, connect_ms: 999, tls_ms: 9_000 } },
      "Your endpoint did not complete the TLS handshake: it took 9.0 of 10.0 s. No complete response arrived within the time limit.",
    ],
    [
      "a time-out of the connection",
      { phases: { ...none, dns_ms: 100, connect_ms: 9_900 } },
      "Your endpoint could not be reached: connecting took 9.9 of 10.0 s. No complete response arrived within the time limit.",
    ],
    [
      "a time-out of DNS",
      { phases: { ...none, dns_ms: 10_000 } },
      "Nothing was sent: DNS took 10.0 s. No complete response arrived within the time limit.",
    ],
    [
      "an unknown name",
      {
        error: "dns",
        phases: { ...none, dns_ms: 12 },
        detail: "The name x.example does not exist, or has no address (ENOTFOUND). Check its DNS records.",
      },
      "Nothing was sent: DNS took 12 ms. The name x.example does not exist, or has no address (ENOTFOUND). Check its DNS records.",
    ],
    [
      "a refused connection",
      {
        error: "connect",
        phases: { ...none, dns_ms: 1, connect_ms: 30 },
        detail: "Connection refused by 192.0.2.1:443.",
      },
      "Your endpoint could not be reached: connecting took 30 of 31 ms. Connection refused by 192.0.2.1:443.",
    ],
    [
      "a certificate that is not valid",
      {
        error: "tls",
        phases: { ...none, dns_ms: 1, connect_ms: 20, tls_ms: 25 },
        detail: "The certificate expired on 3 Nov 2026. Renew it.",
      },
      "Your endpoint failed the TLS handshake: it took 25 of 46 ms. The certificate expired on 3 Nov 2026. Renew it.",
    ],
    [
      "a reset before the answer, on a reused connection",
      {
        error: "reset",
        phases: { ...none, wait_ms: 1_250 },
        detail: "The connection was reset before a response.",
      },
      "Your endpoint took 1.25 s and answered nothing. The connection was reset before a response.",
    ],
    [
      "something else than HTTP",
      { error: "protocol", detail: 'The response is not HTTP/1.x: it began with "SSH-2.0".' },
      'Your endpoint took 340 of 385 ms and answered, but not in HTTP. The response is not HTTP/1.x: it began with "SSH-2.0".',
    ],
    [
      "a URL that is not allowed",
      {
        error: "blocked_address",
        phases: { ...none, queued_ms: null },
        detail: "The URL is private. Nothing was sent.",
      },
      "The URL is private. Nothing was sent.",
    ],
    [
      "a long wait in our queue",
      { status: 200, phases: { ...all, queued_ms: 12_400 } },
      "Your endpoint took 340 of 385 ms and answered 200. Before that, it waited 12.4 s in our queue. Gaps after earlier failures count there too.",
    ],
    [
      "an attempt of an earlier version",
      { status: 500, phases: { ...none, queued_ms: null }, duration_ms: 385 },
      "After 385 ms, your endpoint answered 500.",
    ],
    [
      "a failure of an earlier version",
      { error: "reset", phases: { ...none, queued_ms: null }, duration_ms: 385 },
      "The connection closed before the response arrived.",
    ],
  ])("%s", (_, attempt, sentence) => {
    expect(say(attempt)).toBe(sentence);
  });

  it("quotes neither controls nor marks that change the direction of text", () => {
    expect(say({ status: 500, excerpt: "a\u0007b\u202ec" })).toMatch(/answered 500: a b c$/u);
  });

  it.each([
    ['{\n  "error": "no vat_id"\n}\n', '{ "error": "no vat_id" }'],
    ["<!doctype html>\n<title>Bad Gateway</title>", "Bad Gateway"],
  ])("quotes what %j says, not its first characters", (excerpt, quote) => {
    expect(say({ status: 500, excerpt }).split("answered 500: ").at(-1)).toBe(quote);
  });

  it("quotes the start of a long line, and no half of a character", () => {
    const sentence = say({ status: 500, excerpt: `${"a".repeat(158)}😀😀` });
    expect(sentence).toMatch(/answered 500: a{158}…$/u);
  });
});

it.each([
  [0, "0.0 ms"],
  [3.14, "3.1 ms"],
  [9.94, "9.9 ms"],
  [9.96, "10 ms"],
  [12.46, "12 ms"],
  [999.4, "999 ms"],
  [999.6, "1.00 s"],
  [9_990, "9.99 s"],
  [10_000, "10.0 s"],
  [119_400, "119.4 s"],
  [845_200, "14 min 5 s"],
  [7_199_600, "2 h 0 min"],
])("%d ms are written as %s", (ms, text) => {
  expect(formatMs(ms)).toBe(text);
});
