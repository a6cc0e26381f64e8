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
  /** The form's labels of the API's fields: `{ target_url: "URL" }`. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Shows the error message of the API, and a retry button if a retry makes sense. */
export function FailureNote({ failure, onRetry, labels = {} }: FailureNoteProps) {
  if (failure === undefined) return null;
  const { message, code } = failure;
  return (
    <div class="note bad" role="alert">
      <p>
        {withLabels(labels, message)} <code>{code}</code>
      </p>
      {onRetry === undefined || permanentCodes.has(code) ? null : (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </div>
  );
}

/** Replaces field names by labels: `target_url: must start with https://` becomes `URL must start with https://`. */
function withLabels(labels: Readonly<Record<string, string>>, message: string): string {
  return message
    .split("; ")
    .map((problem) => {
      const [field = "", rest] = problem.split(/: (.*)/su);
      const label = labels[field];
      return label === undefined || rest === undefined ? problem : `${label} ${rest}`;
    })
    .join("; ");
}
