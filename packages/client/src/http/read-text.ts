/**
 * The body as text, or undefined where it has more bytes than that; the rest of it is not awaited. Once the signal aborts,
 * the body is let go, also where it comes from a `fetch` that is deaf to the signal.
 */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  limitBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (body === null) return "";
  const reader = body.getReader();
  // Whether the connection can be closed in good order changes nothing for the caller.
  const letGo = (): void => void reader.cancel().catch(() => {});
  if (signal.aborted) letGo();
  signal.addEventListener("abort", letGo, { once: true });
  try {
    return await readUpTo(reader, limitBytes, letGo);
  } finally {
    signal.removeEventListener("abort", letGo);
  }
}

async function readUpTo(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limitBytes: number,
  letGo: () => void,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > limitBytes) {
      letGo();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
