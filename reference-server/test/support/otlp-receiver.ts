import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect } from "vitest";
import { readJsonSpans, readProtobufSpans } from "./read-otlp.ts";
import type { ReceivedSpan } from "./read-otlp.ts";
import { listenLocally } from "../../../packages/hookwright/test/support/listen-locally.ts";

export interface OtlpReceiver extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  /** The headers of each export. */
  readonly exports: readonly IncomingHttpHeaders[];
  readonly spans: readonly ReceivedSpan[];
  /** Resolves when a trace has so many spans. */
  spansOf(traceId: string, count: number): Promise<readonly ReceivedSpan[]>;
}

/** Receives traces over OTLP/HTTP, as protobuf or JSON. */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const received: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.url !== "/v1/traces") return void response.writeHead(404).end();
    const isJson = request.headers["content-type"] === "application/json";
    spans.push(...(isJson ? readJsonSpans(JSON.parse(body.toString("utf8"))) : readProtobufSpans(body)));
    received.push(request.headers);
    response
      .writeHead(200, { "content-type": request.headers["content-type"] ?? "" })
      .end(isJson ? "{}" : undefined);
  });
  const local = await listenLocally(server);
  const ofTrace = (traceId: string) => spans.filter((span) => span.traceId === traceId);
  return {
    endpoint: local.origin,
    exports: received,
    spans,
    async spansOf(traceId, count) {
      await expect.poll(() => ofTrace(traceId).length).toBeGreaterThanOrEqual(count);
      return ofTrace(traceId);
    },
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}
