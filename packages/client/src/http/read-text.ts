/** The body as text, or undefined where it has more bytes than that; the rest of it is not awaited. */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  limitBytes: number,
): Promise<string | undefined> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > limitBytes) {
      // Whether the connection can be closed in good order changes nothing for the caller.
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
