export interface StreamedEvent {
  /** The last event id so far. */
  readonly id: string;
  /** @default "message" */
  readonly type: string;
  readonly data: string;
}

/**
 * Reads an event stream. An event that the end of the connection cuts off is dropped, as the standard demands.
 *
 * @param onBytes called for everything that arrives, comments included
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export async function* readEventStream(
  body: AsyncIterable<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<StreamedEvent> {
  // The decoder drops a byte order mark at the start, as the standard demands.
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let type = "";
  let data: string[] = [];
  for await (const bytes of body) {
    onBytes();
    rest += decoder.decode(bytes, { stream: true });
    // A carriage return at the end may be the first half of CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/u);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { id, type: type === "" ? "message" : type, data: data.join("\n") };
        type = "";
        data = [];
        continue;
      }
      const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
      if (field === "data") data.push(value);
      else if (field === "event") type = value;
      else if (field === "id" && !value.includes("\0")) id = value;
    }
  }
}
