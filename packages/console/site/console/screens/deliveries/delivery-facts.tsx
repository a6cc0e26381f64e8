import type { Delivery, DeliveryDetail } from "@hookwright/domain";
import { Fragment } from "preact";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { SiteName } from "../../parts/site-name.tsx";
import { Time } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";
import { hrefTo } from "../../state/use-route.ts";

const shown = 10;

/** Where a delivery comes from, and what belongs to it. */
export function DeliveryFacts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { api } = useConsole();
  const { id, body_id, webhook_id, target_url, project_id, resent_from, resends } = delivery;
  const same = useResource(`same event ${body_id}`, async (signal) => {
    const query = { q: body_id, limit: String(shown + 1) };
    return (await api.list<Delivery>("console/api/deliveries", { query, signal })).rows;
  }).data;
  const others = same?.filter((other) => other.id !== id).slice(0, shown) ?? [];
  return (
    <Facts
      facts={[
        [
          "Webhook",
          <Fragment key="webhook">
            <a class="url" href={hrefTo(["webhooks", webhook_id])}>
              {target_url}
            </a>{" "}
            <CopyButton text={target_url} isIcon>
              Copy URL
            </CopyButton>
          </Fragment>,
        ],
        ["Site", <SiteName key="site" id={project_id} />],
        ["Created", <Time key="created" at={delivery.created_at} />],
        ["Ended", <Time key="ended" at={delivery.completed_at} none="not yet" />],
        [
          "Body id",
          <Fragment key="body">
            <code>{body_id}</code>{" "}
            <CopyButton text={body_id} isIcon>
              Copy body id
            </CopyButton>
          </Fragment>,
        ],
        ["Delivery id", <code key="id">{id}</code>],
        ...(resent_from === null
          ? []
          : ([["Sends again", <DeliveryLinks key="from" ids={[resent_from]} />]] as const)),
        ...(resends.length === 0
          ? []
          : ([["Sent again as", <DeliveryLinks key="to" ids={resends} />]] as const)),
        ...(others.length === 0
          ? []
          : ([
              ["Same event elsewhere", <DeliveryLinks key="same" ids={others.map((other) => other.id)} />],
            ] as const)),
      ]}
    />
  );
}

function DeliveryLinks({ ids }: { readonly ids: readonly string[] }) {
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <a href={hrefTo(["deliveries", id])}>
            <code>{id}</code>
          </a>
        </li>
      ))}
    </ul>
  );
}
