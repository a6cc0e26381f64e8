export { judgeCommits, type Change, type Judgement } from "./commit/judge-commits.ts";
export { prepareCommit, type PreparedCommit, type PreparedMutation } from "./commit/prepare-commit.ts";
export { checkPartition, closedError } from "./commit/refusals.ts";
export type { Held } from "./commit/counter.ts";
export { createMergedKeys, type MergedKeys } from "./commit/merged-keys.ts";
export { decodeKey, encodeKey } from "./keys/key-codec.ts";
export { listEntries, type ScannedRange } from "./keys/list-entries.ts";
export { toKeyRange, type KeyRange } from "./keys/key-range.ts";
