import type { Attempt } from "@hookwright/domain";
import { CommandLine } from "../../parts/buttons.tsx";
import { readCommands } from "../../parts/listen-commands.tsx";
import { formatSpan } from "../../parts/time.tsx";

/** Receivers refuse a timestamp that is older. */
const toleranceSeconds = 300;

export interface SignAgainProps {
  /** Of the delivery. */
  readonly id: string;
  readonly attempt: Pick<Attempt, "number" | "started_at">;
}

/** Says that the copied request is too old, and which command signs it again. Nothing while it is fresh. */
export function SignAgain({ id, attempt: { number, started_at } }: SignAgainProps) {
  const seconds = Math.round((Date.now() - Date.parse(started_at)) / 1_000);
  if (seconds <= toleranceSeconds) return null;
  return (
    <details class="sign-again">
      <summary>
        This request was signed {formatSpan(seconds)} ago: receivers refuse its timestamp. Sign it again …
      </summary>
      <p class="quiet">
        This prints a cURL command that is signed now. It asks for the signing secret, which stays on your
        machine. Log in first, as <a href="#/listen">Listen</a> says.
      </p>
      <CommandLine text={readCommands().replay(id, number)} />
    </details>
  );
}
