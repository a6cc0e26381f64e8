import type { RecoveredStatus, Recovery, RecoveryPreview } from "@hookwright/domain";
import { useEffect, useState } from "preact/hooks";
import { toApiFailure } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { FormDialog } from "../../parts/dialogs.tsx";
import { Field } from "../../parts/fields.tsx";
import { formatCount } from "../../parts/format.ts";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";

export interface RecoverDialogProps {
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

function presets(brokenSince: string | null): readonly (readonly [text: string, at: number])[] {
  const now = Date.now();
  return [
    ...(brokenSince === null ? [] : ([["Since it stopped", Date.parse(brokenSince)]] as const)),
    ["Last hour", now - dayMs / 24],
    ["Last 24 hours", now - dayMs],
    ["Last 7 days", now - 7 * dayMs],
  ];
}

/** Asks what to send again, then starts the recovery. */
export function RecoverDialog({
  path,
  isActive,
  brokenSince,
  onTurnOn,
  onStarted,
  onRefused,
  onClose,
}: RecoverDialogProps) {
  const { api, toast } = useConsole();
  const [since, setSince] = useState(() =>
    toLocalInput(brokenSince === null ? Date.now() - dayMs : Date.parse(brokenSince)),
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
            <TimeField
              label={labels.since}
              hint="In your time zone. The log is kept for 30 days by default."
              problem={problemAt("since")}
              required
              value={since}
              onChange={setSince}
            />
            <TimeField
              label={labels.until}
              hint="Optional. If it is empty, until now."
              problem={problemAt("until")}
              value={until}
              onChange={setUntil}
            />
          </div>
          <fieldset>
            <legend>What to send again</legend>
            {choices.map(([status, text]) => (
              <label class="check" key={status}>
                <input
                  type="checkbox"
                  checked={statuses.includes(status)}
                  onChange={({ currentTarget }) =>
                    setStatuses((before) => {
                      const others = before.filter((each) => each !== status);
                      return currentTarget.checked ? [...others, status] : others;
                    })
                  }
                />
                {text}
              </label>
            ))}
            <label class="check">
              <input
                type="checkbox"
                checked={missed}
                onChange={(changed) => setMissed(changed.currentTarget.checked)}
              />
              Events that happened while the webhook was paused or disabled
            </label>
          </fieldset>
          <RecoveryCount path={path} query={query} />
        </>
      )}
    </FormDialog>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly problem: string | undefined;
  readonly required?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TimeField({ label, hint, problem, required = false, value, onChange }: TimeFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          step="1"
          max="9999-12-31T00:00:00"
          required={required}
          autofocus={required}
          value={value}
          onInput={(changed) => onChange(changed.currentTarget.value)}
        />
      )}
    </Field>
  );
}

const toTimestamp = (local: string): string => new Date(local).toISOString();

/** A time as a `datetime-local` input shows it: in the time zone of the browser, without a zone. */
function toLocalInput(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 19);
}

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
