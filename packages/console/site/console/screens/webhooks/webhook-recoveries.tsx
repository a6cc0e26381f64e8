import type { ConsoleWebhook, Recovery } from "@hookwright/domain";
import { useCallback, useEffect } from "preact/hooks";
import { toApiFailure, toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { Status } from "../../parts/cells.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { FailureNote } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import type { AskedDialog } from "../../state/route.ts";
import { useAction, useRows } from "../../state/use-api.ts";
import { usePolling } from "../../state/use-live.ts";
import { RecoverDialog } from "./recover-dialog.tsx";

export interface WebhookRecoveriesProps {
  readonly webhook: ConsoleWebhook;
  /** The question what to send again. */
  readonly dialog: AskedDialog;
  /** Turns the webhook on. */
  readonly onTurnOn: () => Promise<void>;
  /** Since when the webhook was disabled or paused, before the user turned it on. */
  readonly brokenSince: string | null;
  /** Called when the webhook was removed meanwhile. */
  readonly onGone: () => void;
}

/** Starts, shows and stops recoveries: they send again what failed or was cancelled. */
export function WebhookRecoveries(props: WebhookRecoveriesProps) {
  const { webhook, dialog, onTurnOn, brokenSince, onGone } = props;
  const { api, listCache } = useConsole();
  const list = toPath("webhooks", webhook.id, "recoveries");
  const { data, failure, loading, reload } = useRows<Recovery>(list, { limit: "5" });
  const isGone = failure?.code === "resource_not_found";
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone]);
  const action = useAction();
  const running = data?.find(({ status }) => status === "running");
  const poll = useCallback(() => {
    reload();
    // The deliveries have changed.
    listCache.clear();
  }, [reload, listCache]);
  usePolling({
    isPending: running !== undefined && !loading,
    dueAt: null,
    hasFailed: failure !== undefined,
    poll,
  });
  async function stop({ id }: Recovery): Promise<void> {
    try {
      await api.post(toPath("recoveries", id, "stop"));
    } catch (error) {
      // It may have ended meanwhile.
      if (toApiFailure(error).code !== "invalid_state") throw error;
    }
    poll();
  }
  const columns: readonly Column<Recovery>[] = [
    { name: "Started", place: "title", cell: ({ created_at }) => <Time at={created_at} /> },
    { name: "Status", place: "mark", cell: ({ status }) => <Status status={status} /> },
    {
      name: "Period",
      cell: ({ since, until }) => (
        <>
          <Time at={since} /> – <Time at={until} />
        </>
      ),
    },
    { name: "Sends", cell: describe },
    {
      name: "Sent again",
      kind: "number",
      place: "detail",
      cell: (recovery) => <Progress recovery={recovery} />,
    },
    {
      name: "Deliveries",
      place: "detail",
      cell: ({ created_at }) => (
        <a href={hrefTo(["deliveries"], { webhook_id: webhook.id, since: created_at })}>Show</a>
      ),
    },
    { name: "Ended", cell: ({ finished_at }) => <Time at={finished_at} none="not yet" /> },
    {
      name: "Action",
      place: "detail",
      cell: (recovery) =>
        recovery.status === "running" ? (
          <Button changes busy={action.busy} onClick={() => void action.run(() => stop(recovery))}>
            Stop
          </Button>
        ) : null,
    },
  ];
  return (
    <section>
      <h2>Recovery</h2>
      <p>
        Sends again everything that failed or was cancelled since a time. An event that was accepted since is
        not sent. A recovery ends when all are queued: their deliveries show what the endpoint answers.
      </p>
      <div class="actions">
        <Button
          changes
          disabled={webhook.status === "disabled_by_host" || running !== undefined}
          onClick={dialog.open}
        >
          Start a recovery
        </Button>
      </div>
      <FailureNote failure={action.failure} />
      {isGone ? null : <FailureNote failure={failure} onRetry={reload} />}
      {/* Screen readers announce the progress from here. */}
      <p class="heard" aria-live="polite">
        {running === undefined ? "" : `Recovery: ${running.resent} of ${running.found} sent.`}
      </p>
      {data === undefined || data.length === 0 ? null : (
        <DataTable caption="Recoveries, newest first" columns={columns} rows={data} keyOf={({ id }) => id} />
      )}
      {dialog.isOpen ? (
        <RecoverDialog
          webhookId={webhook.id}
          path={list}
          isActive={webhook.status === "active"}
          brokenSince={brokenSince}
          onTurnOn={onTurnOn}
          onStarted={poll}
          onRefused={reload}
          onClose={dialog.close}
        />
      ) : null}
    </section>
  );
}

/** How many of the found deliveries and events are sent. The bar shows it only while it changes. */
function Progress({ recovery: { status, resent, found } }: { readonly recovery: Recovery }) {
  return (
    <>
      {status === "running" ? <progress aria-hidden="true" value={resent} max={Math.max(found, 1)} /> : null}
      {resent} of {found}
    </>
  );
}

/** What a recovery sends again. */
function describe({ statuses, missed }: Recovery): string {
  return [...statuses, ...(missed ? ["missed"] : [])].join(", ");
}
