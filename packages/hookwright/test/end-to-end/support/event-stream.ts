/** One delivery of a listener's stream. */
export interface StreamedDelivery {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One event of a stream. */
export interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface ServerSentEvents extends AsyncDisposable {
  readonly response: Response;
  /** All events so far. */
  readonly events: readonly ServerSentEvent[];
  /** All comments so far. */
  readonly comments: readonly string[];
  /** Resolves when the server or the connection has ended the stream. */
  readonly ended: Promise<void>;
  /** Drops the connection. */
  drop(): void;
}

export interface EventStream extends ServerSentEvents {
  /** All deliveries so far. */
  readonly deliveries: readonly StreamedDelivery[];
}

export interface OpenEventStream {
  readonly origin: string;
  readonly listenerId: string;
  readonly token: string;
  readonly lastEventId?: string | undefined;
}

/** Reads the stream of a listener. */
export async function openEventStream(options: OpenEventStream): Promise<EventStream> {
  const { origin, listenerId, token, lastEventId } = options;
  const stream = await readServerSentEvents(`${origin}/developer/v1/listeners/${listenerId}/events`, {
    authorization: `Bearer ${token}`,
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  });
  return {
    ...stream,
    get deliveries() {
      return stream.events.map(({ id, event, data }): StreamedDelivery => {
        if (event !== "delivery") throw new Error(`unexpected event: ${event}`);
        return { id, ...JSON.parse(data) };
      });
    },
  };
}

/** Reads the changes that an open console gets. */
export function openConsoleStream(origin: string, token: string): Promise<ServerSentEvents> {
  return readServerSentEvents(`${origin}/console/api/events`, { authorization: `Bearer ${token}` });
}

/** Reads server-sent events as a browser does (WHATWG HTML, section 9.2.6). */
async function readServerSentEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<ServerSentEvents> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const events: ServerSentEvent[] = [];
  const comments: string[] = [];

  function take(block: string): void {
    if (block.startsWith(":")) return void comments.push(block.slice(1).trim());
    const fields = new Map(block.split("\n").map((line) => splitField(line)));
    events.push({
      id: fields.get("id") ?? "",
      event: fields.get("event") ?? "",
      data: fields.get("data") ?? "",
    });
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
    events,
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
