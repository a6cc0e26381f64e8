import type { Answer } from "../../src/transport/answer.ts";
import type { OutgoingRequest, Transport } from "../../src/transport/transport.ts";

export interface SentRequest {
  readonly targetUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: number;
}

export type Answering = (request: SentRequest) => Answer | Promise<Answer>;

export interface FakeTransport extends Transport {
  readonly sent: SentRequest[];
  /** How many times each delivery id was sent. */
  counts(): Map<string, number>;
  answerWith(answering: Answering): void;
}

export function createFakeTransport(now: () => number): FakeTransport {
  const sent: SentRequest[] = [];
  let answering: Answering = () => accepted();
  return {
    sent,
    counts() {
      const counts = new Map<string, number>();
      for (const { headers } of sent) {
        const id = headers["x-service-delivery"] ?? "";
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      return counts;
    },
    answerWith(next) {
      answering = next;
    },
    async send({ targetUrl, headerLines, body }: OutgoingRequest) {
      const lines = headerLines.split("\r\n").filter((line) => line !== "");
      const headers = Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(":")).toLowerCase(),
          line.slice(line.indexOf(":") + 2),
        ]),
      );
      const request = { targetUrl, headers, body, at: now() };
      sent.push(request);
      return answering(request);
    },
    async close() {},
    async [Symbol.asyncDispose]() {},
  };
}

export function answered(status: number): Answer {
  const failure = status >= 200 && status < 300 ? null : "status";
  return {
    status,
    headers: ["content-type", "text/plain"],
    excerpt: "hi",
    failure,
    detail: null,
    durationMs: 12.5,
  };
}

export function accepted(): Answer {
  return answered(200);
}

export function noAnswer(): Answer {
  return {
    status: null,
    headers: [],
    excerpt: "",
    failure: "timeout",
    detail: "no answer",
    durationMs: 10_000,
  };
}

/** An answer that the test gives later. */
export function hanging(): { readonly answer: Promise<Answer>; give(answer: Answer): void } {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  return { answer: promise, give: resolve };
}
