export { judgeCommits, type Change, type Judgement } from "./commit/judge-commits.ts";
export {
  prepareCommit,
  type PreparedCommit,
  type PreparedKey,
  type PreparedMutation,
} from "./commit/prepare-commit.ts";
export { checkPartition, closedError } from "./commit/refusals.ts";
export type { Held } from "./commit/sum-plan.ts";
export { createWokenKeys, type WokenKeys } from "./commit/woken-keys.ts";
export { decodeKey, encodeKey } from "./keys/key-codec.ts";
export { toKeyRange, type KeyRange } from "./keys/key-range.ts";
