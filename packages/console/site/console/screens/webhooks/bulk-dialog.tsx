import type { ListedConsoleWebhook } from "@hookwright/domain";
import { useRef, useState } from "preact/hooks";
import { toApiFailure } from "../../api/api-failure.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Endpoint } from "../../parts/endpoint.tsx";
import { useConsole } from "../../state/console-context.ts";
import type { BulkAction } from "./bulk-actions.ts";

export interface BulkDialogProps {
  readonly action: BulkAction;
  readonly webhooks: readonly ListedConsoleWebhook[];
  /** Called when some have changed. */
  readonly onChanged: () => void;
  /** Called when all have changed. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface Refused {
  readonly webhook: ListedConsoleWebhook;
  readonly reason: string;
}

/** Asks before an action for several webhooks, shows its progress, and names the webhooks that refused it. */
export function BulkDialog({ action, webhooks, onChanged, onDone, onClose }: BulkDialogProps) {
  const { api, toast } = useConsole();
  const [finished, setFinished] = useState<number>();
  const [refused, setRefused] = useState<readonly Refused[]>();
  const isStopped = useRef(false);
  /** `finished` changes only at the next rendering. */
  const hasStarted = useRef(false);
  const { text, done, consequence, isDanger = false } = action;

  async function run(): Promise<void> {
    if (hasStarted.current) return;
    hasStarted.current = true;
    const problems: Refused[] = [];
    let count = 0;
    for (const webhook of webhooks) {
      if (isStopped.current) break;
      setFinished(count);
      await action.run(api, webhook).catch((error: unknown) => {
        problems.push({ webhook, reason: toApiFailure(error).message });
      });
      count += 1;
    }
    onChanged();
    toast(`${count - problems.length} of ${webhooks.length} ${done}.`);
    if (problems.length > 0) return setRefused(problems);
    onClose();
    onDone();
  }

  if (refused !== undefined)
    return (
      <Dialog title={`${refused.length} of ${webhooks.length} not ${done}`} onClose={onClose}>
        <ul class="bulk-list" role="alert">
          {refused.map(({ webhook, reason }) => (
            <li key={webhook.id}>
              <Endpoint url={webhook.target_url} name={webhook.name} /> <code>{webhook.event}</code>
              <p class="problem">{reason}</p>
            </li>
          ))}
        </ul>
        <div class="actions end">
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  const isRunning = finished !== undefined;
  return (
    <Dialog
      title={`${text} ${webhooks.length === 1 ? "this webhook" : `these ${webhooks.length} webhooks`}?`}
      onClose={isRunning ? undefined : onClose}
    >
      <ul class="bulk-list">
        {webhooks.map(({ id, target_url, name, event }) => (
          <li key={id}>
            <Endpoint url={target_url} name={name} /> <code>{event}</code>
          </li>
        ))}
      </ul>
      <p>{consequence}</p>
      <p class="quiet" role="status">
        {isRunning ? (
          <>
            <progress aria-hidden="true" value={finished} max={webhooks.length} />
            {finished} of {webhooks.length} {done}
          </>
        ) : null}
      </p>
      <div class="actions end">
        <Button onClick={isRunning ? () => (isStopped.current = true) : onClose}>
          {isRunning ? "Stop" : "Cancel"}
        </Button>
        <Button kind={isDanger ? "danger" : "primary"} busy={isRunning} onClick={() => void run()}>
          {text}
        </Button>
      </div>
    </Dialog>
  );
}
