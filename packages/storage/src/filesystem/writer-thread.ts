import process from "node:process";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { StorageError } from "../storage-error.ts";
import {
  applyCommits,
  countMutations,
  sweepExpired,
  type CommitGroup,
  type Refusal,
} from "./apply-commits.ts";
import { openDatabase, sharedNumberError } from "./database.ts";
import { isDiskFull, diskFullMessage } from "./disk-space.ts";
import { loadLmdb } from "./load-lmdb.ts";
import type { WriteFailure, WriterData, WriterReply, WriterRequest } from "./writer-messages.ts";

/**
 * The writer thread. It commits all waiting groups in one LMDB transaction with one flush. So the event loop
 * of the program never waits for the disk.
 */

/** Limits the length of one transaction, because other processes wait for it. */
const maxGroupsAtOnce = 16;
/** A change also rewrites the page that contains it. */
const pageBytes = 4_096;
/** A key that no store has. */
const probe = Uint8Array.of(0);

const port = parentPort;
if (port !== null) {
  try {
    await serve(port, workerData);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const { code, message, reason } = error;
    port.postMessage({ type: "refused", error: { code, message, reason } } satisfies WriterReply);
    // Ends this thread.
    process.exit();
  }
}

async function serve(port: NonNullable<typeof parentPort>, { directory }: WriterData): Promise<void> {
  const database = openDatabase<Uint8Array, Uint8Array>({
    lmdb: await loadLmdb(),
    directory,
    codec: { encoding: "binary", keyEncoding: "binary" },
  });
  const { data } = database;
  try {
    data.getBinaryFast(probe);
  } catch (error) {
    // lmdb 3.5.6 repeats the first read for 10 s. Then it throws this.
    throw error instanceof TypeError ? sharedNumberError(directory) : error;
  }
  let suspect = false;

  function reply(message: WriterReply, transfer: readonly ArrayBuffer[] = []): void {
    port.postMessage(message, [...transfer]);
  }

  /**
   * Checks the free space before LMDB writes. On a full disk lmdb 3.5.6 keeps the space that it has
   * allocated. Its error message overflows a buffer, so it aborts the process after a few failures.
   */
  function write(bytes: number, action: () => void): WriteFailure | undefined {
    if (bytes > 0 && isDiskFull(directory, bytes)) return { message: diskFullMessage, code: undefined };
    try {
      // After a failed write LMDB may reject every transaction. A read detects that without side effects.
      if (suspect) {
        data.resetReadTxn();
        data.getBinaryFast(probe);
      }
      database.write(action);
      suspect = false;
      return undefined;
    } catch (error) {
      suspect = true;
      const message = error instanceof Error ? error.message : String(error);
      return { message, code: error instanceof Error && "code" in error ? error.code : undefined };
    }
  }

  function commit(groups: readonly CommitGroup[]): void {
    let refusals: Refusal[] = [];
    const mutations = countMutations(groups);
    const bytes = groups.reduce((sum, { length }) => sum + length, mutations * pageBytes);
    // A commit that only checks needs no space.
    const failure = write(mutations === 0 ? 0 : bytes, () => {
      refusals = applyCommits(data, groups);
    });
    const buffers = groups.map(({ bytes }) => bytes);
    reply({ type: "committed", groups: groups.length, refusals, failure, buffers }, buffers);
  }

  function sweep(now: number | undefined, limit: number): void {
    let checked = 0;
    // Dead readers keep old pages in use until they are cleared.
    data.readerCheck();
    const failure = write(limit * pageBytes, () => {
      checked = sweepExpired(data, now ?? Date.now(), limit);
    });
    // A failed sweep must not repeat at once, or a full disk would cause an endless loop.
    reply({ type: "swept", checked: failure === undefined ? checked : 0 });
  }

  async function handle(first: WriterRequest): Promise<void> {
    let request: WriterRequest | undefined = first;
    const groups: CommitGroup[] = [];
    while (request?.type === "commits") {
      groups.push(request.group);
      request = groups.length < maxGroupsAtOnce ? receiveMessageOnPort(port)?.message : undefined;
    }
    if (groups.length > 0) commit(groups);
    if (request?.type === "sweep") sweep(request.now, request.limit);
    if (request?.type === "close") {
      port.close();
      await database.close();
    }
  }

  port.on("message", (message: WriterRequest) => void handle(message));
  reply({ type: "open" });
}
