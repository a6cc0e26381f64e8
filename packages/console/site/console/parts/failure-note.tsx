import type { ApiFailure } from "../api/api-failure.ts";
import { Button } from "./button.tsx";

/** What another try would not change. */
const settled: ReadonlySet<string> = new Set(["account_unavailable", "plan_required", "resource_not_found"]);

export interface FailureNoteProps {
  readonly failure: ApiFailure | undefined;
  readonly onRetry?: () => void;
}

/** What went wrong, in the words of the API, and a way to try again where that makes sense. */
export function FailureNote({ failure, onRetry }: FailureNoteProps) {
  if (failure === undefined) return null;
  const { message, code } = failure;
  return (
    <div class="note bad" role="alert">
      <p>
        {message} <code>{code}</code>
      </p>
      {onRetry === undefined || settled.has(code) ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
