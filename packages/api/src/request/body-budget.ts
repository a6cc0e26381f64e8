import { BodyMemoryError } from "./body-memory-error.ts";

/** Limits the memory of all request bodies in progress. */
export interface BodyBudget {
  /** @param client who sends the request: an account, or all public requests. Undefined for the host, which is trusted. */
  open(client: string | undefined): BodyMemory;
}

/** The memory of one request body. */
export interface BodyMemory {
  /** @throws BodyMemoryError if there is no memory left */
  reserve(bytes: number): void;
  /** The body is read from now on. `interrupt` is called if its memory is needed for another body; the memory is then free. */
  startReading(interrupt: (error: BodyMemoryError) => void): void;
  /** More of the body has arrived. */
  progress(): void;
  /** The body is complete, or not read any more. It is not interrupted from now on, and keeps its memory. */
  stopReading(): void;
  /** Gives the memory back. */
  release(): void;
}

interface Reading {
  readonly interrupt: (error: BodyMemoryError) => void;
}

interface Share {
  bytes: number;
  bodies: number;
  /** The bodies that are being read. The one that has been silent for the longest time is the first. */
  readonly reading: Set<Reading>;
}

/**
 * Shares the memory for request bodies. A client gets at most a quarter of it, all clients together three quarters, and the host
 * everything that is free.
 *
 * If a share is full, the body that has been silent for the longest time is interrupted. A new request is refused only if no body
 * can be interrupted. So stalled bodies never keep out a client that sends its body at once.
 */
export function createBodyBudget({ totalBytes }: { readonly totalBytes: number }): BodyBudget {
  const mostOfClient = totalBytes / 4;
  const mostOfClients = mostOfClient * 3;
  const shares = new Map<string | undefined, Share>();
  let used = 0;
  let usedByClients = 0;

  function makeRoom(client: string | undefined, share: Share, bytes: number, own: Reading | undefined): void {
    if (client !== undefined) {
      while (share.bytes + bytes > mostOfClient) interruptOne(share, own);
      while (usedByClients + bytes > mostOfClients) interruptOne(findLargest(own), own);
    }
    while (used + bytes > totalBytes) interruptOne(findLargest(own), own);
  }

  /** The client with the most memory, among those with a body that can be interrupted. */
  function findLargest(own: Reading | undefined): Share | undefined {
    let largest: Share | undefined;
    for (const [client, share] of shares) {
      if (client === undefined || share.bytes <= (largest?.bytes ?? 0)) continue;
      if (findSilent(share, own) !== undefined) largest = share;
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
          makeRoom(client, share, bytes, reading);
          change(bytes);
        },
        startReading(interrupt) {
          reading = {
            interrupt(error) {
              stopReading();
              // At once, and not when the request has ended: another body needs the memory now.
              change(-reserved);
              interrupt(error);
            },
          };
        },
        progress() {
          if (reading === undefined) return;
          // Only now: to interrupt a body of which nothing has arrived would free no memory.
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
  const silent = share === undefined ? undefined : findSilent(share, own);
  const error = new BodyMemoryError("The memory for request bodies is full.");
  if (silent === undefined) throw error;
  silent.interrupt(error);
}

function findSilent({ reading }: Share, own: Reading | undefined): Reading | undefined {
  for (const each of reading) if (each !== own) return each;
  return undefined;
}
