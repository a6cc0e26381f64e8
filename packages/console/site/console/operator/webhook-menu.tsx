import type { Attempt, HostWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toApiFailure } from "../api/console-api.ts";
import { AttemptResult } from "../parts/attempt-result.tsx";
import { Button } from "../parts/buttons.tsx";
import { Dialog, FormDialog } from "../parts/dialogs.tsx";
import { Choice, TextField } from "../parts/fields.tsx";
import { Menu } from "../parts/menu.tsx";
import type { MenuItem } from "../parts/menu.tsx";
import { splitUrl } from "../parts/tell-apart.ts";
import { overviewPeriods, periodNames, readPeriod, useAsk, useConsole } from "../state/console-context.ts";
import { withTimes } from "../state/ledger.ts";
import { openConsole, toPage } from "./open-console.tsx";

export interface OperatorWebhookMenuProps {
  readonly webhook: Pick<HostWebhook, "id" | "account_id" | "target_url" | "name" | "status">;
  readonly onChanged: () => void;
}

/** What is asked before each action, and what is said afterwards. */
const questions = {
  pause: {
    text: "Pause",
    title: "Pause this webhook?",
    consequence: "Nothing is sent while it is paused. Its owner can resume it.",
    done: "Paused.",
  },
  resume: {
    text: "Resume",
    title: "Resume this webhook?",
    consequence: "New events are sent. Those that happened meanwhile are sent only by a recovery.",
    done: "Resumed.",
  },
  "turn-on": {
    text: "Turn on",
    title: "Turn this webhook on?",
    consequence:
      "New events are sent, and its failures in a row start at 0. Those that happened meanwhile are sent only by a recovery.",
    done: "Turned on.",
  },
  enable: {
    text: "Enable",
    title: "Enable this webhook again?",
    consequence:
      "It gets the status from before it was disabled. If it was removed, its owner can make another one with its URL.",
    done: "Enabled.",
  },
  test: {
    text: "Send test",
    title: "Send a test to this webhook?",
    consequence: "Its endpoint gets a sample of its first event, marked as a test.",
    done: "",
  },
} as const;
type Asked = keyof typeof questions;

const offered: Readonly<Record<HostWebhook["status"], readonly Asked[]>> = {
  active: ["test", "pause"],
  paused: ["test", "resume"],
  switched_off: ["test", "turn-on"],
  disabled_by_host: ["test", "enable"],
  // The list of removed webhooks has only those that were disabled.
  removed: ["enable"],
};

/** What the operator can do with a webhook. Each action is asked first. */
export function OperatorWebhookMenu({ webhook, onChanged }: OperatorWebhookMenuProps) {
  const { api, toast } = useConsole();
  const ask = useAsk();
  const [opened, setOpened] = useState<"disable" | "recover">();
  const [attempt, setAttempt] = useState<Attempt>();
  const { id, account_id, target_url, name, status } = webhook;
  const path = `host/v1/webhooks/${encodeURIComponent(id)}`;
  const title = name ?? splitUrl(target_url).path;

  function toItem(action: Asked): MenuItem {
    const { text, title: question, consequence, done } = questions[action];
    return {
      text,
      onChoose: () =>
        ask({
          title: question,
          text: (
            <>
              <p>
                <bdi>{target_url}</bdi> of <code>{account_id}</code>
              </p>
              <p>{consequence}</p>
            </>
          ),
          confirm: text,
          kind: "primary",
          onConfirm: async () => {
            const answered = await api.post<Attempt>(`${path}/${action}`);
            if (action === "test") setAttempt(answered);
          },
          onDone: () => {
            if (done !== "") toast(done);
            onChanged();
          },
        }),
    };
  }
  const close = (): void => setOpened(undefined);
  const end = (text: string): void => {
    close();
    toast(text);
    onChanged();
  };

  return (
    <>
      <Menu
        label={`Actions for ${title}`}
        items={[
          {
            text: "Open console",
            onChoose: () =>
              void openConsole(api, account_id, { read_only: true, path: toPage(["webhooks", id]) }).catch(
                (error: unknown) => toast(toApiFailure(error).message),
              ),
          },
          ...offered[status].map(toItem),
          ...(status === "active" ? [{ text: "Recover …", onChoose: () => setOpened("recover") }] : []),
          ...(status === "disabled_by_host" || status === "removed"
            ? []
            : [{ text: "Disable …", isDanger: true, onChoose: () => setOpened("disable") }]),
        ]}
      />
      {opened === "disable" ? (
        <DisableDialog webhook={webhook} path={path} onDone={end} onClose={close} />
      ) : null}
      {opened === "recover" ? (
        <RecoverDialog webhook={webhook} path={path} onDone={end} onClose={close} />
      ) : null}
      {attempt === undefined ? null : (
        <Dialog title={`Test of ${title}`} onClose={() => setAttempt(undefined)}>
          <AttemptResult attempt={attempt} />
          <div class="actions end">
            <Button onClick={() => setAttempt(undefined)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

interface ActionDialogProps extends Pick<OperatorWebhookMenuProps, "webhook"> {
  /** The path of the webhook in the host API. */
  readonly path: string;
  /** Called with what is said afterwards. */
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}

function DisableDialog({ webhook: { target_url, account_id }, path, onDone, onClose }: ActionDialogProps) {
  const { api } = useConsole();
  const [reason, setReason] = useState("");
  return (
    <FormDialog
      title="Disable this webhook?"
      labels={{ reason: "Reason" }}
      values={{ reason }}
      submit="Disable"
      disabled={reason.trim() === ""}
      onClose={onClose}
      onSubmit={async () => {
        await api.post(`${path}/disable`, { reason });
        onDone("Disabled.");
      }}
    >
      {(problemAt) => (
        <>
          <p>
            <bdi>{target_url}</bdi> of <code>{account_id}</code>
          </p>
          <p>
            Nothing of it is sent any more, and pending deliveries are cancelled when they are due. Its owner
            cannot turn it on, nor make another webhook with its URL.
          </p>
          <TextField
            label="Reason"
            hint="The owner reads it."
            input={{ required: true, maxLength: 500, autofocus: true }}
            value={reason}
            problem={problemAt("reason")}
            onChange={setReason}
          />
        </>
      )}
    </FormDialog>
  );
}

function RecoverDialog({ webhook: { target_url, account_id }, path, onDone, onClose }: ActionDialogProps) {
  const { api } = useConsole();
  const [period, setPeriod] = useState(readPeriod());
  return (
    <FormDialog
      title="Send again what it did not accept?"
      labels={{}}
      submit="Send again"
      onClose={onClose}
      onSubmit={async () => {
        const { since } = withTimes({ period });
        await api.post(`${path}/recoveries`, { since, statuses: ["failed", "cancelled"], missed: true });
        onDone("The recovery has started.");
      }}
    >
      {() => (
        <>
          <p>
            <bdi>{target_url}</bdi> of <code>{account_id}</code>
          </p>
          <Choice
            label="Since"
            value={period}
            all={null}
            choices={Object.keys(overviewPeriods).map((each) => [
              each,
              `In ${periodNames[readPeriod(each)]}`,
            ])}
            onChoose={(value) => setPeriod(readPeriod(value))}
          />
          <p>
            Deliveries that failed or were cancelled, and events that happened while it was paused or
            disabled. What it has accepted meanwhile is not sent again.
          </p>
        </>
      )}
    </FormDialog>
  );
}
