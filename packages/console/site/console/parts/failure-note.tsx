import type { ApiFailure } from "../api/api-failure.ts";
import { Button } from "./button.tsx";

/** Errors that a retry cannot fix. */
const permanentCodes: ReadonlySet<string> = new Set([
  "account_unavailable",
  "plan_required",
  "resource_not_found",
]);

export interface FailureNoteProps {
  readonly failure: ApiFailure | undefined;
  readonly onRetry?: () => void;
}

/** Shows the error message of the API, and a retry button if a retry makes sense. */
export function FailureNote({ failure, onRetry }: FailureNoteProps) {
  if (failure === undefined) return null;
  const { message, code } = failure;
  return (
    <div class="note bad" role="alert">
      <p>
        {message} <code>{code}</code>
      </p>
      {onRetry === undefined || permanentCodes.has(code) ? null : (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </div>
  );
}
