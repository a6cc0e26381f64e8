import type { RecoveredStatus, Recovery, RecoveryPreview } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toApiFailure } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { FormDialog } from "../../parts/dialogs.tsx";
import { Check, TextField } from "../../parts/fields.tsx";
import { formatCount } from "../../parts/format.ts";
import { nameTimeZone, useTimeZone } from "../../parts/time.tsx";
import { fromZonedInput, toZonedInput } from "../../parts/zoned-input.ts";
import { useConsole } from "../../state/console-context.ts";
import { readRange, useLedger } from "../../state/ledger.ts";
import { useDelayed, useGet } from "../../state/use-api.ts";

export interface RecoverDialogProps {
  readonly webhookId: string;
  /** The path of the webhook's recoveries in the console API. */
  readonly path: string;
  /** Otherwise it is turned on before anything is sent. */
  readonly isActive: boolean;
  /** When it accepted a delivery last, before it stopped. Null: unknown, or it works. */
  readonly brokenSince: string | null;
  readonly onTurnOn: () => Promise<void>;
  readonly onStarted: () => void;
  /** Called when the server's state differs from what is shown, for example because another recovery runs. */
  readonly onRefused: () => void;
  readonly onClose: () => void;
}

const dayMs = 24 * 60 * 60 * 1_000;
const labels = { since: "Since", until: "Until" };
const choices: readonly (readonly [RecoveredStatus, string])[] = [
  ["failed", "Deliveries that failed"],
  ["cancelled", "Deliveries that were cancelled"],
];

const timeInput = { type: "datetime-local", step: "1", max: "9999-12-31T00:00:00" } as const;

function presets(brokenSince: string | null): readonly (readonly [text: string, at: number])[] {
  const now = Date.now();
  return [
    ...(brokenSince === null ? [] : ([["Since it stopped", toWholeStep(brokenSince)]] as const)),
    ["Last hour", now - dayMs / 24],
    ["Last 24 hours", now - dayMs],
    ["Last 7 days", now - 7 * dayMs],
  ];
}

/** The whole step of the ledger with this time, so that the numbers of the dialog are those of the other screens. */
function toWholeStep(at: string): number {
  return readRange({ since: at })?.since ?? Date.parse(at);
}

/** Asks what to send again, then starts the recovery. */
export function RecoverDialog({
  webhookId,
  path,
  isActive,
  brokenSince,
  onTurnOn,
  onStarted,
  onRefused,
  onClose,
}: RecoverDialogProps) {
  const { api, toast } = useConsole();
  // The one of the moment when the dialog opened: the fields keep what was typed.
  const [timeZone] = useState(useTimeZone());
  const toLocalInput = (ms: number): string => toZonedInput(ms, timeZone);
  const toTimestamp = (local: string): string => fromZonedInput(local, timeZone);
  const [since, setSince] = useState(() =>
    toLocalInput(brokenSince === null ? Date.now() - dayMs : toWholeStep(brokenSince)),
  );
  const [until, setUntil] = useState("");
  const [statuses, setStatuses] = useState<readonly RecoveredStatus[]>(["failed", "cancelled"]);
  const [missed, setMissed] = useState(brokenSince !== null);

  const query =
    since === "" || statuses.length === 0
      ? undefined
      : {
          since: toTimestamp(since),
          until: until === "" ? undefined : toTimestamp(until),
          statuses: statuses.toSorted().join(","),
          missed: String(missed),
        };

  const lost = useLedger(query && { webhook_id: webhookId, since: query.since, until: query.until }).data
    ?.totals;

  async function start(): Promise<void> {
    const period = { since: toTimestamp(since), ...(until === "" ? {} : { until: toTimestamp(until) }) };
    if (!isActive) await onTurnOn();
    try {
      await api.post<Recovery>(path, { ...period, statuses, missed });
    } catch (error) {
      if (toApiFailure(error).code === "invalid_state") onRefused();
      throw error;
    }
    toast("The recovery has started. The webhook's page shows its progress.");
    onStarted();
    onClose();
  }

  return (
    <FormDialog
      title="Send again"
      labels={labels}
      submit={isActive ? "Send again" : "Turn on and send again"}
      disabled={statuses.length === 0}
      onSubmit={start}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <div class="actions" role="group" aria-label="Common periods">
            {presets(brokenSince).map(([text, at]) => (
              <Button key={text} onClick={() => setSince(toLocalInput(at))}>
                {text}
              </Button>
            ))}
          </div>
          <div class="period">
            <TextField
              label={labels.since}
              hint={`Time zone: ${nameTimeZone(timeZone)}. The log is kept for 30 days by default.`}
              problem={problemAt("since")}
              input={{ ...timeInput, required: true, autofocus: true }}
              value={since}
              onChange={setSince}
            />
            <TextField
              label={labels.until}
              hint="Optional. If it is empty, until now."
              problem={problemAt("until")}
              input={timeInput}
              value={until}
              onChange={setUntil}
            />
          </div>
          <fieldset>
            <legend>What to send again</legend>
            {choices.map(([status, text]) => (
              <Check
                key={status}
                checked={statuses.includes(status)}
                onChange={(checked) =>
                  setStatuses((before) => [
                    ...before.filter((each) => each !== status),
                    ...(checked ? [status] : []),
                  ])
                }
              >
                {text} {lost === undefined ? null : <Count of={lost[status]} />}
              </Check>
            ))}
            <Check checked={missed} onChange={setMissed}>
              Events that happened while the webhook was paused or disabled{" "}
              {lost === undefined ? null : <Count of={lost.not_sent} />}
            </Check>
          </fieldset>
          <RecoveryCount path={path} query={query} />
        </>
      )}
    </FormDialog>
  );
}

function Count({ of: count }: { readonly of: number }) {
  return <span class="count">{formatCount(count)}</span>;
}

/** The user types a time digit by digit. */
const countAfterMs = 300;

interface RecoveryCountProps {
  /** The path of the webhook's recoveries in the console API. */
  readonly path: string;
  /** What to send again. Undefined: the form is not complete. */
  readonly query: Query | undefined;
}

/** How much a recovery would send again, before it starts. */
function RecoveryCount({ path, query }: RecoveryCountProps) {
  const text = query === undefined ? "" : JSON.stringify(query);
  const asked = useDelayed(text, countAfterMs);
  const { data, failure, loading } = useGet<RecoveryPreview>(
    asked === "" ? undefined : `${path}/preview`,
    asked === "" ? undefined : JSON.parse(asked),
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
