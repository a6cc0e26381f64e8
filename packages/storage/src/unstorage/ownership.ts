import { StorageError } from "../storage-error.ts";
import { itemBase, nextSession, ownerName, type ItemName } from "./item-names.ts";
import type { Items } from "./items.ts";
import { isKnownDead, parseProcessName, thisProcess } from "./this-process.ts";

/** That this process, and no other, has the storage open, as far as a driver without conditional writes can tell. */
export interface Ownership {
  readonly session: string;
  /**
   * Must be asked after each write and before anything is acknowledged on the strength of it.
   *
   * @throws {StorageError} `in_use` once another process has taken over, `unavailable` while that cannot be told
   */
  confirm(): Promise<void>;
  /** Whether another process has taken over: what is in memory may be out of date. */
  isLost(): boolean;
  release(): Promise<void>;
}

/** After so many intervals without a heartbeat an owner counts as dead. */
const missedHeartbeats = 3;
/** Sessions that this process has open: its own process id says nothing about them. */
const openHere = new Set<string>();

/**
 * Takes the storage, or waits until whoever has it is seen to be alive (then it is refused) or dead.
 *
 * Each opener has an item of its own, and looks for those of others only after it has written its own: of two that open at
 * once, at least one sees the other. An owner renews its item, and acknowledges nothing after three intervals without having
 * done so, unless it finds no trace of a later session. That holds as long as the driver shows a write to whoever reads and
 * lists after it. With a driver that does not, two processes may write at once; the log then tells, when it is opened next.
 *
 * @param options.clock milliseconds that never go back
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
  /** When the last heartbeat that is known to have arrived was sent. */
  let confirmedAt = clock();
  let lost = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let beating: Promise<void> | undefined;

  /** Answers when it was sent. */
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

  /** The heartbeat first, then a look at who else has been here: of two owners at least one sees the other. */
  async function renew(): Promise<void> {
    const wasFresh = isFresh();
    const sentAt = await beat(owner);
    const later = (await items.list()).filter((item) => item.session > session);
    if (later.some(({ kind }) => kind !== "candidate")) lost = true;
    // Whoever is fresh will not be taken over by one that waits; else that is not decided yet.
    else if (wasFresh || later.length === 0) confirmedAt = Math.max(confirmedAt, sentAt);
    else throw undecided();
  }

  function plan(): void {
    timer = setTimeout(() => {
      beating = renew()
        .catch(onError)
        .finally(() => {
          if (!lost && timer !== undefined) plan();
        });
    }, heartbeatMs);
    timer.unref();
  }

  openHere.add(session);
  try {
    await beat(candidate);
    if (typeof (await items.read(candidate)) === "string") throw keepsNothing();
    await waitForOthers({ items, session, heartbeatMs, staleMs, clock, beat: () => beat(candidate) });
    confirmedAt = await beat(owner);
    await items.remove(candidate);
    const rival = (await items.list()).find(
      ({ kind, session: other }) => kind === "owner" && other !== session,
    );
    if (rival !== undefined) throw inUse("another process opened it at the same moment");
  } catch (error) {
    await withdraw();
    throw error;
  }
  plan();

  return {
    session,
    isLost: () => lost,
    async confirm() {
      if (!lost && !isFresh()) await renew();
      if (lost) throw inUse("this process had not been heard of for a while, and another one has taken over");
    },
    async release() {
      clearTimeout(timer);
      timer = undefined;
      await beating;
      openHere.delete(session);
      // Left behind where the driver fails: the next to open then finds that its owner is dead.
      await items.remove(owner).catch(onError);
    },
  };
}

/** Resolves when nobody else has the storage, or is about to; those who are dead are cleared away. */
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

  /** Whether an item is cleared away because nobody is behind it. */
  async function isDead({ name, session: other, kind }: ItemName): Promise<boolean> {
    const found = await items.read(name);
    if (found === "absent") return true;
    const text = found === "damaged" ? "" : found.json;
    if (openHere.has(other)) throw inUse("this very process has it open: use that store, or close it first");
    if (isKnownDead(parseProcessName(text))) return true;
    const before = seen.get(name);
    if (before === undefined || before.text !== text) {
      // Of two candidates the later one steps back; the earlier one waits until it has.
      const stepsBack = kind === "owner" || other < session;
      if (before !== undefined && stepsBack) throw inUse(`it is kept open by ${describe(text)}`);
      seen.set(name, { text, since: clock() });
      return false;
    }
    return clock() - before.since >= staleMs;
  }

  for (let beatenAt = clock(); ;) {
    const others = (await items.list()).filter(
      ({ kind, session: other }) => (kind === "owner" || kind === "candidate") && other !== session,
    );
    let waiting = false;
    for (const other of others) {
      if (await isDead(other)) await items.remove(other.name);
      else waiting = true;
    }
    if (!waiting) return;
    if (clock() - beatenAt >= heartbeatMs) {
      beatenAt = clock();
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
    `The unstorage storage is in use, and serves one process alone: ${reason}. Stop the other one, give this one a storage of its own, or use the filesystem or Redis store, which several processes share.`,
  );
}

function undecided(): StorageError {
  return new StorageError(
    "unavailable",
    "Another process is trying to open the storage and this one had not been heard of for a while: it is not known yet which of the two goes on. Try again.",
  );
}

function keepsNothing(): StorageError {
  return new StorageError(
    "unavailable",
    `The unstorage driver does not give back what is written to it (${itemBase}:…): it may be read-only, or keep nothing. Mount a driver that stores.`,
  );
}
