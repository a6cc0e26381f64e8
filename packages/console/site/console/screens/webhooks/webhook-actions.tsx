import type { Attempt, ConsoleWebhook, ListedConsoleWebhook, TestInput } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toApiFailure, toPath } from "../../api/console-api.ts";
import { Button, copyText } from "../../parts/buttons.tsx";
import { Answer } from "../../parts/cells.tsx";
import { splitUrl } from "../../parts/tell-apart.ts";
import { Drawer } from "../../parts/dialogs.tsx";
import { Menu } from "../../parts/menu.tsx";
import { onDemand } from "../../parts/on-demand.tsx";
import { mayTest } from "../../parts/test-button.tsx";
import { listEvents } from "../../parts/webhook-events.ts";
import { useAsk, useConsole, useMayChange } from "../../state/console-context.ts";
import type { Question } from "../../state/console-context.ts";
import { AttemptView, namesOf, readHeader } from "../deliveries/attempt-view.tsx";
import { AttemptResult } from "../../parts/attempt-result.tsx";
import { Waterfall } from "../deliveries/waterfall.tsx";

const TestDialog = onDemand(async () => (await import("./test-dialog.tsx")).TestDialog);

/** Asks before a webhook is paused. */
const pauseQuestion = {
  title: "Pause this webhook?",
  text: (
    <p>No events are sent while it is paused. Events that happen meanwhile are sent only by a recovery.</p>
  ),
  confirm: "Pause webhook",
  kind: "primary",
} as const;

/** Asks before a webhook is deleted. */
export const deleteQuestion = (webhook: ConsoleWebhook): Omit<Question, "onConfirm"> => ({
  title: "Delete this webhook?",
  text: (
    <>
      <p>
        It sends {webhook.events.includes("*") ? "all events" : <code>{listEvents(webhook)}</code>} to{" "}
        <bdi>{webhook.target_url}</bdi>.
      </p>
      <p>Nothing of it is sent any more. Pending deliveries are cancelled, and the secret is deleted.</p>
    </>
  ),
  confirm: "Delete webhook",
  kind: "danger",
});

export interface WebhookActionsProps {
  readonly webhook: ConsoleWebhook;
  readonly busy: boolean;
  readonly onTest: (input: TestInput) => Promise<Attempt>;
  readonly onTested: (attempt: Attempt) => void;
  readonly onPause: () => Promise<void>;
}

/** What can be done with a webhook on all parts of its page. What interrupts it is asked first. The banner turns it on. */
export function WebhookActions({ webhook, busy, onTest, onTested, onPause }: WebhookActionsProps) {
  const ask = useAsk();
  const [isTesting, setTesting] = useState(false);
  return (
    <>
      <Button changes busy={busy} disabled={!mayTest(webhook)} onClick={() => setTesting(true)}>
        Send test
      </Button>
      {webhook.status === "active" ? (
        <Button changes busy={busy} onClick={() => ask({ ...pauseQuestion, onConfirm: onPause })}>
          Pause
        </Button>
      ) : null}
      {isTesting ? (
        <TestDialog webhook={webhook} onTest={onTest} onTested={onTested} onClose={() => setTesting(false)} />
      ) : null}
    </>
  );
}

/** A test that was sent, and where. */
export interface Tested {
  readonly attempt: Attempt;
  readonly targetUrl: string | undefined;
}

export interface WebhookMenuProps {
  readonly webhook: ListedConsoleWebhook;
  readonly onTested: (tested: Tested) => void;
  /** Called after a change, and after one that the server refused because the webhook has another status. */
  readonly onChanged: () => void;
}

/** What can be done with a webhook of the list. */
export function WebhookMenu({ webhook, onTested, onChanged }: WebhookMenuProps) {
  const { api, toast } = useConsole();
  const ask = useAsk();
  const [isTesting, setTesting] = useState(false);
  const { id, status, target_url, name } = webhook;
  const mayChange = useMayChange();

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      toast(toApiFailure(error).message);
    }
    onChanged();
  }
  async function turnOn(): Promise<void> {
    await api.post(toPath("webhooks", id, status === "paused" ? "resume" : "turn-on"));
    toast(status === "paused" ? "Resumed." : "Turned on.");
  }
  const copy = async (): Promise<void> =>
    toast((await copyText(target_url)) ? "Copied." : "The browser does not allow copying here.");
  const askToPause = (): void =>
    ask({
      ...pauseQuestion,
      onConfirm: () => api.post(toPath("webhooks", id, "pause")),
      onDone: onChanged,
    });
  const askToDelete = (): void =>
    ask({
      ...deleteQuestion(webhook),
      onConfirm: () => api.delete(toPath("webhooks", id)),
      onDone: onChanged,
    });

  return (
    <>
      <Menu
        label={`Actions for ${name ?? splitUrl(target_url).path}`}
        items={[
          {
            text: "Send test",
            isAllowed: mayChange && mayTest(webhook),
            onChoose: () => setTesting(true),
          },
          status === "active"
            ? { text: "Pause", isAllowed: mayChange, onChoose: askToPause }
            : {
                text: status === "paused" ? "Resume" : "Turn on",
                isAllowed: mayChange && status !== "disabled_by_host",
                onChoose: () => void run(turnOn),
              },
          { text: "Copy URL", onChoose: () => void copy() },
          { text: "Delete", isAllowed: mayChange, isDanger: true, onChoose: askToDelete },
        ]}
      />
      {isTesting ? (
        <TestDialog
          webhook={webhook}
          onTest={(input) => api.post<Attempt>(toPath("webhooks", id, "test"), input).finally(onChanged)}
          onTested={(attempt) => onTested({ attempt, targetUrl: target_url })}
          onClose={() => setTesting(false)}
        />
      ) : null}
    </>
  );
}

/** The result of a test. Screen readers announce the title when it opens. A status behind it would be inert. */
export function TestDrawer({ attempt, targetUrl, onClose }: Tested & { readonly onClose: () => void }) {
  const { status, error, request } = attempt;
  const { headers } = request;
  return (
    <Drawer
      title={
        <>
          Test: <Answer status={status} error={error} />, {error === null ? "accepted" : "not accepted"}
        </>
      }
      onClose={onClose}
    >
      <section class={`note verdict ${error === null ? "good" : "bad"}`} aria-label="Result">
        <AttemptResult attempt={attempt} />
      </section>
      <div class={error === null ? "good" : "bad"}>
        <Waterfall attempt={attempt} />
      </div>
      <AttemptView
        attempt={attempt}
        delivery={
          targetUrl === undefined
            ? undefined
            : { id: readHeader(headers, namesOf(headers).delivery) ?? "", target_url: targetUrl }
        }
      />
    </Drawer>
  );
}
