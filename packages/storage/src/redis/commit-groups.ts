import { sumError } from "../commit/counter.ts";
import { checkPartition } from "../commit/refusals.ts";
import type { Check, Commit, CommitResult, Key, Mutation } from "../port.ts";
import { packCommit } from "./pack-commit.ts";
import { createPackedValues, type PackedValues } from "./packed-values.ts";

/** Applies commits of one partition, packed, in one call, and answers what the commit script answers. */
export type ApplyCommits = (partition: string, commits: Buffer) => Promise<unknown>;

/** Collects commits, and sends those of one partition that are asked for together as one call. */
export interface CommitGroups {
  commit(partition: string, commit: Commit): Promise<CommitResult>;
}

/**
 * What is left of a commit once it is packed: enough to name the key that it is refused for. Its rows would survive the
 * collector's young generation, commit by commit, only to be dropped with the reply.
 */
interface Waiting {
  readonly wake: boolean;
  readonly checks: readonly Check[];
  /** By place among the mutations; there are none where nothing is summed. */
  readonly summedKeys: readonly (Key | undefined)[];
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Group {
  readonly partition: string;
  readonly values: PackedValues;
  /** Closes the array of commits. */
  readonly close: (length: number) => void;
  readonly waiting: Waiting[];
}

const committed: CommitResult = Object.freeze({ ok: true });

/** Redis does nothing else while it applies a group: a few milliseconds at this size. A larger commit goes alone. */
const mostBytes = 256 * 1024;

export function createCommitGroups(options: {
  readonly apply: ApplyCommits;
  /** Calls back once, when it is time to send. */
  readonly beforeFlush: (send: () => void) => void;
  /** Told of a commit with `wake` that has happened. */
  readonly onWake: (partition: string) => void;
}): CommitGroups {
  const groups = new Map<string, Group>();
  /** Buffers of groups that were sent, to be written anew. */
  const spare: PackedValues[] = [];

  function flush(): void {
    for (const group of groups.values()) void send(group);
    groups.clear();
  }

  function groupOf(partition: string): Group {
    const open = groups.get(partition);
    if (open !== undefined && open.values.length < mostBytes) return open;
    if (open !== undefined) void send(open);
    if (groups.size === 0) options.beforeFlush(flush);
    const values = spare.pop() ?? createPackedValues();
    const group: Group = { partition, values, close: values.array(), waiting: [] };
    groups.set(partition, group);
    return group;
  }

  async function send({ partition, values, close, waiting }: Group): Promise<void> {
    close(waiting.length);
    const commits = values.take();
    if (spare.length < 64) spare.push(values);
    if (waiting.length === 0) return;
    try {
      const succeeded = settle(waiting, await options.apply(partition, commits));
      if (succeeded.some(({ wake }) => wake)) options.onWake(partition);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return {
    commit(partition, commit) {
      return new Promise((resolve, reject) => {
        checkPartition(partition);
        const { values, waiting } = groupOf(partition);
        packCommit(values, partition, commit);
        const { checks = noChecks, mutations, wake = false } = commit;
        waiting.push({ wake, checks, summedKeys: summedKeysOf(mutations), resolve, reject });
      });
    },
  };
}

const noChecks: readonly Check[] = [];
const noKeys: readonly Key[] = [];

function summedKeysOf(mutations: readonly Mutation[]): readonly (Key | undefined)[] {
  if (!mutations.some(({ type }) => type === "sum")) return noKeys;
  return mutations.map(({ type, key }) => (type === "sum" ? key : undefined));
}

/** The reply names the refused commits alone: number, kind and place of each. Answers the others. */
function settle(group: readonly Waiting[], reply: unknown): Waiting[] {
  const refused = Array.isArray(reply) ? reply.map(Number) : [];
  let next = 0;
  return group.filter((one, index) => {
    if (refused[next] !== index) {
      one.resolve(committed);
      return true;
    }
    const [, kind, place = -1] = refused.slice(next, next + 3);
    next += 3;
    const key = kind === 1 ? one.checks[place]?.key : one.summedKeys[place];
    if (key === undefined) one.reject(new Error(`the commit script answered ${String(reply)}`));
    else if (kind === 1) one.resolve({ ok: false, failed: key });
    else one.reject(sumError(kind === 2 ? "not_an_integer" : "out_of_range", key));
    return false;
  });
}
