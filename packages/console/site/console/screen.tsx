import { ScreenHeader } from "./parts/page.tsx";
import { Activity } from "./screens/activity/activity.tsx";
import { DeliveryLog } from "./screens/deliveries/delivery-log.tsx";
import { DeliveryDetail } from "./screens/deliveries/delivery-view.tsx";
import { EventCatalogue } from "./screens/events/event-catalogue.tsx";
import { KeyList } from "./screens/keys/keys.tsx";
import { Listen } from "./screens/listen/listen.tsx";
import { Overview } from "./screens/overview/overview.tsx";
import { RequestLog } from "./screens/requests/request-log.tsx";
import { WebhookDetail } from "./screens/webhooks/webhook-detail.tsx";
import { WebhookList } from "./screens/webhooks/webhook-list.tsx";
import { hrefTo, useTitle } from "./state/route.ts";
import type { Route } from "./state/route.ts";

/** Chooses the screen for a route. */
export function Screen({ route: { segments, query } }: { readonly route: Route }) {
  const [section = "", id, ...rest] = segments;
  if (rest.length > 0) return <UnknownScreen />;
  if (id !== undefined) {
    if (section === "webhooks") return <WebhookDetail key={id} id={id} query={query} />;
    if (section === "deliveries") return <DeliveryDetail key={id} id={id} />;
    return <UnknownScreen />;
  }
  switch (section) {
    case "":
      return <Overview />;
    case "events":
      return <EventCatalogue />;
    case "listen":
      return <Listen />;
    case "webhooks":
      return <WebhookList query={query} />;
    case "deliveries":
      return <DeliveryLog query={query} />;
    case "requests":
      return <RequestLog query={query} />;
    case "activity":
      return <Activity query={query} />;
    case "keys":
      return <KeyList query={query} />;
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
        <a href={hrefTo([])}>Overview</a>
      </p>
    </>
  );
}
