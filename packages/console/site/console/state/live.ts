import type { Delivery, ListedConsoleWebhook } from "@hookwright/domain";

/** `reconnecting`: what is shown may be out of date. `paused`: by the user, or because the page is hidden. */
export type LiveStatus = "connecting" | "live" | "reconnecting" | "paused";

export type LiveChange =
  | { readonly type: "delivery"; readonly row: Delivery }
  | { readonly type: "webhook"; readonly row: ListedConsoleWebhook }
  /** Changes may have been missed: the connection was lost, or there were too many of them. Lists are read again. */
  | { readonly type: "reset" };

/** The stream of changes that all screens share. */
export interface Live {
  readonly status: () => LiveStatus;
  /** When the connection was lost. Undefined: it is there. */
  readonly lostAt: () => number | undefined;
  readonly setPaused: (paused: boolean) => void;
  readonly onChange: (listener: (change: LiveChange) => void) => () => void;
  readonly onStatus: (listener: () => void) => () => void;
  readonly close: () => void;
}

/** No stream: nothing changes by itself. */
export const closedLive: Live = {
  status: () => "paused",
  lostAt: () => undefined,
  setPaused: () => {},
  onChange: () => () => {},
  onStatus: () => () => {},
  close: () => {},
};

export interface LiveOptions {
  readonly token: string;
  /** Called when the server no longer accepts the token, or the account may not use the API. Nothing is opened after it. */
  readonly onRefused: () => void;
}

const shortestWaitMs = 1_000;
const longestWaitMs = 30_000;
/** The server sends a comment every 15 s. A connection that is silent for longer than two of them is lost. */
const longestSilenceMs = 40_000;

/** Opens the stream, and opens it again after a loss. It closes while the page is hidden: browsers allow few streams. */
export function openLive({ token, onRefused }: LiveOptions): Live {
  const changeListeners = new Set<(change: LiveChange) => void>();
  const statusListeners = new Set<() => void>();
  let status: LiveStatus = "connecting";
  let lostAt: number | undefined;
  let hasConnected = false;
  let isPaused = false;
  let waitMs = shortestWaitMs;
  let stream: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function setStatus(next: LiveStatus): void {
    if (next === status) return;
    status = next;
    if (next === "live") lostAt = undefined;
    else lostAt ??= Date.now();
    for (const listener of statusListeners) listener();
  }

  function emit(change: LiveChange): void {
    for (const listener of changeListeners) listener(change);
  }

  function onConnected(): void {
    waitMs = shortestWaitMs;
    setStatus("live");
    if (hasConnected) emit({ type: "reset" });
    hasConnected = true;
  }

  function connectLater(): void {
    setStatus("reconnecting");
    // Spread over the interval, so that all consoles do not return at the same time.
    timer = setTimeout(() => void connect(), waitMs * (0.5 + Math.random() / 2));
    waitMs = Math.min(longestWaitMs, waitMs * 2);
  }

  async function connect(): Promise<void> {
    const controller = new AbortController();
    stream = controller;
    const { signal } = controller;
    // A network that is gone does not close a connection.
    let silence: ReturnType<typeof setTimeout> | undefined;
    const lost = new AbortController();
    const awaitSign = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => lost.abort(), longestSilenceMs);
    };
    awaitSign();
    try {
      const response = await fetch("console/api/events", {
        headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
        cache: "no-store",
        credentials: "omit",
        signal: AbortSignal.any([signal, lost.signal]),
      });
      if (response.status === 401 || response.status === 403) {
        setStatus("paused");
        return onRefused();
      }
      if (response.ok && response.body !== null) {
        onConnected();
        await readServerSentEvents(response.body, awaitSign, ({ event, data }) => {
          if (event === "delivery" || event === "webhook") emit({ type: event, row: JSON.parse(data) });
          if (event === "reset") emit({ type: "reset" });
          // The server has given the connection to another client. Soon, it would have to take it from that one again.
          if (event === "displaced") waitMs = longestWaitMs;
        });
      }
    } catch {
      // The connection was lost, or this side closed it.
    } finally {
      clearTimeout(silence);
    }
    if (!signal.aborted) connectLater();
  }

  function disconnect(): void {
    clearTimeout(timer);
    stream?.abort();
  }

  function update(): void {
    disconnect();
    if (isPaused || document.hidden) return setStatus("paused");
    waitMs = shortestWaitMs;
    setStatus(hasConnected ? "reconnecting" : "connecting");
    void connect();
  }

  const triggers = [
    [document, "visibilitychange"],
    [globalThis, "offline"],
    [globalThis, "online"],
  ] as const;
  for (const [target, name] of triggers) target.addEventListener(name, update);
  update();

  const listen = <Listener>(listeners: Set<Listener>, listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    status: () => status,
    lostAt: () => lostAt,
    setPaused(paused) {
      isPaused = paused;
      update();
    },
    onChange: (listener) => listen(changeListeners, listener),
    onStatus: (listener) => listen(statusListeners, listener),
    close() {
      for (const [target, name] of triggers) target.removeEventListener(name, update);
      disconnect();
    },
  };
}

interface ServerSentEvent {
  /** @default message */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads a stream of server-sent events (HTML, 9.2). `EventSource` cannot send an `Authorization` header, and hides comments.
 *
 * @param onBytes called whenever something arrives, also for a comment
 */
async function readServerSentEvents(
  body: ReadableStream<BufferSource>,
  onBytes: () => void,
  onEvent: (event: ServerSentEvent) => void,
): Promise<void> {
  let rest = "";
  const write = (text: string): void => {
    onBytes();
    const blocks = `${rest}${text.replaceAll("\r\n", "\n")}`.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = [...block.matchAll(/^([a-z]+):? ?(.*)$/gmu)];
      const data = fields.filter(([, name]) => name === "data").map(([, , value = ""]) => value);
      const event = fields.findLast(([, name]) => name === "event")?.[2] ?? "message";
      // A block without data is a comment.
      if (data.length > 0) onEvent({ event, data: data.join("\n") });
    }
  };
  await body.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write }));
}
