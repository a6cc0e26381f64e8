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
  readonly baseUrl: string;
  readonly token: string;
  /** Called when the server no longer accepts the token, or the account may not use the API. Nothing is opened after it. */
  readonly onRefused: () => void;
}

const shortestWaitMs = 1_000;
const longestWaitMs = 30_000;
/** The server sends a comment every 15 s. A connection that is silent for longer than two of them is lost. */
const longestSilenceMs = 40_000;

/** Opens the stream, and opens it again after a loss. It closes while the page is hidden: browsers allow few streams. */
export function openLive({ baseUrl, token, onRefused }: LiveOptions): Live {
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
    const silence = createSilenceSignal();
    try {
      const response = await fetch(new URL("console/api/events", baseUrl), {
        headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
        cache: "no-store",
        credentials: "omit",
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (response.status === 401 || response.status === 403) {
        setStatus("paused");
        return onRefused();
      }
      if (response.ok && response.body !== null) {
        onConnected();
        for await (const { event, data } of readServerSentEvents(response.body, silence.restart)) {
          if (event === "delivery" || event === "webhook") emit({ type: event, row: JSON.parse(data) });
          if (event === "reset") emit({ type: "reset" });
          // The server has given the connection to another client. Soon, it would have to take it from that one again.
          if (event === "displaced") waitMs = longestWaitMs;
        }
      }
    } catch {
      // The connection was lost, or this side closed it.
    } finally {
      silence.stop();
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

/** A signal that aborts when nothing arrives for a while: a network that is gone does not close a connection. */
function createSilenceSignal(): {
  readonly signal: AbortSignal;
  readonly restart: () => void;
  readonly stop: () => void;
} {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const restart = (): void => {
    stop();
    timer = setTimeout(() => controller.abort(), longestSilenceMs);
  };
  restart();
  return { signal: controller.signal, restart, stop };
}

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
