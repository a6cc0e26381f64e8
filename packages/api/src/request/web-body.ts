import { bodyAlreadyRead, BodyTooLargeError, ClientGoneError } from "./body-errors.ts";
import type { BodyMemoryError } from "./body-errors.ts";
import { createBodyBuffer } from "./body-buffer.ts";
import type { BodyLimits } from "./body-buffer.ts";

/** @throws BodyTooLargeError, BodyMemoryError, ClientGoneError, ApiError `body_already_read` */
export async function readWebBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const { limitBytes, memory } = limits;
  if (request.bodyUsed || request.body?.locked) throw bodyAlreadyRead();
  const announcedBytes = Number(request.headers.get("content-length"));
  if (announcedBytes > limitBytes) throw new BodyTooLargeError(limitBytes);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const body = createBodyBuffer(limits, announcedBytes);
  let interrupted: BodyMemoryError | undefined;
  memory.startReading((error) => {
    interrupted = error;
    // This rejects the pending read.
    reader.releaseLock();
  });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        if (interrupted !== undefined) throw interrupted;
        throw new ClientGoneError("The client disconnected before the request was complete.", {
          cause: error,
        });
      });
      if (interrupted !== undefined) throw interrupted;
      if (done) return body.bytes();
      body.append(value);
    }
  } catch (error) {
    // Not cancelled, because a server would close the connection before it sends the response.
    reader.releaseLock();
    body.discard();
    throw error;
  } finally {
    memory.stopReading();
  }
}
