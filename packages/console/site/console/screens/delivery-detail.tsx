import type { Delivery, DeliveryDetail as Detail } from "@hookwright/domain";
import { useEffect } from "preact/hooks";
import { AttemptCard } from "../parts/attempt-card.tsx";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Facts } from "../parts/facts.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { Time } from "../parts/time.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";
import { useResource } from "../state/use-resource.ts";
import { hrefTo } from "../state/use-route.ts";
import { useTitle } from "../state/use-title.ts";

/** How often a delivery that is not done is looked at again. */
const lookAgainMs = 2_000;

export function DeliveryDetail({ id }: { readonly id: string }) {
  useTitle("Delivery");
  const { api, projects } = useConsole();
  const path = `console/api/deliveries/${encodeURIComponent(id)}`;
  const {
    data: delivery,
    failure,
    loading,
    reload,
  } = useResource(path, (signal) => api.get<Detail>(path, { signal }));
  const action = useAction();
  const waits = delivery?.status === "pending" && !loading && failure === undefined;
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setTimeout(reload, lookAgainMs);
    return () => clearTimeout(timer);
  }, [waits, reload]);
  const resend = (): void => {
    void action.run(async () => {
      const resent = await api.post<Delivery>(`${path}/resend`);
      location.hash = hrefTo(["deliveries", resent.id]);
    });
  };

  if (delivery === undefined) {
    return (
      <>
        <FailureNote failure={failure} onRetry={reload} />
        {failure === undefined ? (
          <p class="quiet">Loading …</p>
        ) : (
          <a href={hrefTo(["deliveries"])}>All deliveries</a>
        )}
      </>
    );
  }
  const { event, status, kind, record_id, body_id, target_url, webhook_id, project_id, attempts } = delivery;
  return (
    <>
      <p class="trail">
        <a href={hrefTo(["deliveries"])}>Deliveries</a>
      </p>
      <header class="screen">
        <h1>
          {event} <span class="quiet">{record_id}</span>
        </h1>
        <div class="actions">
          <Button busy={action.busy} disabled={kind === "test"} onClick={resend}>
            Resend
          </Button>
        </div>
      </header>
      <FailureNote failure={action.failure ?? failure} />
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
          ["Site", projects.find((project) => project.id === project_id)?.name ?? project_id],
          ["Created", <Time key="created" at={delivery.created_at} />],
          ["Ended", <Time key="ended" at={delivery.completed_at} none="not yet" />],
          ["Next try", <Time key="next" at={delivery.next_attempt_at} none="–" />],
          ["Body id", <code key="body">{body_id}</code>],
          ["Delivery id", <code key="id">{id}</code>],
        ]}
      />
      <section>
        <h2>Attempts</h2>
        {attempts.length === 0 ? (
          <p class="quiet">{status === "pending" ? "None yet." : "None was made."}</p>
        ) : null}
        {attempts.toReversed().map((attempt, index) => (
          <AttemptCard key={attempt.id} attempt={attempt} open={index === 0} />
        ))}
      </section>
    </>
  );
}
