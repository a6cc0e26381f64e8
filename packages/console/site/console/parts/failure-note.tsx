import type { ApiFailure } from "../api/api-failure.ts";
import { Button } from "./button.tsx";

/** What another try would not change. */
const settled: ReadonlySet<string> = new Set(["account_unavailable", "plan_required", "resource_not_found"]);

export interface FailureNoteProps {
  readonly failure: ApiFailure | undefined;
  readonly onRetry?: () => void;
  /** What the form calls the fields that the API names: `{ target_url: "URL" }`. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** What went wrong, in the words of the API, and a way to try again where that makes sense. */
export function FailureNote({ failure, onRetry, labels = {} }: FailureNoteProps) {
  if (failure === undefined) return null;
  const { message, code } = failure;
  return (
    <div class="note bad" role="alert">
      <p>
        {inWordsOf(labels, message)} <code>{code}</code>
      </p>
      {onRetry === undefined || settled.has(code) ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** `target_url: must start with https://` becomes `URL must start with https://`. */
function inWordsOf(labels: Readonly<Record<string, string>>, message: string): string {
  return message
    .split("; ")
    .map((problem) => {
      const [field = "", rest] = problem.split(/: (.*)/su);
      const label = labels[field];
      return label === undefined || rest === undefined ? problem : `${label} ${rest}`;
    })
    .join("; ");
}
