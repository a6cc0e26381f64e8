import type { Readable } from "node:stream";
import { bodyAlreadyRead } from "./body-already-read.ts";
import { createBodyBuffer } from "./body-buffer.ts";
import type { BodyLimits } from "./body-buffer.ts";
import { BodyTooLargeError } from "./body-too-large-error.ts";
import { ClientGoneError } from "./client-gone-error.ts";

/** The parts of a Node request that are used, of HTTP/1.1 or HTTP/2. */
export type NodeRequest = Readable & {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly complete: boolean;
};

/** @throws BodyTooLargeError, BodyMemoryError, ClientGoneError, ApiError `body_already_read` */
export function readNodeBody(request: NodeRequest, limits: BodyLimits): Promise<Uint8Array> {
  const { limitBytes, memory } = limits;
  return new Promise((resolve, reject) => {
    // Function platforms read the body and leave its bytes here.
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
      request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
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
      } catch (error) {
        refuse(error);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(body.bytes());
    };
    const onGone = (): void => {
      stop();
      body.discard();
      // An error event without a listener would end the process.
      request.on("error", ignore);
      reject(new ClientGoneError("The client went away before the request was whole."));
    };
    memory.startReading(refuse);
    request.on("data", onData).once("end", onEnd).once("error", onGone).once("close", onGone);
  });
}

function ignore(): void {}
