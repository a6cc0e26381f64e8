import type { Delivery, DeliveryDetail as Detail } from "@hookwright/domain";
import { AttemptCard } from "../parts/attempt-card.tsx";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Facts } from "../parts/facts.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { Loading } from "../parts/loading.tsx";
import { ScreenHeader } from "../parts/screen-header.tsx";
import { SiteName } from "../parts/site-name.tsx";
import { Time } from "../parts/time.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";
import { usePolling } from "../state/use-polling.ts";
import { useResource } from "../state/use-resource.ts";
import { hrefTo } from "../state/use-route.ts";
import { useTitle } from "../state/use-title.ts";
import { ListenerResults } from "./listener-results.tsx";

export function DeliveryDetail({ id }: { readonly id: string }) {
  useTitle("Delivery");
  const { api } = useConsole();
  const path = `console/api/deliveries/${encodeURIComponent(id)}`;
  const {
    data: delivery,
    failure,
    loading,
    reload,
  } = useResource(path, (signal) => api.get<Detail>(path, { signal }));
  const action = useAction();
  usePolling({
    isPending: delivery?.status === "pending" && !loading,
    dueAt: delivery?.next_attempt_at ?? null,
    hasFailed: failure !== undefined,
    poll: reload,
  });

  async function resend(): Promise<void> {
    let resent: Delivery | undefined;
    const isHere = await action.run(async () => {
      resent = await api.post<Delivery>(`${path}/resend`);
    });
    if (isHere && resent !== undefined) location.hash = hrefTo(["deliveries", resent.id]);
  }

  const trail = (
    <p class="trail">
      <a href={hrefTo(["deliveries"])}>Deliveries</a>
    </p>
  );
  if (delivery === undefined) {
    return (
      <>
        {trail}
        <ScreenHeader title="Delivery" />
        {failure === undefined ? <Loading /> : <FailureNote failure={failure} onRetry={reload} />}
      </>
    );
  }
  const { event, status, kind, record_id, body_id, target_url, webhook_id, project_id, attempts } = delivery;
  return (
    <>
      {trail}
      <ScreenHeader
        title={
          <>
            {event} <span class="quiet">{record_id}</span>
          </>
        }
      >
        <Button onClick={reload}>Refresh</Button>
        <Button changes busy={action.busy} disabled={kind === "test"} onClick={resend}>
          Resend
        </Button>
      </ScreenHeader>
      <FailureNote failure={action.failure} />
      <FailureNote failure={failure} onRetry={reload} />
      <Facts
        facts={[
          ["State", <Badge key="state" state={status} />],
          ["Kind", kind],
          [
            "URL",
            <a key="url" class="url" href={hrefTo(["webhooks", webhook_id])}>
              {target_url}
            </a>,
          ],
          ["Site", <SiteName key="site" id={project_id} />],
          ["Created", <Time key="created" at={delivery.created_at} />],
          ["Ended", <Time key="ended" at={delivery.completed_at} none="not yet" />],
          ["Next attempt", <Time key="next" at={delivery.next_attempt_at} none="–" />],
          ["Body id", <code key="body">{body_id}</code>],
          ["Delivery id", <code key="id">{id}</code>],
        ]}
      />
      <ListenerResults results={delivery.listener_results} />
      <section>
        <h2>Attempts</h2>
        {attempts.length === 0 ? (
          <p class="quiet">{status === "pending" ? "None yet." : "There was none."}</p>
        ) : null}
        {attempts.toReversed().map((attempt, index) => (
          <AttemptCard key={attempt.id} attempt={attempt} targetUrl={target_url} open={index === 0} />
        ))}
      </section>
    </>
  );
}
