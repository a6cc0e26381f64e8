import type { StorageError } from "../storage-error.ts";
import type { CommitGroup, Refusal } from "./apply-commits.ts";

/** The input of the writer thread. */
export interface WriterData {
  readonly directory: string;
}

/** A message to the thread. `sweep` removes up to `limit` expired entries. */
export type WriterRequest =
  | { readonly type: "commits"; readonly group: CommitGroup }
  | { readonly type: "sweep"; readonly now: number | undefined; readonly limit: number }
  | { readonly type: "close" };

/** A `StorageError` of the opening. Threads exchange no classes. */
export type RefusedOpening = Pick<StorageError, "code" | "message" | "reason">;

/** LMDB's error of a failed transaction. */
export interface WriteFailure {
  readonly message: string;
  /** A system error number or an LMDB error number. */
  readonly code: unknown;
}

/** A message from the thread. One `committed` answers the oldest `groups` requests. */
export type WriterReply =
  | { readonly type: "open" }
  | { readonly type: "refused"; readonly error: RefusedOpening }
  | {
      readonly type: "committed";
      readonly groups: number;
      readonly refusals: readonly Refusal[];
      /** Set if the transaction failed. All commits of the groups failed with it. */
      readonly failure: WriteFailure | undefined;
      /** The buffers of the groups, for reuse. */
      readonly buffers: readonly ArrayBuffer[];
    }
  | { readonly type: "swept"; readonly checked: number };
