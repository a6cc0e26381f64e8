import type { RecoveryPreview } from "@hookwright/domain";
import { useEffect, useState } from "preact/hooks";
import { formatCount } from "../../charts/scales.ts";
import type { Query } from "../../api/console-api.ts";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";

/** The user types a time digit by digit. */
const countAfterMs = 300;

export interface RecoveryCountProps {
  /** The path of the webhook's recoveries in the console API. */
  readonly path: string;
  /** What to send again. Undefined: the form is not complete. */
  readonly query: Query | undefined;
}

/** How much a recovery would send again, before it starts. */
export function RecoveryCount({ path, query }: RecoveryCountProps) {
  const { api } = useConsole();
  const text = query === undefined ? "" : JSON.stringify(query);
  const asked = useDelayed(text, countAfterMs);
  const { data, failure, loading } = useResource(`${path} ${asked}`, async (signal) =>
    asked === ""
      ? undefined
      : api.get<RecoveryPreview>(`${path}/preview`, { query: JSON.parse(asked), signal }),
  );
  return (
    <p role="status">
      {/* The form shows what is wrong with a field when it is sent. */}
      {failure !== undefined || text === ""
        ? ""
        : loading || asked !== text
          ? "Counting …"
          : describe(data, query?.["missed"] === "true")}
    </p>
  );
}

function describe(preview: RecoveryPreview | undefined, withMissed: boolean) {
  if (preview === undefined) return null;
  const { found, complete } = preview;
  if (found === 0 && complete) return "Nothing to send again.";
  return (
    <>
      {complete ? "" : "At least "}
      <strong>{formatCount(found)}</strong> {withMissed ? "deliveries and events" : "deliveries"} to send
      again.
    </>
  );
}

/** The value as it was before its last changes, until it has been the same for a while. */
function useDelayed(value: string, ms: number): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return delayed;
}
