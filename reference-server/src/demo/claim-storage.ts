import { partitionOf, StorageError } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { ServerError } from "../server-error.ts";
import type { WriteServerLogLine } from "../server-log-lines.ts";
import { isReceiverRunning } from "./is-receiver-running.ts";
import { demoNames } from "./demo-names.ts";

/**
 * A claim on a storage. It stops a second demo from replacing the account, the key and the webhook of a running one.
 */
export interface DemoClaim {
  /** Publishes the address of this demo in the claim. */
  announce(url: string): Promise<void>;
  release(): Promise<void>;
}

/** The claim as it is stored. */
interface ClaimRow {
  /** A new id for each start. The receiver responds with it. */
  readonly id: string;
  readonly receiverUrl: string;
  readonly host: string;
  readonly processId: number;
  /** Null until the server listens. */
  readonly url: string | null;
  /** Milliseconds since the epoch. */
  readonly renewedAt: number;
}

export interface ClaimStorageOptions {
  readonly store: Store;
  /** The storage as messages name it. */
  readonly storage: string;
  /** Its receiver must already run, because another demo may check it immediately. */
  readonly claimant: Pick<ClaimRow, "id" | "receiverUrl" | "host" | "processId">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: WriteServerLogLine;
}

const key: Key = [partitionOf(demoNames.accountId), "demo-claim"];
const renewEveryMs = 5_000;
/** The receiver of another host cannot be checked. So the claim of a demo that died there expires after this time. */
const expiresAfterMs = 20_000;

/**
 * Claims the storage for one demo. It takes over the claim of a demo that no longer runs, even after `kill -9`. If two
 * start at the same time, one is refused, because the commit is conditional.
 *
 * @throws {ServerError} `storage_in_use` if another demo uses the storage
 */
export async function claimStorage(options: ClaimStorageOptions): Promise<DemoClaim> {
  const { store, storage, claimant, now, log } = options;
  let url: string | null = null;
  await take().catch((cause: unknown) => {
    if (!(cause instanceof StorageError)) throw cause;
    throw new ServerError("storage_unavailable", `the demo cannot start on ${storage}. ${cause.message}`, {
      cause,
    });
  });
  let renewal = Promise.resolve();
  const timer = setInterval(() => void renew(), renewEveryMs).unref();

  async function take(): Promise<void> {
    for (;;) {
      const found = await store.get(key);
      if (found !== undefined) await refuseIfAlive(JSON.parse(found), options);
      if (await write(found)) return;
    }
  }

  async function write(found: string | undefined): Promise<boolean> {
    const row: ClaimRow = { ...claimant, url, renewedAt: now() };
    const mutations = [{ type: "set" as const, key, value: JSON.stringify(row) }];
    return (await store.commit(key[0], { checks: [{ key, value: found }], mutations })).ok;
  }

  /** One write at a time, so that no write conflicts with another. */
  function renew(): Promise<void> {
    renewal = renewal.then(renewNow).catch((error: unknown) => {
      log("demo_claim_not_renewed", { error });
    });
    return renewal;
  }

  async function renewNow(): Promise<void> {
    const found = await store.get(key);
    if ((found === undefined || isOwn(found)) && (await write(found))) return;
    clearInterval(timer);
    log("demo_claim_lost", { storage });
  }

  function isOwn(found: string): boolean {
    const row: ClaimRow = JSON.parse(found);
    return row.id === claimant.id;
  }

  return {
    announce(listening) {
      url = listening;
      return renew();
    },
    async release() {
      clearInterval(timer);
      await renewal;
      const found = await store.get(key);
      if (found === undefined || !isOwn(found)) return;
      await store.commit(key[0], {
        checks: [{ key, value: found }],
        mutations: [{ type: "delete", key }],
      });
    },
  };
}

/** On this host the receiver is checked directly. On another host the claim must be recent. */
async function refuseIfAlive(row: ClaimRow, { storage, claimant, now }: ClaimStorageOptions): Promise<void> {
  const isHere = row.host === claimant.host;
  const isAlive = isHere
    ? await isReceiverRunning({ url: row.receiverUrl, id: row.id })
    : Math.abs(now() - row.renewedAt) < expiresAfterMs;
  if (!isAlive) return;
  const where = [
    ...(row.url === null ? [] : [row.url]),
    `process ${row.processId}${isHere ? "" : ` on ${row.host}`}`,
  ];
  const expiryHint = isHere ? "" : ` If it was killed there, try again in ${expiresAfterMs / 1_000} seconds.`;
  throw new ServerError(
    "storage_in_use",
    `--demo: another demo uses ${storage} (${where.join(", ")}), and two demos would replace each other's account. Use that one, stop it, or choose another storage and port for this one, such as --storage memory --port 0.${expiryHint}`,
  );
}
