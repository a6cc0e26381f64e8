import type { Readable } from "node:stream";
import { bodyAlreadyRead } from "./body-already-read.ts";
import { BodyTooLargeError } from "./body-too-large-error.ts";
import { ClientGoneError } from "./client-gone-error.ts";

/** The parts of a Node request that are used, of HTTP/1.1 or HTTP/2. */
export type NodeRequest = Readable & {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly complete: boolean;
};

export function readNodeBody(request: NodeRequest, limitBytes: number): Promise<Uint8Array> {
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
    if (Number(request.headers["content-length"]) > limitBytes)
      return reject(new BodyTooLargeError(limitBytes));

    const chunks: Uint8Array[] = [];
    let size = 0;
    const stop = (): void => {
      request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.byteLength;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      stop();
      request.pause();
      reject(new BodyTooLargeError(limitBytes));
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onGone = (): void => {
      stop();
      // An error event without a listener would end the process.
      request.on("error", ignore);
      reject(new ClientGoneError("The client went away before the request was whole."));
    };
    request.on("data", onData).once("end", onEnd).once("error", onGone).once("close", onGone);
  });
}

function ignore(): void {}
