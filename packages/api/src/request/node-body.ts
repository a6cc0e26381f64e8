import type { Readable } from "node:stream";
import { bodyAlreadyRead, BodyTooLargeError, ClientGoneError } from "./body-errors.ts";
import { createBodyBuffer } from "./body-buffer.ts";
import type { BodyLimits } from "./body-buffer.ts";
import { releaseChunk } from "./release-chunk.ts";

/** The parts of a Node request (HTTP/1.1 or HTTP/2) that are used here. */
export type NodeRequest = Readable & {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly complete: boolean;
};

/** @throws BodyTooLargeError, BodyMemoryError, ClientGoneError, ApiError `body_already_read` */
export function readNodeBody(request: NodeRequest, limits: BodyLimits): Promise<Uint8Array> {
  const { limitBytes, memory } = limits;
  return new Promise((resolve, reject) => {
    // Serverless platforms read the body and store its bytes here.
    if ("rawBody" in request && request.rawBody instanceof Uint8Array) {
      if (request.rawBody.byteLength > limitBytes) reject(new BodyTooLargeError(limitBytes));
      else resolve(request.rawBody);
      return;
    }
    if (request.destroyed && !request.complete)
      return reject(new ClientGoneError("The request was aborted."));
    if (request.readableDidRead || request.readableEnded) return reject(bodyAlreadyRead());
    const announcedBytes = Number(request.headers["content-length"]);
    if (announcedBytes > limitBytes) return reject(new BodyTooLargeError(limitBytes));

    const body = createBodyBuffer(limits, announcedBytes);
    const stop = (): void => {
      memory.stopReading();
      request.off("data", onData).off("end", onEnd).off("error", onDisconnect).off("close", onDisconnect);
    };
    const refuse = (error: unknown): void => {
      stop();
      request.pause();
      body.discard();
      reject(error);
    };
    const onData = (piece: Uint8Array): void => {
      try {
        body.append(piece);
        releaseChunk(request, piece);
      } catch (error) {
        refuse(error);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(body.bytes());
    };
    const onDisconnect = (): void => {
      stop();
      body.discard();
      // An error event without a listener would end the process.
      request.on("error", ignore);
      reject(new ClientGoneError("The client disconnected before the request was complete."));
    };
    memory.startReading(refuse);
    request.on("data", onData).once("end", onEnd).once("error", onDisconnect).once("close", onDisconnect);
  });
}

function ignore(): void {}
