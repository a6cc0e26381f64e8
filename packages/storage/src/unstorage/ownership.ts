import { StorageError } from "../storage-error.ts";
import { itemBase, nextSession, ownerName, type ItemName } from "./item-names.ts";
import type { Items } from "./items.ts";
import { isKnownDead, parseProcessName, thisProcess } from "./this-process.ts";

/** The exclusive ownership of a storage, as far as it can be detected without conditional writes. */
export interface Ownership {
  readonly session: string;
  /**
   * Must be called after each write and before its commits are acknowledged.
   *
   * @throws {StorageError} `in_use` if another process has taken over, `unavailable` if that is not yet known
   */
  confirm(): Promise<void>;
  /** Returns whether another process has taken over. The data in memory may then be outdated. */
  isLost(): boolean;
  release(): Promise<void>;
}

/** After this many missed heartbeats an owner counts as dead. */
const missedHeartbeats = 3;
/** The sessions of this process. Its process id cannot tell whether they are still open. */
const openHere = new Set<string>();

/**
 * Takes ownership, or waits until the current owner proves to be alive (then it throws) or dead.
 *
 * Each process writes its own item before it lists those of others, so of two concurrent processes at least
 * one sees the other. An owner renews its item. After three intervals without a renewal it acknowledges
 * commits only if no later session exists. This requires that reads and lists of the driver see earlier
 * writes. Otherwise two processes may write at once, which recovery detects.
 *
 * @param options.clock monotonic milliseconds
 * @throws {StorageError} `in_use`, `unavailable`
 */
export async function takeOwnership(options: {
  readonly items: Items;
  readonly heartbeatMs: number;
  readonly random: () => string;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}): Promise<Ownership> {
  const { items, heartbeatMs, random, clock, onError } = options;
  const staleMs = heartbeatMs * missedHeartbeats;
  const session = nextSession(await items.list(), random());
  const candidate = ownerName("candidate", session);
  const owner = ownerName("owner", session);
  let count = 0;
  /** The send time of the last successful heartbeat. */
  let confirmedAt = clock();
  let lost = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let runningBeat: Promise<void> | undefined;

  /** Writes a heartbeat and returns its send time. */
  async function beat(name: string): Promise<number> {
    const sentAt = clock();
    await items.write(name, JSON.stringify({ ...thisProcess, count: count++ }));
    return sentAt;
  }

  function isFresh(): boolean {
    return clock() - confirmedAt < staleMs;
  }

  async function withdraw(): Promise<void> {
    openHere.delete(session);
    await Promise.allSettled([items.remove(candidate), items.remove(owner)]);
  }

  /** Writes a heartbeat before it lists other sessions, so of two owners at least one sees the other. */
  async function renew(): Promise<void> {
    const wasFresh = isFresh();
    const sentAt = await beat(owner);
    const later = (await items.list()).filter((item) => item.session > session);
    if (later.some(({ kind }) => kind !== "candidate")) lost = true;
    // A waiting process does not take over from an owner with a recent heartbeat. Otherwise the outcome is
    // still open.
    else if (wasFresh || later.length === 0) confirmedAt = Math.max(confirmedAt, sentAt);
    else throw undecided();
  }

  function scheduleBeat(): void {
    timer = setTimeout(() => {
      runningBeat = renew()
        .catch(onError)
        .finally(() => {
          if (!lost && timer !== undefined) scheduleBeat();
        });
    }, heartbeatMs);
    timer.unref();
  }

  openHere.add(session);
  try {
    await beat(candidate);
    if (typeof (await items.read(candidate)) === "string") throw storesNothing();
    await waitForOthers({ items, session, heartbeatMs, staleMs, clock, beat: () => beat(candidate) });
    confirmedAt = await beat(owner);
    await items.remove(candidate);
    const rival = (await items.list()).find(
      ({ kind, session: other }) => kind === "owner" && other !== session,
    );
    if (rival !== undefined) throw inUse("another process opened it at the same time");
  } catch (error) {
    await withdraw();
    throw error;
  }
  scheduleBeat();

  return {
    session,
    isLost: () => lost,
    async confirm() {
      if (!lost && !isFresh()) await renew();
      if (lost) throw inUse("this process missed its heartbeats, and another process has taken over");
    },
    async release() {
      clearTimeout(timer);
      timer = undefined;
      await runningBeat;
      openHere.delete(session);
      // If the driver fails, the item remains, and the next process detects that its owner is dead.
      await items.remove(owner).catch(onError);
    },
  };
}

/** Resolves when no other process owns or opens the storage. Removes the items of dead processes. */
async function waitForOthers(options: {
  readonly items: Items;
  readonly session: string;
  readonly heartbeatMs: number;
  readonly staleMs: number;
  readonly clock: () => number;
  readonly beat: () => Promise<unknown>;
}): Promise<void> {
  const { items, session, heartbeatMs, staleMs, clock, beat } = options;
  const seen = new Map<string, { readonly text: string; readonly since: number }>();

  /** Returns whether the process of an item is dead. */
  async function isDead({ name, session: other, kind }: ItemName): Promise<boolean> {
    const found = await items.read(name);
    if (found === "absent") return true;
    const text = found === "damaged" ? "" : found.json;
    if (openHere.has(other))
      throw inUse("this process already has it open. Use that store, or close it first");
    if (isKnownDead(parseProcessName(text))) return true;
    const before = seen.get(name);
    if (before === undefined || before.text !== text) {
      // Of two candidates the later one gives up and the earlier one waits.
      const givesUp = kind === "owner" || other < session;
      if (before !== undefined && givesUp) throw inUse(`${describe(text)} has it open`);
      seen.set(name, { text, since: clock() });
      return false;
    }
    return clock() - before.since >= staleMs;
  }

  for (let lastBeatAt = clock(); ;) {
    const others = (await items.list()).filter(
      ({ kind, session: other }) => (kind === "owner" || kind === "candidate") && other !== session,
    );
    let waiting = false;
    for (const other of others) {
      if (await isDead(other)) await items.remove(other.name);
      else waiting = true;
    }
    if (!waiting) return;
    if (clock() - lastBeatAt >= heartbeatMs) {
      lastBeatAt = clock();
      await beat();
    }
    await new Promise((resolve) => setTimeout(resolve, heartbeatMs / 4));
  }
}

function describe(text: string): string {
  const { host, process: id } = parseProcessName(text);
  return host === undefined ? "another process" : `process ${id} on ${host}`;
}

function inUse(reason: string): StorageError {
  return new StorageError(
    "in_use",
    `The unstorage storage is in use: ${reason}. Only one process may use it. Stop the other process, use another storage, or use the filesystem or Redis store, which several processes can share.`,
  );
}

function undecided(): StorageError {
  return new StorageError(
    "unavailable",
    "This process missed its heartbeats, and another process is opening the storage. It is not known yet which process will own it. Try again.",
  );
}

function storesNothing(): StorageError {
  return new StorageError(
    "unavailable",
    `The unstorage driver does not return written items (${itemBase}:…). It may be read-only or store nothing. Mount a driver that stores items.`,
  );
}
