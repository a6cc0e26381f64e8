import { sumError } from "../commit/counter.ts";
import type { Commit, CommitResult } from "../port.ts";
import { toCommitArguments, type CommitArguments } from "./commit-arguments.ts";

/** Applies the commits of one partition in one call, and answers what the commit script answers. */
export type ApplyCommits = (partition: string, values: readonly string[]) => Promise<unknown>;

/** Collects commits, and sends those of one partition that are asked for together as one call. */
export interface CommitGroups {
  commit(partition: string, commit: Commit): Promise<CommitResult>;
  /** Sends what has been collected. */
  flush(): void;
}

interface Waiting extends CommitArguments {
  readonly wakes: boolean;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

const committed: CommitResult = Object.freeze({ ok: true });

/** Redis does nothing else while it applies a group: a few milliseconds at this size. A larger commit goes alone. */
const mostValues = 8_000;

export function createCommitGroups(options: {
  readonly apply: ApplyCommits;
  /** Told of a commit with `wake` that has happened. */
  readonly onWake: (partition: string) => void;
}): CommitGroups {
  const collected = new Map<string, Waiting[]>();
  let isFlushPlanned = false;

  function flush(): void {
    const partitions = [...collected];
    collected.clear();
    for (const [partition, waiting] of partitions) {
      for (const group of toGroups(waiting)) void send(partition, group);
    }
  }

  async function send(partition: string, group: readonly Waiting[]): Promise<void> {
    try {
      const values = group.flatMap((one) => one.values);
      const succeeded = settle(group, await options.apply(partition, values));
      if (succeeded.some(({ wakes }) => wakes)) options.onWake(partition);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return {
    commit(partition, commit) {
      return new Promise((resolve, reject) => {
        const wakes = commit.wake === true;
        const waiting = { ...toCommitArguments(partition, commit), wakes, resolve, reject };
        const others = collected.get(partition);
        if (others === undefined) collected.set(partition, [waiting]);
        else others.push(waiting);
        if (isFlushPlanned) return;
        isFlushPlanned = true;
        setImmediate(() => {
          isFlushPlanned = false;
          flush();
        });
      });
    },
    flush,
  };
}

function toGroups(waiting: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const one of waiting) {
    size += one.values.length;
    if (size > mostValues) {
      groups.push([]);
      size = one.values.length;
    }
    groups.at(-1)?.push(one);
  }
  return groups;
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
    const key = (kind === 1 ? one.checked : one.stepped)[place];
    if (key === undefined) one.reject(new Error(`the commit script answered ${String(reply)}`));
    else if (kind === 1) one.resolve({ ok: false, failed: key });
    else one.reject(sumError(kind === 2 ? "not_an_integer" : "out_of_range", key));
    return false;
  });
}
