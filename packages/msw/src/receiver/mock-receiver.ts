import { readDeliveryFacts, SignatureError, verify } from "@hookwright/signature";
import { http } from "msw";
import type { HttpHandler } from "msw";
import { MockError } from "../mock-error.ts";
import { neverAnswer } from "../never-answer.ts";
import { parseUrl } from "../parse-url.ts";
import { toRequest } from "../to-request.ts";
import { toUrlPattern } from "../to-url-pattern.ts";
import type { ReceivedDelivery, RefusedDelivery } from "./received-delivery.ts";
import type { ReceiverAnswer } from "./receiver-answer.ts";
import { createReceiverSession, expectSecret } from "./receiver-session.ts";

export interface MockReceiverOptions {
  /** Where deliveries go. Of a request that comes another way (`fetch`), the path alone is looked at. */
  readonly url: string;
  /** The signing secret, the whole `whsec_…` string, or several. @default none: see `trust` */
  readonly secrets?: string | readonly string[] | undefined;
  /** One for each delivery in turn; the last one stays. @default [204] */
  readonly answers?: readonly ReceiverAnswer[] | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A receiver of webhooks for the tests of programs that send them. */
export interface MockReceiver {
  readonly url: string;
  /** For `setupServer` and `setupWorker` of msw: takes what the program sends with `fetch` or `http.request`. */
  readonly handlers: readonly HttpHandler[];
  /**
   * The same without msw, for a real socket: `createServer(toNodeListener(receiver.fetch))`.
   *
   * @throws TypeError where it is to answer with `network_error`
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** What was verified so far, in order. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** Deliveries that were refused. Each was answered with the `status` of its error: 401, 400, or 500 without a secret. */
  readonly refused: readonly RefusedDelivery[];
  /**
   * The next delivery that `next` has not given yet, as soon as it is there.
   *
   * @throws SignatureError where the delivery was refused
   * @throws MockError `reset` where the receiver was reset meanwhile
   * @throws the signal's reason
   */
  next(options?: { readonly signal?: AbortSignal | undefined }): Promise<ReceivedDelivery>;
  /** One more secret: that of a webhook which has just been created, or rotated. @throws MockError `invalid_secret` */
  trust(secret: string): void;
  /** One for each delivery in turn; the last one stays. @throws MockError `invalid_answer` */
  answerWith(...answers: readonly ReceiverAnswer[]): void;
  /** As it was made; those who wait in `next` are told, and what is on its way here belongs to the time before. */
  reset(): void;
}

/**
 * Takes deliveries at a URL, verifies them with `@hookwright/signature`, and answers what it was told to.
 *
 * @throws MockError `invalid_url`, `invalid_answer`, `invalid_secret`
 * @example
 * const receiver = mockReceiver({ url: "https://hooks.example.com/orders", secrets, answers: [500, 500, 204] });
 * const server = setupServer(...receiver.handlers);
 * const { event } = await receiver.next({ signal: AbortSignal.timeout(5_000) });
 */
export function mockReceiver({
  url,
  secrets = [],
  answers: initialAnswers = [204],
  now = () => Date.now(),
}: MockReceiverOptions): MockReceiver {
  const { origin, pathname, href } = parseUrl(url, "url");
  const initialSecrets = typeof secrets === "string" ? [secrets] : secrets;
  const createSession = () => createReceiverSession(initialSecrets, initialAnswers);
  let current = createSession();

  async function receive(request: Request): Promise<Response | Extract<ReceiverAnswer, string>> {
    if (new URL(request.url).pathname !== pathname) return new Response(null, { status: 404 });
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    // Whatever happens until the delivery is verified, it belongs to the time in which it came.
    const session = current;
    const bytes = await request.arrayBuffer();
    const headers = new Headers(request.headers);
    const body = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    try {
      const event = await verify({ body: bytes, headers, secrets: session.trusted, now: now() / 1_000 });
      const facts = readDeliveryFacts(headers);
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
        // Whoever gave up does not hear this answer; a rejection would be a fault to msw, and told on the console.
        return answer === "no_answer" ? neverAnswer(request).catch(() => Response.error()) : answer;
      }),
    ],
    fetch: async (input, init) => {
      const request = toRequest(input, init);
      const answer = await receive(request);
      if (answer === "network_error") throw new TypeError("The receiver was told to break the connection.");
      return answer === "no_answer" ? neverAnswer(request) : answer;
    },
    get deliveries() {
      return current.deliveries.all;
    },
    get refused() {
      return current.refused.all;
    },
    next({ signal } = {}) {
      const next = current.arrivals.take(signal).then(expectAccepted);
      // A test that failed before it awaited this is told of that failure, and not of `reset` as an unhandled rejection too.
      next.catch(() => undefined);
      return next;
    },
    trust(secret) {
      current.trusted = [...current.trusted, expectSecret(secret)];
    },
    answerWith: (...next) => current.answers.set(next),
    reset() {
      current.arrivals.close(
        new MockError("reset", "The receiver was reset while this waited for a delivery."),
      );
      current = createSession();
    },
  };
}

function expectAccepted(arrival: ReceivedDelivery | RefusedDelivery): ReceivedDelivery {
  if ("error" in arrival) throw arrival.error;
  return arrival;
}
