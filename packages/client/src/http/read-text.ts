/**
 * Returns the body as text, or `undefined` if it exceeds the limit. Cancels the body when the signal aborts,
 * even if `fetch` ignores the signal.
 */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  limitBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (body === null) return "";
  const reader = body.getReader();
  // The outcome of the cancellation does not matter to the caller.
  const cancel = (): void => void reader.cancel().catch(() => {});
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await readUpTo(reader, limitBytes, cancel);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

async function readUpTo(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limitBytes: number,
  cancel: () => void,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > limitBytes) {
      cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
