import { DeliveryDetail } from "./screens/delivery-detail.tsx";
import { DeliveryLog } from "./screens/delivery-log.tsx";
import { KeyList } from "./screens/key-list.tsx";
import { RequestLog } from "./screens/request-log.tsx";
import { WebhookDetail } from "./screens/webhook-detail.tsx";
import { WebhookList } from "./screens/webhook-list.tsx";
import { hrefTo } from "./state/use-route.ts";
import type { Route } from "./state/use-route.ts";

/** Which screen an address shows. */
export function Screen({ route: { segments, query } }: { readonly route: Route }) {
  const [section = "webhooks", id] = segments;
  switch (section) {
    case "webhooks":
      return id === undefined ? <WebhookList /> : <WebhookDetail key={id} id={id} />;
    case "deliveries":
      return id === undefined ? <DeliveryLog query={query} /> : <DeliveryDetail key={id} id={id} />;
    case "requests":
      return <RequestLog />;
    case "keys":
      return <KeyList />;
    default:
      return (
        <>
          <h1>There is no such page</h1>
          <a href={hrefTo(["webhooks"])}>Webhooks</a>
        </>
      );
  }
}
