/** One delivery of a listener's stream. */
export interface StreamedDelivery {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface EventStream extends AsyncDisposable {
  readonly response: Response;
  /** All deliveries so far. */
  readonly deliveries: readonly StreamedDelivery[];
  /** All comments so far. */
  readonly comments: readonly string[];
  /** Resolves when the server or the connection has ended the stream. */
  readonly ended: Promise<void>;
  /** Drops the connection. */
  drop(): void;
}

export interface OpenEventStream {
  readonly origin: string;
  readonly listenerId: string;
  readonly token: string;
  readonly lastEventId?: string | undefined;
}

/** Reads server-sent events as a browser does (WHATWG HTML, section 9.2.6). */
export async function openEventStream(options: OpenEventStream): Promise<EventStream> {
  const { origin, listenerId, token, lastEventId } = options;
  const abort = new AbortController();
  const response = await fetch(`${origin}/developer/v1/listeners/${listenerId}/events`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
    signal: abort.signal,
  });
  const deliveries: StreamedDelivery[] = [];
  const comments: string[] = [];

  function take(block: string): void {
    if (block.startsWith(":")) return void comments.push(block.slice(1).trim());
    const fields = new Map(block.split("\n").map((line) => splitField(line)));
    if (fields.get("event") !== "delivery") throw new Error(`unexpected event: ${block}`);
    deliveries.push({ id: fields.get("id") ?? "", ...JSON.parse(fields.get("data") ?? "") });
  }

  async function read(): Promise<void> {
    let text = "";
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      blocks.forEach(take);
    }
  }

  const ended = read().catch(() => {});
  return {
    response,
    deliveries,
    comments,
    ended,
    drop: () => abort.abort(),
    async [Symbol.asyncDispose]() {
      abort.abort();
      await ended;
    },
  };
}

function splitField(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon), line.slice(colon + 2)];
}
