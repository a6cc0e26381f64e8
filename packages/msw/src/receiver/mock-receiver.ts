import { readDeliveryFacts, SignatureError, verify } from "@hookwright/signature";
import { http } from "msw";
import type { HttpHandler } from "msw";
import { expectHeaderPrefix } from "../expect-header-prefix.ts";
import { MockError } from "../mock-error.ts";
import { neverRespond } from "../never-respond.ts";
import { parseUrl } from "../parse-url.ts";
import { toRequest } from "../to-request.ts";
import { toUrlPattern } from "../to-url-pattern.ts";
import type { ReceivedDelivery, RefusedDelivery } from "./received-delivery.ts";
import type { ReceiverAnswer } from "./receiver-answer.ts";
import { createReceiverSession, expectSecret } from "./receiver-session.ts";

export interface MockReceiverOptions {
  /** The URL of the receiver. `fetch` checks only its path. */
  readonly url: string;
  /** The signing secret, the whole `whsec_…` string, or several. @default none: see `trust` */
  readonly secrets?: string | readonly string[] | undefined;
  /** The prefix of the header names, if the sender has its own. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
  /** The answers to deliveries in order. The last one repeats. @default [204] */
  readonly answers?: readonly ReceiverAnswer[] | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A receiver of webhooks for the tests of programs that send them. */
export interface MockReceiver {
  readonly url: string;
  /** The handlers for `setupServer` of msw. They receive requests of `fetch` and `http.request`. */
  readonly handlers: readonly HttpHandler[];
  /**
   * Receives requests without msw, for example on a real socket:
   * `createServer(toNodeListener(receiver.fetch))`.
   *
   * @throws TypeError for the answer `network_error`
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The verified deliveries in order. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** The rejected deliveries. Each got the `status` of its error: 401, 400, or 500 without a secret. */
  readonly refused: readonly RefusedDelivery[];
  /**
   * Resolves with the next delivery that `next` has not returned yet.
   *
   * @throws SignatureError if the delivery was rejected
   * @throws MockError `reset` if the receiver was reset meanwhile
   * @throws the signal's reason
   */
  next(options?: { readonly signal?: AbortSignal | undefined }): Promise<ReceivedDelivery>;
  /** Adds a secret, for example of a new or rotated webhook. @throws MockError `invalid_secret` */
  trust(secret: string): void;
  /** Sets the answers to deliveries in order. The last one repeats. @throws MockError `invalid_answer` */
  answerWith(...answers: readonly ReceiverAnswer[]): void;
  /**
   * Restores the initial state and rejects waiting `next` calls. Running requests belong to the old state.
   */
  reset(): void;
}

/**
 * Creates a receiver that verifies deliveries with `@hookwright/signature` and returns the configured
 * answers.
 *
 * @throws MockError `invalid_url`, `invalid_answer`, `invalid_secret`, `invalid_header_prefix`
 * @example
 * const receiver = mockReceiver({ url: "https://hooks.example.com/orders", secrets, answers: [500, 500, 204] });
 * const server = setupServer(...receiver.handlers);
 * const { event } = await receiver.next({ signal: AbortSignal.timeout(5_000) });
 */
export function mockReceiver({
  url,
  secrets = [],
  headerPrefix,
  answers: initialAnswers = [204],
  now = () => Date.now(),
}: MockReceiverOptions): MockReceiver {
  const { origin, pathname, href } = parseUrl(url, "url");
  expectHeaderPrefix(headerPrefix);
  const initialSecrets = typeof secrets === "string" ? [secrets] : secrets;
  const createSession = () => createReceiverSession(initialSecrets, initialAnswers);
  let current = createSession();

  async function receive(request: Request): Promise<Response | Extract<ReceiverAnswer, string>> {
    if (new URL(request.url).pathname !== pathname) return new Response(null, { status: 404 });
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    // The request belongs to the session in which it arrived.
    const session = current;
    const bytes = await request.arrayBuffer();
    const headers = new Headers(request.headers);
    const body = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    try {
      const checked = { secrets: session.trusted, now: now() / 1_000, headerPrefix };
      const event = await verify({ body: bytes, headers, ...checked });
      const facts = readDeliveryFacts(headers, { headerPrefix });
      const attempt = (session.attempts.get(facts.deliveryId) ?? 0) + 1;
      session.attempts.set(facts.deliveryId, attempt);
      const answer = session.answers.take();
      const delivery = { event, ...facts, attempt, headers, body, answer };
      session.deliveries.add(delivery);
      session.arrivals.add(delivery);
      return typeof answer === "string" ? answer : new Response(null, { status: answer });
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      const refusal = { error, headers, body };
      session.refused.add(refusal);
      session.arrivals.add(refusal);
      return new Response(error.code, { status: error.status });
    }
  }

  return {
    url: href,
    handlers: [
      http.all(toUrlPattern(origin + pathname, "$"), async ({ request }) => {
        const answer = await receive(request);
        if (answer === "network_error") return Response.error();
        // The client has gone, so the response does not matter. msw would log a rejection as an error.
        return answer === "no_answer" ? neverRespond(request).catch(() => Response.error()) : answer;
      }),
    ],
    fetch: async (input, init) => {
      const request = toRequest(input, init);
      const answer = await receive(request);
      if (answer === "network_error")
        throw new TypeError("The receiver was configured to break the connection.");
      return answer === "no_answer" ? neverRespond(request) : answer;
    },
    get deliveries() {
      return current.deliveries.all;
    },
    get refused() {
      return current.refused.all;
    },
    next({ signal } = {}) {
      const next = current.arrivals.take(signal).then(expectAccepted);
      // Prevents an unhandled rejection by `reset` if a failed test never awaits this.
      next.catch(() => undefined);
      return next;
    },
    trust(secret) {
      current.trusted = [...current.trusted, expectSecret(secret)];
    },
    answerWith: (...next) => current.answers.set(next),
    reset() {
      current.arrivals.close(
        new MockError("reset", "The receiver was reset while next() waited for a delivery."),
      );
      current = createSession();
    },
  };
}

function expectAccepted(arrival: ReceivedDelivery | RefusedDelivery): ReceivedDelivery {
  if ("error" in arrival) throw arrival.error;
  return arrival;
}
