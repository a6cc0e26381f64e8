export interface ServerSentEvent {
  /** @default message */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads a stream of server-sent events (HTML, 9.2). `EventSource` cannot send an `Authorization` header, and hides comments.
 *
 * @param onBytes called whenever something arrives, also for a comment
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: () => void = () => {},
): AsyncGenerator<ServerSentEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const blocks = `${rest}${value.replaceAll("\r\n", "\n")}`.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = readBlock(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {
      // The connection is gone already.
    });
  }
}

/** Undefined for a comment. */
function readBlock(block: string): ServerSentEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^([a-z]+):? ?(.*)$/u.exec(line) ?? [];
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { event, data: data.join("\n") };
}
