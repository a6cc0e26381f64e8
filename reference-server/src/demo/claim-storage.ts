import { partitionOf, StorageError } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { ServerError } from "../server-error.ts";
import type { WriteServerLogLine } from "../server-log-lines.ts";
import { askReceiver } from "./ask-receiver.ts";
import { demoNames } from "./demo-names.ts";

/** What keeps a second demo from taking the account, the key and the webhook of the one that is at work on a storage. */
export interface DemoClaim {
  /** Tells who comes later where this demo listens. */
  announce(url: string): Promise<void>;
  release(): Promise<void>;
}

/** Who has the claim, as it is stored. */
interface ClaimRow {
  /** Made anew at each start; its receiver answers it. */
  readonly id: string;
  readonly receiverUrl: string;
  readonly host: string;
  readonly processId: number;
  /** Null until it listens. */
  readonly url: string | null;
  /** Milliseconds since the epoch. */
  readonly renewedAt: number;
}

export interface ClaimStorageOptions {
  readonly store: Store;
  /** The storage as messages name it. */
  readonly storage: string;
  /** Its receiver answers already: who finds the claim asks it at once. */
  readonly claimant: Pick<ClaimRow, "id" | "receiverUrl" | "host" | "processId">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: WriteServerLogLine;
}

const key: Key = [partitionOf(demoNames.accountId), "demo-claim"];
const renewEveryMs = 5_000;
/** The receiver of another host cannot be asked, so there the claim of a demo that died ends by itself. */
const lapsesAfterMs = 20_000;

/**
 * Claims the storage for one demo. The claim of a demo that is gone, by `kill -9` too, is taken over; of two that start at
 * once one is refused, since the commit checks what was found.
 *
 * @throws {ServerError} `storage_in_use` while another demo is at work there
 */
export async function claimStorage(options: ClaimStorageOptions): Promise<DemoClaim> {
  const { store, storage, claimant, now, log } = options;
  let url: string | null = null;
  await take().catch((cause: unknown) => {
    if (!(cause instanceof StorageError)) throw cause;
    throw new ServerError("storage_unavailable", `the demo cannot begin on ${storage}. ${cause.message}`, {
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

  /** One after the other, so that none finds what another is writing. */
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

/** On this host its receiver is asked, which knows better than any clock; on another one the claim has to be fresh. */
async function refuseIfAlive(row: ClaimRow, { storage, claimant, now }: ClaimStorageOptions): Promise<void> {
  const isHere = row.host === claimant.host;
  const isAlive = isHere
    ? await askReceiver({ url: row.receiverUrl, id: row.id })
    : Math.abs(now() - row.renewedAt) < lapsesAfterMs;
  if (!isAlive) return;
  const where = [
    ...(row.url === null ? [] : [row.url]),
    `process ${row.processId}${isHere ? "" : ` on ${row.host}`}`,
  ];
  const lapse = isHere ? "" : ` If it was killed there, try again in ${lapsesAfterMs / 1_000} seconds.`;
  throw new ServerError(
    "storage_in_use",
    `--demo: another demo is at work on ${storage} (${where.join(", ")}), and two would take each other's account. Use that one or stop it, or give this one a storage and a port of its own, such as --storage memory --port 0.${lapse}`,
  );
}
