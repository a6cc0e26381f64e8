import { textOf } from "../api/fields.ts";
import type { ApiClient } from "../api/api-client.ts";
import { describeCause } from "../api/api-errors.ts";
import { createListener } from "../api/operations.ts";
import { CliError, exitStatus } from "../cli-error.ts";
import { readEventStream } from "./event-stream.ts";
import { parseDelivery, parseMessage } from "./received-delivery.ts";
import type { ReceivedDelivery } from "./received-delivery.ts";

export interface Listener {
  readonly id: string;
  readonly signingSecret: string;
  readonly expiresAt: string | undefined;
}

export interface ListenerOptions {
  readonly api: ApiClient;
  /** Names such as `order.paid` or `order.*`. Empty for all events. */
  readonly events: readonly string[];
  readonly site: string | undefined;
  /** The signing secret. Undefined: a new one for each listener. */
  readonly secret: string | undefined;
  readonly signal: AbortSignal;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
  /** Called for the first listener, and when the server no longer knows it and another one took its place. */
  onListener(listener: Listener, isFirst: boolean): void;
  /** Awaited before more is read, so that a slow receiver slows the server down. */
  onDelivery(delivery: ReceivedDelivery): Promise<void>;
  /** Called when the server says that it has dropped events. */
  onDropped(message: string): void;
  /** Called before each wait. */
  onLost(reason: string, waitMs: number): void;
  onReconnected(): void;
  /** Awaited before the listener is deleted. */
  beforeDelete(): Promise<void>;
  /** Called if the listener could not be deleted at the end. */
  onNotDeleted(reason: string): void;
}

const firstWaitMs = 500;
const longestWaitMs = 30_000;
const stableMs = 5_000;
/** The server has given the connection to another client. At once, it would have to take it from that one again. */
const displacedWaitMs = 10_000;
/** The server sends a comment every 15 s. Three missing ones mean that the connection is dead. */
const silenceMs = 45_000;
const rememberedDeliveries = 1_000;

/**
 * Creates a listener and reads its events until the signal is aborted. Then it deletes the listener. After a lost
 * connection it continues after the last event that it read.
 *
 * @throws {CliError} if the server refuses the listener
 */
export async function runListener(options: ListenerOptions): Promise<void> {
  const { api, events, site, secret, signal, sleep, random = Math.random } = options;
  const create = async (isFirst: boolean): Promise<Listener> => {
    const row = await createListener(api, { events, site, secret });
    const created = {
      id: textOf(row, "id") ?? "",
      signingSecret: textOf(row, "signing_secret") ?? "",
      expiresAt: textOf(row, "expires_at"),
    };
    if (!signal.aborted) options.onListener(created, isFirst);
    return created;
  };

  const seen = new Set<string>();
  let lastEventId: string | undefined;
  let failures = 0;
  let leastWaitMs = 0;
  /** Whether the current listener had a stream. A new one that is missing at once must not be replaced at once. */
  let hadStream = false;
  /** Whether the server refuses the credential. It then refuses to delete the listener, too. */
  let isRefused = false;
  let listener: Listener | undefined = await create(true);
  /** Reads until the connection ends, which always throws. */
  const readConnection = async ({ id }: Listener): Promise<never> => {
    const silence = createSilenceAlarm();
    try {
      const response = await api.stream({
        path: `/developer/v1/listeners/${encodeURIComponent(id)}/events`,
        signal: AbortSignal.any([signal, silence.signal]),
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
      hadStream = true;
      if (failures > 0) options.onReconnected();
      const connectedAt = performance.now();
      const onBytes = (): void => {
        silence.postpone();
        // A server that accepts connections only to close them must not be asked without a back-off.
        if (performance.now() - connectedAt > stableMs) failures = 0;
      };
      onBytes();
      for await (const event of readEventStream(response.body ?? emptyBody(), onBytes)) {
        failures = 0;
        if (event.type === "dropped")
          options.onDropped(parseMessage(event.data) ?? "the server has dropped events.");
        if (event.type === "displaced") {
          leastWaitMs = displacedWaitMs;
          throw new Error(parseMessage(event.data) ?? "the server needs the connection for another client");
        }
        if (event.type !== "delivery") continue;
        lastEventId = event.id;
        if (seen.has(event.id)) continue;
        remember(seen, event.id);
        // While nothing is read, silence says nothing about the connection.
        silence.pause();
        await options.onDelivery(parseDelivery(event.id, event.data));
        silence.postpone();
      }
      throw new Error("the server closed the connection");
    } finally {
      silence.stop();
    }
  };

  try {
    while (!signal.aborted) {
      try {
        listener ??= await create(false);
        await readConnection(listener);
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof CliError && error.code === "resource_not_found") {
          // Ten minutes have passed, or the server has lost its memory. Only a new listener can continue.
          listener = undefined;
          lastEventId = undefined;
          const isReplacedAtOnce = hadStream;
          hadStream = false;
          if (isReplacedAtOnce) continue;
        } else if (error instanceof CliError && !canRecover(error)) {
          isRefused = true;
          throw error;
        }
        failures += 1;
        const waitMs = Math.max(leastWaitMs, toWaitMs(failures, random()));
        leastWaitMs = 0;
        options.onLost(describeCause(error), waitMs);
        await sleep(waitMs, signal).catch(() => {
          // The loop ends because the signal is aborted.
        });
      }
    }
  } finally {
    await options.beforeDelete();
    if (listener !== undefined) await remove(listener);
  }

  async function remove({ id }: Listener): Promise<void> {
    const path = `/developer/v1/listeners/${encodeURIComponent(id)}`;
    try {
      await api.send({ method: "DELETE", path, isLast: true });
    } catch (error) {
      if (isRefused || (error instanceof CliError && error.code === "resource_not_found")) return;
      options.onNotDeleted(describeCause(error));
    }
  }
}

/** Doubles up to 30 s, ±20 %. */
function toWaitMs(failures: number, random: number): number {
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1));
  return Math.round(waitMs * (0.8 + random * 0.4));
}

function canRecover({ code, exitStatus: status }: CliError): boolean {
  return (
    code === "server_unreachable" ||
    code === "internal_error" ||
    code === "rate_limited" ||
    (code === "unknown_code" && status === exitStatus.noServer)
  );
}

/** A dead connection delivers no end, so silence has to end it. */
function createSilenceAlarm() {
  const controller = new AbortController();
  const alarm = (): void => controller.abort(new Error(`nothing arrived for ${silenceMs / 1_000} s`));
  let timer = setTimeout(alarm, silenceMs);
  return {
    signal: controller.signal,
    pause: (): void => clearTimeout(timer),
    postpone: (): void => {
      clearTimeout(timer);
      timer = setTimeout(alarm, silenceMs);
    },
    stop: (): void => {
      clearTimeout(timer);
      // Closes the connection if the reader has stopped early.
      controller.abort();
    },
  };
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > rememberedDeliveries && oldest !== undefined) seen.delete(oldest);
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
