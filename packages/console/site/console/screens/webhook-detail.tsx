import type { Attempt, ConsoleWebhook } from "@hookwright/domain";
import { useCallback, useState } from "preact/hooks";
import { toApiFailure } from "../api/api-failure.ts";
import { AttemptCard } from "../parts/attempt-card.tsx";
import { BackoffNote } from "../parts/backoff-note.tsx";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { Loading } from "../parts/loading.tsx";
import { ScreenHeader } from "../parts/screen-header.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";
import { useResource } from "../state/use-resource.ts";
import { hrefTo } from "../state/use-route.ts";
import { useTitle } from "../state/use-title.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import { EditWebhookDialog } from "./edit-webhook-dialog.tsx";
import type { WebhookChanges } from "./edit-webhook-dialog.tsx";
import { SecretRotation } from "./secret-rotation.tsx";
import { WebhookFacts } from "./webhook-facts.tsx";
import { WebhookRecoveries } from "./webhook-recoveries.tsx";

export function WebhookDetail({ id }: { readonly id: string }) {
  useTitle("Webhook");
  const { api, listCache } = useConsole();
  const path = `console/api/webhooks/${encodeURIComponent(id)}`;
  const {
    data: webhook,
    failure,
    reload,
    show,
  } = useResource(path, (signal) => api.get<ConsoleWebhook>(path, { signal }));
  const action = useAction();
  const [attempt, setAttempt] = useState<Attempt>();
  const [asking, setAsking] = useState<"edit" | "pause" | "delete">();
  /** Incremented to reload the deliveries. */
  const [round, setRound] = useState(0);

  /** Reloads the webhook if the server refuses an action because its state differs from what is shown. */
  async function ask<Data>(asked: Promise<Data>): Promise<Data> {
    try {
      return await asked;
    } catch (error) {
      const { code } = toApiFailure(error);
      if (code === "invalid_state" || code === "resource_not_found") reload();
      throw error;
    }
  }
  const post = async (name: string): Promise<void> =>
    show(await ask(api.post<ConsoleWebhook>(`${path}/${name}`)));
  const edit = async (changes: WebhookChanges): Promise<void> =>
    show(await ask(api.patch<ConsoleWebhook>(path, changes)));
  const test = async (): Promise<void> => {
    setAttempt(undefined);
    setAttempt(await ask(api.post<Attempt>(`${path}/test`)));
    refresh();
  };
  const refreshDeliveries = useCallback(() => {
    listCache.clear();
    setRound((round) => round + 1);
  }, [listCache]);
  function refresh(): void {
    refreshDeliveries();
    reload();
  }
  const removed = failure?.code === "resource_not_found";
  const status = webhook?.status;
  return (
    <>
      <p class="trail">
        <a href={hrefTo(["webhooks"])}>Webhooks</a>
      </p>
      <ScreenHeader title={webhook?.target_url ?? "Webhook"}>
        {webhook === undefined || removed ? null : (
          <>
            <Button onClick={refresh}>Refresh</Button>
            <Button
              changes
              kind={status === "active" ? "plain" : "primary"}
              busy={action.busy}
              onClick={() => {
                if (status === "active") setAsking("pause");
                else void action.run(() => post(status === "paused" ? "resume" : "turn-on"));
              }}
            >
              {status === "active" ? "Pause" : status === "paused" ? "Resume" : "Turn on"}
            </Button>
            <Button
              changes
              busy={action.busy}
              disabled={status === "paused"}
              onClick={() => void action.run(test)}
            >
              Send test
            </Button>
            <Button changes onClick={() => setAsking("edit")}>
              Edit
            </Button>
            <Button changes kind="danger" onClick={() => setAsking("delete")}>
              Delete
            </Button>
          </>
        )}
      </ScreenHeader>
      {removed ? (
        <p class="note bad" role="alert">
          {webhook === undefined
            ? "This webhook does not exist, or it was removed. A webhook"
            : "This webhook was removed. A webhook"}{" "}
          is removed when it is deleted, when its API key is revoked, or when its endpoint responds with 410.
        </p>
      ) : (
        <>
          <FailureNote failure={action.failure} />
          <FailureNote failure={failure} onRetry={reload} />
        </>
      )}
      {webhook === undefined && failure === undefined ? <Loading /> : null}
      {status === "switched_off" && !removed ? (
        <p class="note bad">
          Switched off after {webhook?.consecutive_failures} failed attempts in a row. Events that happen
          meanwhile are sent only by a recovery. Fix the endpoint, send a test, then turn the webhook on.
        </p>
      ) : null}
      {webhook === undefined || removed ? null : <BackoffNote webhook={webhook} onEnd={reload} />}
      {status === "paused" && !removed ? (
        <p class="note waiting">Paused. Events that happen meanwhile are sent only by a recovery.</p>
      ) : null}
      {/* Screen readers announce only this summary, because the whole section is too long. */}
      <p class="heard" role="status">
        {attempt === undefined
          ? ""
          : `Test: ${attempt.status ?? "no response"}, ${attempt.error === null ? "accepted" : "not accepted"}.`}
      </p>
      {attempt === undefined ? null : (
        <section aria-label="Test result">
          <h2>Test</h2>
          <AttemptCard attempt={attempt} open />
        </section>
      )}
      {webhook === undefined || removed ? null : (
        <>
          <WebhookFacts webhook={webhook} />
          <WebhookRecoveries webhook={webhook} path={path} onProgress={refreshDeliveries} />
          <SecretRotation webhook={webhook} path={path} onChanged={show} onRefused={reload} />
        </>
      )}
      {webhook === undefined ? null : (
        <section>
          <h2>Deliveries</h2>
          <DeliveryTable key={round} query={{ webhook_id: id }} withWebhook={false} />
        </section>
      )}
      {asking === "edit" && webhook !== undefined ? (
        <EditWebhookDialog webhook={webhook} onSave={edit} onClose={() => setAsking(undefined)} />
      ) : null}
      {asking === "pause" ? (
        <ConfirmDialog
          title="Pause this webhook?"
          confirm="Pause webhook"
          kind="primary"
          onConfirm={() => post("pause")}
          onClose={() => setAsking(undefined)}
        >
          <p>
            No events are sent while it is paused. Events that happen meanwhile are sent only by a recovery.
          </p>
        </ConfirmDialog>
      ) : null}
      {asking === "delete" ? (
        <ConfirmDialog
          title="Delete this webhook?"
          confirm="Delete webhook"
          kind="danger"
          onConfirm={() => ask(api.delete(path))}
          onDone={() => (location.hash = hrefTo(["webhooks"]))}
          onClose={() => setAsking(undefined)}
        >
          <p>
            Nothing is sent to <bdi>{webhook?.target_url}</bdi> any more. Pending deliveries are cancelled,
            and the secret is deleted.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
