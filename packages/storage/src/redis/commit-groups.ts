import { sumError } from "../commit/counter.ts";
import { checkPartition } from "../commit/refusals.ts";
import { createWokenKeys, isWake, readWake } from "../commit/woken-keys.ts";
import type { WokenKeys } from "../commit/woken-keys.ts";
import { decodeKey } from "../keys/key-codec.ts";
import type { Commit, CommitResult, Key } from "../port.ts";
import type { ArgumentWriter, EncodedArguments } from "./argument-writer.ts";
import { writeCommit } from "./write-commit.ts";
import type { WriterPool } from "./writer-pool.ts";

/** Applies commits of one partition in one call, and answers what the commit script answers. */
export type ApplyCommits = (partition: string, commits: CommitsOfGroup) => Promise<unknown>;

export interface CommitsOfGroup {
  readonly encoded: EncodedArguments;
  /** Of the kinds of key that they set to the empty text. */
  readonly marks: ReadonlySet<number>;
  /** What those are told whom one of them wakes. */
  readonly beneath: readonly Key[] | undefined;
}

/** Collects commits, and sends those of one partition that are asked for together as one call. */
export interface CommitGroups {
  commit(partition: string, commit: Commit): Promise<CommitResult>;
  /** Resolves when nothing is collected or under way any more. */
  settled(): Promise<void>;
}

/**
 * What is left of a commit once it is written. Its rows would survive the collector's young generation, commit by commit, only to
 * be dropped with the reply; and its arrays are the caller's again.
 */
interface Waiting {
  readonly isWake: boolean;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Group {
  readonly partition: string;
  readonly writer: ArgumentWriter;
  readonly marks: Set<number>;
  readonly woken: WokenKeys;
  readonly waiting: Waiting[];
  readonly begunAt: number;
}

const committed: CommitResult = Object.freeze({ ok: true });

/** Redis does nothing else while it applies a group: a millisecond or two at this size. A larger commit goes alone. */
const mostBytes = 64 * 1024;
/** When a call has failed, what has waited for so long behind it fails with it: nobody should wait for two time-outs. */
const mostWaitMs = 1_000;

export function createCommitGroups(options: {
  readonly apply: ApplyCommits;
  readonly writers: WriterPool;
  /**
   * More is not sent before replies come. What waits here is still collected, and reads are sent past it: behind half a megabyte
   * of commits, on the same connection, they would wait for all of it.
   */
  readonly mostBytesUnderWay: number;
  /** Calls back once, when it is time to send. */
  readonly beforeFlush: (send: () => void) => void;
  /** Told of a commit with `wake` that has happened. */
  readonly onWake: (partition: string, beneath: readonly Key[] | undefined) => void;
}): CommitGroups {
  /** In the order in which they were begun: so are those of one partition sent, and carried out. */
  let collected: Group[] = [];
  /** The last of each partition that is collected and has room. */
  const open = new Map<string, Group>();
  const whenSettled: (() => void)[] = [];
  let bytesUnderWay = 0;
  let underWay = 0;
  let isFlushPlanned = false;

  function planFlush(): void {
    if (isFlushPlanned) return;
    isFlushPlanned = true;
    options.beforeFlush(() => {
      isFlushPlanned = false;
      flush();
    });
  }

  function flush(): void {
    let sent = 0;
    for (const group of collected) {
      if (bytesUnderWay >= options.mostBytesUnderWay) break;
      sent += 1;
      if (open.get(group.partition) === group) open.delete(group.partition);
      void send(group);
    }
    collected = collected.slice(sent);
    tellSettled();
  }

  function tellSettled(): void {
    if (collected.length === 0 && underWay === 0) for (const resolve of whenSettled.splice(0)) resolve();
  }

  function groupOf(partition: string): Group {
    const known = open.get(partition);
    if (known !== undefined && known.writer.byteLength() < mostBytes) return known;
    const group: Group = {
      partition,
      writer: options.writers.take(),
      marks: new Set(),
      woken: createWokenKeys(),
      waiting: [],
      begunAt: performance.now(),
    };
    collected.push(group);
    open.set(partition, group);
    planFlush();
    return group;
  }

  async function send({ partition, writer, marks, woken, waiting }: Group): Promise<void> {
    // What was to be its only commit could not be written.
    if (waiting.length === 0) return options.writers.giveBack(writer);
    const encoded = writer.arguments();
    const beneath = woken.joined();
    bytesUnderWay += encoded.byteLength;
    underWay += 1;
    try {
      const reply = await options.apply(partition, { encoded, marks, beneath });
      options.writers.giveBack(writer);
      const succeeded = settle(waiting, reply);
      if (succeeded.some(({ isWake }) => isWake)) options.onWake(partition, beneath);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      refuseLate(error);
    } finally {
      bytesUnderWay -= encoded.byteLength;
      underWay -= 1;
      if (collected.length > 0) planFlush();
      tellSettled();
    }
  }

  function refuseLate(error: unknown): void {
    const latest = performance.now() - mostWaitMs;
    const late = collected.filter(({ begunAt }) => begunAt < latest);
    collected = collected.filter(({ begunAt }) => begunAt >= latest);
    for (const group of late) {
      if (open.get(group.partition) === group) open.delete(group.partition);
      options.writers.giveBack(group.writer);
      for (const { reject } of group.waiting) reject(error);
    }
  }

  return {
    commit(partition, commit) {
      return new Promise((resolve, reject) => {
        checkPartition(partition);
        const { writer, marks, woken, waiting } = groupOf(partition);
        const { wake } = commit;
        const beneath = isWake(wake) ? readWake(wake, partition) : undefined;
        writeCommit(writer, marks, { partition, commit });
        if (isWake(wake)) woken.add(beneath);
        waiting.push({ isWake: isWake(wake), resolve, reject });
      });
    },
    settled() {
      if (collected.length === 0 && underWay === 0) return Promise.resolve();
      return new Promise((resolve) => whenSettled.push(resolve));
    },
  };
}

/** The reply names the refused commits alone: number, kind and encoded key of each. Answers the others. */
function settle(group: readonly Waiting[], reply: unknown): Waiting[] {
  const refused: readonly unknown[] = Array.isArray(reply) ? reply : [];
  let next = 0;
  return group.filter((one, index) => {
    if (next >= refused.length || Number(refused[next]) !== index) {
      one.resolve(committed);
      return true;
    }
    const kind = Number(refused[next + 1]);
    const key = decodeKey(String(refused[next + 2]));
    next += 3;
    if (kind === 1) one.resolve({ ok: false, failed: key });
    else one.reject(sumError(kind === 2 ? "not_an_integer" : "out_of_range", key));
    return false;
  });
}
