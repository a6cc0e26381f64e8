import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import {
  applyCommits,
  countMutations,
  sweepExpired,
  type CommitGroup,
  type Refusal,
} from "./apply-commits.ts";
import { openDatabase } from "./database.ts";
import { isDiskFull, noRoom } from "./disk-room.ts";
import { loadLmdb } from "./load-lmdb.ts";
import type { WriteFailure, WriterData, WriterReply, WriterRequest } from "./writer-messages.ts";

/**
 * The thread that writes. Whatever has been sent by the time it looks becomes one LMDB transaction and one flush: the more
 * commits arrive at once, the less each of them costs, and the event loop of the program never waits for the disk.
 */

/** Keeps one transaction, and so the time others wait for their turn, within bounds. */
const mostGroupsAtOnce = 16;
/** What a change takes beside its text: the page that it is on is written anew. */
const pageBytes = 4_096;

const port = parentPort;
if (port !== null) await serve(port, workerData);

async function serve(port: NonNullable<typeof parentPort>, { directory }: WriterData): Promise<void> {
  const database = openDatabase<Uint8Array, Uint8Array>({
    lmdb: await loadLmdb(),
    directory,
    codec: { encoding: "binary", keyEncoding: "binary" },
  });
  const { data } = database;
  let suspect = false;

  function reply(message: WriterReply, transfer: readonly ArrayBuffer[] = []): void {
    port.postMessage(message, [...transfer]);
  }

  /**
   * LMDB is not asked where there may not be the room. It keeps what it has taken of the disk when it fails, so that there is none
   * for smaller ones either; and it damages the memory of the process (lmdb 3.5.6 writes "Attempting to write page at position …"
   * into 100 bytes, which are too few: an abort after a few failures). Asking the disk takes a microsecond.
   */
  function write(bytes: number, action: () => void): WriteFailure | undefined {
    if (bytes > 0 && isDiskFull(directory, bytes)) return { message: noRoom, code: undefined };
    try {
      // After a failed write LMDB may refuse every transaction, and begins none: a read tells, without harm.
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
    // Checks alone are judged on a full disk too.
    const failure = write(mutations === 0 ? 0 : bytes, () => {
      refusals = applyCommits(data, groups);
    });
    const buffers = groups.map(({ bytes }) => bytes);
    reply({ type: "committed", groups: groups.length, refusals, failure, buffers }, buffers);
  }

  function sweep(now: number, limit: number): void {
    let looked = 0;
    // Readers that died without a word hold old pages back until somebody looks.
    data.readerCheck();
    const failure = write(limit * pageBytes, () => {
      looked = sweepExpired(data, now, limit);
    });
    // What was undone is not tried again at once: a disk that is full would be asked without end.
    reply({ type: "swept", looked: failure === undefined ? looked : 0 });
  }

  async function handle(first: WriterRequest): Promise<void> {
    let request: WriterRequest | undefined = first;
    const groups: CommitGroup[] = [];
    while (request?.type === "commits") {
      groups.push(request.group);
      request = groups.length < mostGroupsAtOnce ? receiveMessageOnPort(port)?.message : undefined;
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

const probe = Uint8Array.of(0);
