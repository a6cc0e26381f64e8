import type { Attempt, SharedDelivery } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { createConsoleApi, toPath } from "../../api/console-api.ts";
import { Facts, Pending, ScreenHeader } from "../../parts/page.tsx";
import { nameTimeZone, Time, useTimeZone } from "../../parts/time.tsx";
import { readBranding } from "../../state/page.ts";
import { useRoute } from "../../state/route.ts";
import { useResource } from "../../state/use-api.ts";
import { AttemptView } from "./attempt-view.tsx";
import { explainEnd } from "./end-note.tsx";
import { RetryTimeline } from "./retry-timeline.tsx";
import { Verdict } from "./verdict.tsx";

/** What a link shows: one delivery, read-only, without a sign-in and without the rest of the console. */
export function SharedPage() {
  const { segments } = useRoute();
  const [, token = ""] = segments;
  const resource = useResource<SharedDelivery>(token, (signal) =>
    createConsoleApi().get<SharedDelivery>(toPath("shared", token), { signal }),
  );
  const { data: delivery } = resource;
  return (
    <main class="shared">
      <p class="brand">{readBranding().name}</p>
      <ScreenHeader title="Delivery" />
      {delivery === undefined ? <Pending of={resource} /> : <Shared delivery={delivery} />}
    </main>
  );
}

function Shared({ delivery }: { readonly delivery: SharedDelivery }) {
  const { id, event, record_id, attempts, target_url } = delivery;
  const timeZone = useTimeZone();
  const [number, setNumber] = useState<number>();
  const shown: Attempt | undefined = attempts.find((attempt) => attempt.number === number) ?? attempts.at(-1);
  return (
    <div class="delivery">
      <p class="note info">
        This link shows one delivery, read-only, until <Time at={delivery.expires_at} />. Own headers of the
        webhook, the query and long path parts of its URL and the ends of signatures are hidden.
      </p>
      <div class="delivery-head">
        <h2>
          <code>{event}</code> <bdi>{record_id}</bdi>
        </h2>
      </div>
      <Verdict delivery={delivery} attempt={shown}>
        <p>{explainEnd(delivery)}</p>
      </Verdict>
      <div class="delivery-columns">
        <RetryTimeline delivery={delivery} shown={shown} onShow={setNumber} />
        {shown === undefined ? (
          <p class="quiet">There is no request to show.</p>
        ) : (
          <AttemptView key={shown.id} attempt={shown} />
        )}
      </div>
      <Facts
        facts={{
          URL: <span class="url">{target_url}</span>,
          Created: <Time at={delivery.created_at} precise />,
          Ended: <Time at={delivery.completed_at} none="not yet" precise />,
          "Time zone": nameTimeZone(timeZone),
          "Body id": <code>{delivery.body_id}</code>,
          "Delivery id": <code>{id}</code>,
        }}
      />
    </div>
  );
}
