import type { CommitGroup, Refusal } from "./apply-commits.ts";

/** What the writer's thread is started with. */
export interface WriterData {
  readonly directory: string;
}

/** To the thread. `sweep`: remove one window of what has expired. */
export type WriterRequest =
  | { readonly type: "commits"; readonly group: CommitGroup }
  | { readonly type: "sweep"; readonly now: number; readonly limit: number }
  | { readonly type: "close" };

/** What LMDB says of a transaction that failed. */
export interface WriteFailure {
  readonly message: string;
  /** The number of a system error, or one of LMDB's own. */
  readonly code: unknown;
}

/** From the thread. One `committed` answers the oldest `groups` requests that have no answer yet. */
export type WriterReply =
  | { readonly type: "open" }
  | {
      readonly type: "committed";
      readonly groups: number;
      readonly refusals: readonly Refusal[];
      /** Set where the transaction failed, and with it every commit of the groups. */
      readonly failure: WriteFailure | undefined;
      /** The memory of the groups, to be used again. */
      readonly buffers: readonly ArrayBuffer[];
    }
  | { readonly type: "swept"; readonly looked: number };
