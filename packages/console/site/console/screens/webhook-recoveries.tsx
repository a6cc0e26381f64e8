import type { ConsoleWebhook, Recovery } from "@hookwright/domain";
import { useCallback, useState } from "preact/hooks";
import { toApiFailure } from "../api/api-failure.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { Time } from "../parts/time.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";
import { usePolling } from "../state/use-polling.ts";
import { useResource } from "../state/use-resource.ts";
import { RecoverDialog } from "./recover-dialog.tsx";

export interface WebhookRecoveriesProps {
  readonly webhook: ConsoleWebhook;
  /** The path of the webhook in the console API. */
  readonly path: string;
  /** Called when a recovery has made progress: the deliveries have changed. */
  readonly onProgress: () => void;
}

/** Starts, shows and stops recoveries: they send again what failed or was cancelled. */
export function WebhookRecoveries({ webhook, path, onProgress }: WebhookRecoveriesProps) {
  const { api } = useConsole();
  const list = `${path}/recoveries`;
  const { data, failure, loading, reload } = useResource(list, async (signal) => {
    const { rows } = await api.list<Recovery>(list, { query: { limit: "5" }, signal });
    return rows;
  });
  const [isAsking, setIsAsking] = useState(false);
  const action = useAction();
  const running = data?.find(({ status }) => status === "running");
  const poll = useCallback(() => {
    reload();
    onProgress();
  }, [reload, onProgress]);
  usePolling({
    isPending: running !== undefined && !loading,
    dueAt: null,
    hasFailed: failure !== undefined,
    poll,
  });
  async function stop({ id }: Recovery): Promise<void> {
    try {
      await api.post(`console/api/recoveries/${encodeURIComponent(id)}/stop`);
    } catch (error) {
      // It may have ended meanwhile.
      if (toApiFailure(error).code !== "invalid_state") throw error;
    }
    poll();
  }
  return (
    <section>
      <h2>Recovery</h2>
      <p>
        Sends again everything that failed or was cancelled since a time. An event that was accepted since is
        not sent.
      </p>
      <div class="actions">
        <Button
          changes
          disabled={webhook.status !== "active" || running !== undefined}
          onClick={() => setIsAsking(true)}
        >
          Start a recovery
        </Button>
      </div>
      <FailureNote failure={action.failure} />
      <FailureNote failure={failure} onRetry={reload} />
      {/* Screen readers announce the progress from here. */}
      <p class="heard" aria-live="polite">
        {running === undefined ? "" : `Recovery: ${running.resent} of ${running.found} sent.`}
      </p>
      {data === undefined || data.length === 0 ? null : (
        <div class="table">
          <table aria-label="Recoveries">
            <thead>
              <tr>
                <th>Started</th>
                <th>State</th>
                <th>Since</th>
                <th>Sent again</th>
                <th>
                  <span class="heard">Action</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((recovery) => (
                <tr key={recovery.id}>
                  <td>
                    <Time at={recovery.created_at} />
                  </td>
                  <td>
                    <Badge state={recovery.status} />
                  </td>
                  <td>
                    <Time at={recovery.since} />
                  </td>
                  <td>
                    {recovery.resent} of {recovery.found}
                  </td>
                  <td>
                    {recovery.status === "running" ? (
                      <Button
                        changes
                        busy={action.busy}
                        onClick={() => void action.run(() => stop(recovery))}
                      >
                        Stop
                      </Button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isAsking ? <RecoverDialog path={list} onStarted={poll} onClose={() => setIsAsking(false)} /> : null}
    </section>
  );
}
