import type { ListedConsoleWebhook } from "@hookwright/domain";
import { useRef, useState } from "preact/hooks";
import { toApiFailure, toPath } from "../../api/console-api.ts";
import type { ConsoleApi } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { Endpoint, WebhookEvents } from "../../parts/cells.tsx";
import { Dialog } from "../../parts/dialogs.tsx";
import { useConsole } from "../../state/console-context.ts";
import { ResendDialog } from "../deliveries/resend-dialog.tsx";
import { RunningResends } from "../deliveries/resend-list.tsx";

export interface WebhookBulkBarProps {
  readonly selected: readonly ListedConsoleWebhook[];
  readonly onClear: () => void;
  readonly onChanged: () => void;
}

/** What can be done with the selected webhooks. An action concerns those whose status allows it. */
export function WebhookBulkBar({ selected, onClear, onChanged }: WebhookBulkBarProps) {
  const [asking, setAsking] = useState<{
    readonly action: BulkAction | typeof turnOnAndRecover;
    readonly webhooks: readonly ListedConsoleWebhook[];
  }>();
  const [jobs, setJobs] = useState(0);
  function onJobStarted(): void {
    setJobs((before) => before + 1);
    onChanged();
    onClear();
  }
  return (
    <>
      {jobs === 0 ? null : <RunningResends key={jobs} />}
      {selected.length === 0 ? null : (
        <div class="bulk" role="group" aria-label="Selected webhooks">
          <strong>{selected.length} selected</strong>
          {allActions.map((action) => {
            const webhooks = selected.filter(action.isFor);
            if (webhooks.length === 0) return null;
            return (
              <Button
                key={action.text}
                changes
                kind={action.isDanger === true ? "danger" : "plain"}
                onClick={() => setAsking({ action, webhooks })}
              >
                {webhooks.length === selected.length ? action.text : `${action.text} ${webhooks.length}`}
              </Button>
            );
          })}
          <Button onClick={onClear}>Clear</Button>
        </div>
      )}
      {asking === undefined ? null : "run" in asking.action ? (
        <BulkDialog
          action={asking.action}
          webhooks={asking.webhooks}
          onChanged={onChanged}
          onDone={onClear}
          onClose={() => setAsking(undefined)}
        />
      ) : (
        <ResendDialog
          body={{ filter: { webhook_ids: asking.webhooks.map(({ id }) => id) }, turn_on: true }}
          onDone={onJobStarted}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

interface BulkDialogProps {
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
function BulkDialog({ action, webhooks, onChanged, onDone, onClose }: BulkDialogProps) {
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
        <ul class="bulk-list" role="alert" tabIndex={0}>
          {refused.map(({ webhook, reason }) => (
            <li key={webhook.id}>
              <Endpoint url={webhook.target_url} name={webhook.name} /> <WebhookEvents webhook={webhook} />
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
      <ul class="bulk-list" tabIndex={0}>
        {webhooks.map((webhook) => (
          <li key={webhook.id}>
            <Endpoint url={webhook.target_url} name={webhook.name} /> <WebhookEvents webhook={webhook} />
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

/** An action for several webhooks, one after the other. */
interface BulkAction {
  readonly text: string;
  /** What has happened afterwards, such as "paused". */
  readonly done: string;
  readonly isDanger?: boolean;
  /** What the user must know before. */
  readonly consequence: string;
  /** The webhooks whose status allows it. */
  readonly isFor: (webhook: ListedConsoleWebhook) => boolean;
  readonly run: (api: ConsoleApi, webhook: ListedConsoleWebhook) => Promise<unknown>;
}

/** One job of the server does it. */
const turnOnAndRecover = {
  text: "Turn on and recover",
  isDanger: false,
  isFor: ({ status }: ListedConsoleWebhook): boolean => status === "paused" || status === "switched_off",
};

const bulkActions: readonly BulkAction[] = [
  {
    text: "Pause",
    done: "paused",
    consequence:
      "No events are sent while they are paused. Events that happen meanwhile are sent only by a recovery.",
    isFor: ({ status }) => status === "active",
    run: (api, { id }) => api.post(toPath("webhooks", id, "pause")),
  },
  {
    text: "Resume",
    done: "resumed",
    consequence: "Events are sent again from now on. A recovery sends those that happened meanwhile.",
    isFor: ({ status }) => status === "paused",
    run: (api, { id }) => api.post(toPath("webhooks", id, "resume")),
  },
  {
    text: "Turn on",
    done: "turned on",
    consequence:
      "Events are sent again from now on. A recovery sends those that happened meanwhile. Check first that the endpoints work.",
    isFor: ({ status }) => status === "switched_off",
    run: (api, { id }) => api.post(toPath("webhooks", id, "turn-on")),
  },
  {
    text: "Delete",
    done: "deleted",
    isDanger: true,
    consequence:
      "Nothing is sent to them any more. Pending deliveries are cancelled, and the secrets are deleted.",
    isFor: () => true,
    run: (api, { id }) => api.delete(toPath("webhooks", id)),
  },
];

/** What can be done with the selected webhooks, in the order of the buttons. */
const allActions = [...bulkActions.slice(0, -1), turnOnAndRecover, ...bulkActions.slice(-1)];
