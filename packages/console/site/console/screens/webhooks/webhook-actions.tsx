import type { Attempt, ConsoleWebhook, ListedConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toApiFailure } from "../../api/console-api.ts";
import { Button, CopyButton, copyText } from "../../parts/buttons.tsx";
import { Answer, splitUrl } from "../../parts/cells.tsx";
import { ConfirmDialog, Drawer } from "../../parts/dialogs.tsx";
import type { ConfirmDialogProps } from "../../parts/dialogs.tsx";
import { formatDuration } from "../../parts/format.ts";
import { Menu } from "../../parts/menu.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { AttemptView } from "../deliveries/attempt-view.tsx";
import { EditWebhookDialog } from "./edit-webhook-dialog.tsx";
import type { WebhookChanges } from "./edit-webhook-dialog.tsx";

export interface WebhookActionsProps {
  readonly webhook: ConsoleWebhook;
  readonly busy: boolean;
  readonly onTest: () => void;
  readonly onPause: () => Promise<void>;
  readonly onEdit: (changes: WebhookChanges) => Promise<void>;
  readonly onDelete: () => Promise<unknown>;
}

/** What can be done with a webhook. What interrupts it is asked first. The banner turns it on. */
export function WebhookActions({ webhook, busy, onTest, onPause, onEdit, onDelete }: WebhookActionsProps) {
  const { status, target_url } = webhook;
  const [asking, setAsking] = useState<"edit" | "pause" | "delete">();
  const close = (): void => setAsking(undefined);
  return (
    <>
      <CopyButton text={target_url}>Copy URL</CopyButton>
      <Button changes busy={busy} disabled={!mayTest(status)} onClick={onTest}>
        Send test
      </Button>
      {status === "active" ? (
        <Button changes busy={busy} onClick={() => setAsking("pause")}>
          Pause
        </Button>
      ) : null}
      <Button changes onClick={() => setAsking("edit")}>
        Edit
      </Button>
      <Button changes kind="danger" onClick={() => setAsking("delete")}>
        Delete
      </Button>
      {asking === "edit" ? <EditWebhookDialog webhook={webhook} onSave={onEdit} onClose={close} /> : null}
      {asking === "pause" ? <PauseDialog onConfirm={onPause} onClose={close} /> : null}
      {asking === "delete" ? (
        <DeleteDialog
          url={target_url}
          onConfirm={async () => void (await onDelete())}
          onDone={() => (location.hash = hrefTo(["webhooks"]))}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** What a menu opens above the list. */
export type Asked =
  | { readonly what: "pause" | "delete"; readonly webhook: ListedConsoleWebhook }
  | { readonly what: "tested"; readonly webhook: ListedConsoleWebhook; readonly attempt: Attempt };

export interface WebhookMenuProps {
  readonly webhook: ListedConsoleWebhook;
  readonly onAsk: (asked: Asked) => void;
  /** Called after a change, and after one that the server refused because the webhook has another status. */
  readonly onChanged: () => void;
}

/** What can be done with a webhook of the list. */
export function WebhookMenu({ webhook, onAsk, onChanged }: WebhookMenuProps) {
  const { api, toast, readOnly } = useConsole();
  const { id, status, target_url, name } = webhook;
  const path = `console/api/webhooks/${encodeURIComponent(id)}`;
  const mayChange = readOnly === undefined;

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      toast(toApiFailure(error).message);
    }
    onChanged();
  }
  async function test(): Promise<void> {
    toast("Sending a test …");
    onAsk({ what: "tested", webhook, attempt: await api.post<Attempt>(`${path}/test`) });
  }
  async function turnOn(): Promise<void> {
    await api.post(`${path}/${status === "paused" ? "resume" : "turn-on"}`);
    toast(status === "paused" ? "Resumed." : "Turned on.");
  }
  const copy = async (): Promise<void> =>
    toast((await copyText(target_url)) ? "Copied." : "The browser does not allow copying here.");

  return (
    <Menu
      label={`Actions for ${name ?? splitUrl(target_url).path}`}
      items={[
        { text: "Send test", isAllowed: mayChange && mayTest(status), onChoose: () => void run(test) },
        status === "active"
          ? { text: "Pause", isAllowed: mayChange, onChoose: () => onAsk({ what: "pause", webhook }) }
          : {
              text: status === "paused" ? "Resume" : "Turn on",
              isAllowed: mayChange && status !== "disabled_by_host",
              onChoose: () => void run(turnOn),
            },
        { text: "Copy URL", onChoose: () => void copy() },
        {
          text: "Delete",
          isAllowed: mayChange,
          isDanger: true,
          onChoose: () => onAsk({ what: "delete", webhook }),
        },
      ]}
    />
  );
}

export interface AskedActionProps {
  readonly asked: Asked;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** What the menu of a row has opened: a question, or the result of a test. */
export function AskedAction({ asked, onChanged, onClose }: AskedActionProps) {
  const { api } = useConsole();
  const { id, target_url } = asked.webhook;
  const path = `console/api/webhooks/${encodeURIComponent(id)}`;
  if (asked.what === "tested")
    return <TestDrawer attempt={asked.attempt} targetUrl={target_url} onClose={onClose} />;
  if (asked.what === "pause")
    return (
      <PauseDialog
        onConfirm={async () => void (await api.post(`${path}/pause`))}
        onDone={onChanged}
        onClose={onClose}
      />
    );
  return (
    <DeleteDialog
      url={target_url}
      onConfirm={async () => void (await api.delete(path))}
      onDone={onChanged}
      onClose={onClose}
    />
  );
}

type AskProps = Pick<ConfirmDialogProps, "onConfirm" | "onDone" | "onClose">;

/** Asks before a webhook is paused. */
export function PauseDialog(props: AskProps) {
  return (
    <ConfirmDialog title="Pause this webhook?" confirm="Pause webhook" kind="primary" {...props}>
      <p>No events are sent while it is paused. Events that happen meanwhile are sent only by a recovery.</p>
    </ConfirmDialog>
  );
}

/** Asks before a webhook is deleted. */
export function DeleteDialog({ url, ...props }: AskProps & { readonly url: string }) {
  return (
    <ConfirmDialog title="Delete this webhook?" confirm="Delete webhook" kind="danger" {...props}>
      <p>
        Nothing is sent to <bdi>{url}</bdi> any more. Pending deliveries are cancelled, and the secret is
        deleted.
      </p>
    </ConfirmDialog>
  );
}

/** Whether the server sends a test to a webhook with this status. */
export function mayTest(status: ConsoleWebhook["status"]): boolean {
  return status !== "paused" && status !== "disabled_by_host";
}

export interface TestDrawerProps {
  readonly attempt: Attempt;
  readonly targetUrl: string | undefined;
  readonly onClose: () => void;
}

/** The result of a test. Screen readers announce the title when it opens. A status behind it would be inert. */
export function TestDrawer({ attempt, targetUrl, onClose }: TestDrawerProps) {
  const { status, error, duration_ms } = attempt;
  return (
    <Drawer
      title={
        <>
          Test: <Answer status={status} error={error} />, {error === null ? "accepted" : "not accepted"}
        </>
      }
      onClose={onClose}
    >
      <p class="quiet">The attempt took {formatDuration(duration_ms)}.</p>
      <AttemptView attempt={attempt} targetUrl={targetUrl} />
    </Drawer>
  );
}
