import { ScreenHeader } from "./parts/screen-header.tsx";
import { DeliveryDetail } from "./screens/delivery-detail.tsx";
import { DeliveryLog } from "./screens/delivery-log.tsx";
import { KeyList } from "./screens/key-list.tsx";
import { RequestLog } from "./screens/request-log.tsx";
import { WebhookDetail } from "./screens/webhook-detail.tsx";
import { WebhookList } from "./screens/webhook-list.tsx";
import { hrefTo } from "./state/use-route.ts";
import type { Route } from "./state/use-route.ts";
import { useTitle } from "./state/use-title.ts";

/** Chooses the screen for a route. */
export function Screen({ route: { segments, query } }: { readonly route: Route }) {
  const [section = "webhooks", id, ...rest] = segments;
  if (rest.length > 0) return <UnknownScreen />;
  if (id !== undefined) {
    if (section === "webhooks") return <WebhookDetail key={id} id={id} />;
    if (section === "deliveries") return <DeliveryDetail key={id} id={id} />;
    return <UnknownScreen />;
  }
  switch (section) {
    case "webhooks":
      return <WebhookList />;
    case "deliveries":
      return <DeliveryLog query={query} />;
    case "requests":
      return <RequestLog />;
    case "keys":
      return <KeyList />;
    default:
      return <UnknownScreen />;
  }
}

function UnknownScreen() {
  useTitle("Not found");
  return (
    <>
      <ScreenHeader title="This page does not exist" />
      <p>
        <a href={hrefTo(["webhooks"])}>Webhooks</a>
      </p>
    </>
  );
}
