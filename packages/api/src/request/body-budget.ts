import { BodyMemoryError } from "./body-errors.ts";

/** Limits the memory that all request bodies in progress use. */
export interface BodyBudget {
  /**
   * @param client the owner of the memory: an account, or all public requests. Undefined for the host, which is
   * trusted.
   */
  open(client: string | undefined): BodyMemory;
}

/** The memory of one request body. */
export interface BodyMemory {
  /** @throws BodyMemoryError if there is no memory left */
  reserve(bytes: number): void;
  /** Marks the body as being read. `interrupt` is called if another body needs the memory. It frees the memory. */
  startReading(interrupt: (error: BodyMemoryError) => void): void;
  /** Reports that more of the body has arrived. */
  progress(): void;
  /** Marks the body as complete or abandoned. It keeps its memory and is no longer interrupted. */
  stopReading(): void;
  /** Returns the memory. */
  release(): void;
}

interface Reading {
  readonly interrupt: (error: BodyMemoryError) => void;
}

interface Share {
  bytes: number;
  bodies: number;
  /** The bodies being read. The one that has been idle longest is first. */
  readonly reading: Set<Reading>;
}

/**
 * Shares the memory for request bodies. One client gets at most a quarter, all clients together three quarters, and the
 * host all free memory.
 *
 * If a share is full, the body that has been idle longest is interrupted. A new request is refused only if no body can
 * be interrupted. Stalled bodies therefore never block a client that sends its body at once.
 */
export function createBodyBudget({ totalBytes }: { readonly totalBytes: number }): BodyBudget {
  const maximumPerClient = totalBytes / 4;
  const maximumOfClients = maximumPerClient * 3;
  const shares = new Map<string | undefined, Share>();
  let used = 0;
  let usedByClients = 0;

  function freeMemory(
    client: string | undefined,
    share: Share,
    bytes: number,
    own: Reading | undefined,
  ): void {
    if (client !== undefined) {
      while (share.bytes + bytes > maximumPerClient) interruptOne(share, own);
      while (usedByClients + bytes > maximumOfClients) interruptOne(findLargest(own), own);
    }
    while (used + bytes > totalBytes) interruptOne(findLargest(own), own);
  }

  /** Finds the client with the most memory among those with a body that can be interrupted. */
  function findLargest(own: Reading | undefined): Share | undefined {
    let largest: Share | undefined;
    for (const [client, share] of shares) {
      if (client === undefined || share.bytes <= (largest?.bytes ?? 0)) continue;
      if (findLongestIdle(share, own) !== undefined) largest = share;
    }
    return largest;
  }

  return {
    open(client) {
      const share = shares.get(client) ?? { bytes: 0, bodies: 0, reading: new Set() };
      shares.set(client, share);
      share.bodies += 1;
      let reserved = 0;
      let reading: Reading | undefined;
      let isReleased = false;

      function change(bytes: number): void {
        reserved += bytes;
        share.bytes += bytes;
        used += bytes;
        if (client !== undefined) usedByClients += bytes;
      }

      function stopReading(): void {
        if (reading !== undefined) share.reading.delete(reading);
        reading = undefined;
      }

      function release(): void {
        if (isReleased) return;
        isReleased = true;
        stopReading();
        change(-reserved);
        share.bodies -= 1;
        if (share.bodies === 0) shares.delete(client);
      }

      return {
        reserve(bytes) {
          freeMemory(client, share, bytes, reading);
          change(bytes);
        },
        startReading(interrupt) {
          reading = {
            interrupt(error) {
              stopReading();
              // Frees the memory immediately, because another body needs it now.
              change(-reserved);
              interrupt(error);
            },
          };
        },
        progress() {
          if (reading === undefined) return;
          // Only now, because interrupting a body without memory would free nothing.
          share.reading.delete(reading);
          share.reading.add(reading);
        },
        stopReading,
        release,
      };
    },
  };
}

/** @throws BodyMemoryError if no body can be interrupted */
function interruptOne(share: Share | undefined, own: Reading | undefined): void {
  const longestIdle = share === undefined ? undefined : findLongestIdle(share, own);
  const error = new BodyMemoryError("The memory for request bodies is full.");
  if (longestIdle === undefined) throw error;
  longestIdle.interrupt(error);
}

function findLongestIdle({ reading }: Share, own: Reading | undefined): Reading | undefined {
  for (const each of reading) if (each !== own) return each;
  return undefined;
}
