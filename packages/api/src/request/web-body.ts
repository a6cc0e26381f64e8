import { bodyAlreadyRead } from "./body-already-read.ts";
import { BodyTooLargeError } from "./body-too-large-error.ts";
import { ClientGoneError } from "./client-gone-error.ts";

export async function readWebBody(request: Request, limitBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) throw bodyAlreadyRead();
  if (Number(request.headers.get("content-length")) > limitBytes) throw new BodyTooLargeError(limitBytes);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new ClientGoneError("The client went away before the request was whole.", { cause: error });
    });
    if (done) break;
    size += value.byteLength;
    if (size > limitBytes) {
      // Not cancelled: a server would close the connection at once, before the response is sent.
      reader.releaseLock();
      throw new BodyTooLargeError(limitBytes);
    }
    chunks.push(value);
  }
  return concatenate(chunks, size);
}

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
