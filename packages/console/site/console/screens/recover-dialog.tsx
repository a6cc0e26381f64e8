import type { RecoveredStatus, Recovery } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { Field } from "../parts/field.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";

export interface RecoverDialogProps {
  /** The path of the webhook's recoveries in the console API. */
  readonly path: string;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

const dayMs = 24 * 60 * 60 * 1_000;
const choices: readonly (readonly [RecoveredStatus, string])[] = [
  ["failed", "Deliveries that failed"],
  ["cancelled", "Deliveries that were cancelled"],
];

/** Asks what to send again, then starts the recovery. */
export function RecoverDialog({ path, onStarted, onClose }: RecoverDialogProps) {
  const { api } = useConsole();
  const [since, setSince] = useState(() => toLocalInput(Date.now() - dayMs));
  const [statuses, setStatuses] = useState<readonly RecoveredStatus[]>(["failed", "cancelled"]);
  const [missed, setMissed] = useState(false);
  const action = useAction();

  async function start(): Promise<void> {
    await api.post<Recovery>(path, { since: new Date(since).toISOString(), statuses, missed });
    onStarted();
    onClose();
  }

  return (
    <Dialog title="Send again" onClose={action.busy ? undefined : onClose}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void action.run(start);
        }}
      >
        <FailureNote failure={action.failure} labels={{ since: "Since" }} />
        <Field label="Since" hint="In your time zone. The log is kept for 30 days by default.">
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              step="1"
              required
              autofocus
              value={since}
              onInput={(changed) => setSince(changed.currentTarget.value)}
            />
          )}
        </Field>
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
          Events that happened while the webhook was paused or switched off
        </label>
        <div class="actions end">
          <Button disabled={action.busy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={action.busy} disabled={statuses.length === 0}>
            Send again
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A time as a `datetime-local` input shows it: in the time zone of the browser, without a zone. */
function toLocalInput(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 19);
}
