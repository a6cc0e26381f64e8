import type { ApiFailure } from "../api/api-failure.ts";
import { Button } from "./button.tsx";

/** What went wrong, in the words of the API, and a way to try again where that makes sense. */
export function FailureNote({
  failure,
  onRetry,
}: {
  readonly failure: ApiFailure | undefined;
  readonly onRetry?: () => void;
}) {
  if (failure === undefined) return null;
  const { message, code, retryAfterSeconds } = failure;
  return (
    <div class="note bad" role="alert">
      <p>
        {message}
        {retryAfterSeconds === undefined ? "" : ` Try again in ${retryAfterSeconds} s.`} <code>{code}</code>
      </p>
      {onRetry === undefined ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
