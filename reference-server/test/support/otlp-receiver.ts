import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { vi } from "vitest";
import { readJsonSpans, readProtobufSpans } from "./read-otlp.ts";
import type { ReceivedSpan } from "./read-otlp.ts";

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
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const ofTrace = (traceId: string) => spans.filter((span) => span.traceId === traceId);
  return {
    endpoint: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    exports: received,
    spans,
    async spansOf(traceId, count) {
      await vi.waitUntil(() => ofTrace(traceId).length >= count, { timeout: 20_000 });
      return ofTrace(traceId);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
