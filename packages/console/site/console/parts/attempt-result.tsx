import type { Attempt } from "@hookwright/domain";
import { adviseOn } from "./advise-on.ts";
import type { AdvisedAttempt } from "./advise-on.ts";

/** Whose time an attempt took, what came of it, and what to do. */
export function AttemptResult({ attempt }: { readonly attempt: AdvisedAttempt & Pick<Attempt, "summary"> }) {
  const advice = adviseOn(attempt);
  return (
    <>
      <p class="sentence">{attempt.summary}</p>
      {advice === undefined ? null : <p>{advice}</p>}
    </>
  );
}
