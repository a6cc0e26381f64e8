import { randomBytes } from "node:crypto";
import process from "node:process";
import { isProcessAlive, processNamespace } from "../process-identity.ts";
import { StorageError } from "../storage-error.ts";
import type { Items } from "./items.ts";

/** The exclusive ownership of a storage, as far as it can be had without conditional writes. */
export interface Ownership {
  /** Distinguishes the items of this store. It is greater than those of earlier stores. */
  readonly session: string;
  /**
   * Must be called after each write and before its commits are acknowledged.
   *
   * @throws {StorageError} `in_use` if another process may have taken over, `unavailable`
   */
  confirm(): Promise<void>;
  /** @throws {StorageError} `in_use` if another process may have taken over */
  assertOwned(): void;
  release(): Promise<void>;
}

/** After this many missed heartbeats an owner counts as dead. */
const missedHeartbeats = 3;
/** The stores of this process. Its process id cannot tell whether they are open. */
const openHere = new Set<string>();
/** The item must come back unchanged. A driver that changes such characters would damage the log. */
const probe = "é😀\u2028\uFEFF";

const changesItems =
  "The unstorage driver does not return items as they were written (hookwright:owner:…). It may be read-only, store nothing, or change characters. Use a driver that stores texts in UTF-8.";
const incompleteList =
  "The unstorage driver does not list an item that it has stored (hookwright:owner:…). It may list only the first items, other names (http with a path in its base does), or new items only after a while. Use a driver that lists all items at once.";

/**
 * Takes ownership, or waits until the current owner proves to be alive (then it throws) or dead.
 *
 * Each process writes its own item before it lists those of others, so of two processes at least one sees the
 * other. An owner renews its item. After three intervals without a renewal it gives up if anybody else is there.
 *
 * @param options.now milliseconds since the epoch
 * @param options.clock monotonic milliseconds
 * @throws {StorageError} `in_use`, `unavailable`
 */
export async function takeOwnership(options: {
  readonly items: Items;
  readonly heartbeatMs: number;
  readonly now: () => number;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}): Promise<Ownership> {
  const { items, heartbeatMs, now, clock, onError } = options;
  const staleMs = heartbeatMs * missedHeartbeats;
  const times = (await items.list()).map((name) => Number(sessionOf(name).slice(0, 15)));
  const latest = times.reduce((most, each) => Math.max(most, each), 0);
  const time = String(Math.max(now(), latest + 1)).padStart(15, "0");
  const session = `${time}${randomBytes(4).toString("hex")}`;
  const own = `owner:${session}`;
  let beats = 0;
  /** The send time of the last heartbeat, and of the last one after which the ownership was certain. */
  let beatAt = clock();
  let confirmedAt = beatAt;
  let isLost = false;
  let renewing: Promise<void> | undefined;

  async function beat(): Promise<string> {
    const sentAt = clock();
    const text = [processNamespace(), process.pid, beats++, probe].join("\n");
    await items.write(own, text);
    beatAt = sentAt;
    return text;
  }

  function isFresh(): boolean {
    return clock() - confirmedAt < staleMs;
  }

  async function listOthers(): Promise<readonly string[]> {
    const names = await items.list();
    // It is the last name, so it is missing if the driver returns only the first ones.
    if (!names.includes(own)) throw new StorageError("unavailable", incompleteList);
    return names.filter((name) => name !== own);
  }

  async function renew(): Promise<void> {
    const wasFresh = isFresh();
    await beat();
    const sentAt = beatAt;
    const others = await listOthers();
    // A process that waits does not take over from an owner with a recent heartbeat.
    if (others.some((name) => (name.startsWith("owner:") ? !wasFresh : sessionOf(name) > session)))
      isLost = true;
    else confirmedAt = sentAt;
  }

  /** Resolves when no other process has or opens the storage. Removes the items of dead processes. */
  async function waitForOthers(): Promise<void> {
    const seen = new Map<string, { readonly text: string; readonly since: number }>();
    for (let isAlone = false; !isAlone;) {
      isAlone = true;
      for (const name of await listOthers()) {
        if (!name.startsWith("owner:")) continue;
        if (openHere.has(name)) throw inUse("this process already has it open");
        const found = await items.read(name);
        // The heartbeat of a killed process may be torn.
        const text = typeof found === "string" ? "" : found.text;
        const { text: before, since } = seen.get(name) ?? { text, since: clock() };
        seen.set(name, { text, since });
        if (found === "absent" || isDead(text) || clock() - since >= staleMs) await items.remove(name);
        else if (before !== text) throw inUse(`${describe(text)} has it open`);
        else isAlone = false;
      }
      if (isAlone) return;
      await new Promise((resolve) => setTimeout(resolve, heartbeatMs / 4));
    }
  }

  function assertOwned(): void {
    if (isLost) throw inUse("this process missed its heartbeats, and another process has taken over");
  }

  async function release(): Promise<void> {
    clearInterval(timer);
    await renewing;
    openHere.delete(own);
    // If the driver fails, the item remains, and the next process detects that its owner is dead.
    await items.remove(own).catch(onError);
  }

  const timer = setInterval(() => {
    // From then on it belongs to the other process.
    if (isLost) return clearInterval(timer);
    renewing ??= renew()
      .catch(onError)
      .finally(() => (renewing = undefined));
  }, heartbeatMs);
  timer.unref();
  openHere.add(own);
  try {
    const text = await beat();
    const found = await items.read(own);
    if (typeof found === "string" || found.text !== text) throw new StorageError("unavailable", changesItems);
    await waitForOthers();
    assertOwned();
    confirmedAt = beatAt;
  } catch (error) {
    await release();
    throw error;
  }
  return {
    session,
    assertOwned,
    async confirm() {
      if (!isLost && !isFresh()) await renew();
      assertOwned();
    },
    release,
  };
}

function sessionOf(name: string): string {
  return name.slice(name.indexOf(":") + 1).split("-", 1)[0] ?? "";
}

/** Returns whether the process of a heartbeat is certainly dead. That can be known only in the same namespace. */
function isDead(heartbeat: string): boolean {
  const [namespace, id] = heartbeat.split("\n");
  if (namespace !== processNamespace()) return false;
  // An earlier process may have had the id of this one.
  return Number(id) === process.pid || !isProcessAlive(Number(id));
}

function describe(heartbeat: string): string {
  const [namespace = "", id] = heartbeat.split("\n");
  return id === undefined ? "another process" : `process ${id} on ${namespace.split(" ", 1)[0]}`;
}

function inUse(reason: string): StorageError {
  return new StorageError(
    "in_use",
    `The unstorage storage is in use: ${reason}. Only one process may use it. Stop the other process and open the storage again, or use the filesystem, Redis or PostgreSQL store, which several processes can share.`,
  );
}
