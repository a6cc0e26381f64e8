import type { Attempt, ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { AttemptCard } from "../parts/attempt-card.tsx";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { Time } from "../parts/time.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";
import { useResource } from "../state/use-resource.ts";
import { hrefTo } from "../state/use-route.ts";
import { useTitle } from "../state/use-title.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import { SecretRotation } from "./secret-rotation.tsx";

export function WebhookDetail({ id }: { readonly id: string }) {
  useTitle("Webhook");
  const { api, projects } = useConsole();
  const path = `console/api/webhooks/${encodeURIComponent(id)}`;
  const {
    data: webhook,
    failure,
    reload,
    show,
  } = useResource(path, (signal) => api.get<ConsoleWebhook>(path, { signal }));
  const action = useAction();
  const [attempt, setAttempt] = useState<Attempt>();
  const [deleting, setDeleting] = useState(false);
  /** Deliveries are asked for again after a test. */
  const [tests, setTests] = useState(0);

  const act = (name: string) => (): void => {
    void action.run(async () => show(await api.post<ConsoleWebhook>(`${path}/${name}`)));
  };
  const test = (): void => {
    void action.run(async () => {
      setAttempt(undefined);
      setAttempt(await api.post<Attempt>(`${path}/test`));
      setTests((tests) => tests + 1);
      reload();
    });
  };
  const remove = async (): Promise<void> => {
    await api.delete(path);
    location.hash = hrefTo(["webhooks"]);
  };

  if (webhook === undefined) {
    return (
      <>
        <FailureNote failure={failure} onRetry={reload} />
        {failure === undefined ? (
          <p class="quiet">Loading …</p>
        ) : (
          <a href={hrefTo(["webhooks"])}>All webhooks</a>
        )}
      </>
    );
  }
  const { status, event, target_url, project_id, consecutive_failures, created_by } = webhook;
  const site = projects.find((project) => project.id === project_id);
  return (
    <>
      <p class="trail">
        <a href={hrefTo(["webhooks"])}>Webhooks</a>
      </p>
      <header class="screen">
        <h1 class="url">{target_url}</h1>
        <div class="actions">
          {status === "active" ? (
            <Button busy={action.busy} onClick={act("pause")}>
              Pause
            </Button>
          ) : null}
          {status === "paused" ? (
            <Button kind="primary" busy={action.busy} onClick={act("resume")}>
              Resume
            </Button>
          ) : null}
          {status === "switched_off" ? (
            <Button kind="primary" busy={action.busy} onClick={act("turn-on")}>
              Turn on
            </Button>
          ) : null}
          <Button busy={action.busy} disabled={status === "paused"} onClick={test}>
            Send test
          </Button>
          <Button kind="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      </header>
      {status === "switched_off" ? (
        <p class="note bad">
          Switched off after {consecutive_failures} failed attempts in a row. What happens meanwhile is never
          sent: mend the endpoint, send a test, then turn it on.
        </p>
      ) : null}
      {status === "paused" ? <p class="note waiting">Paused. What happens meanwhile is never sent.</p> : null}
      <FailureNote failure={action.failure ?? failure} />
      {attempt === undefined ? null : (
        <section aria-label="Result of the test">
          <h2>Test</h2>
          <AttemptCard attempt={attempt} open />
        </section>
      )}
      <Facts
        facts={[
          ["State", <Badge key="state" state={status} />],
          ["Event", <code key="event">{event}</code>],
          ["Site", project_id === null ? "every site" : (site?.name ?? project_id)],
          ["Failures in a row", consecutive_failures],
          ["Last accepted", <Time key="accepted" at={webhook.last_success_at} />],
          ["Last failed", <Time key="failed" at={webhook.last_failure_at} />],
          ["Created", <Time key="created" at={webhook.created_at} />],
          [
            "Created by",
            created_by.type === "console"
              ? "the console"
              : `the key “${created_by.name ?? created_by.key_id}”`,
          ],
          ["Id", <code key="id">{id}</code>],
        ]}
      />
      <SecretRotation webhook={webhook} path={path} onChanged={show} />
      <section>
        <h2>Deliveries</h2>
        <DeliveryTable key={tests} query={{ webhook_id: id }} withWebhook={false} />
      </section>
      {deleting ? (
        <ConfirmDialog
          title="Delete this webhook?"
          confirm="Delete webhook"
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          <p>
            Nothing is sent to {target_url} any more. Deliveries that wait for their next try are cancelled,
            and the secret is gone.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
