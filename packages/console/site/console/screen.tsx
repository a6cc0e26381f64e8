import type { FunctionComponent } from "preact";
import { ScreenHeader } from "./parts/page.tsx";
import { Activity } from "./screens/activity/activity.tsx";
import { DeliveryLog } from "./screens/deliveries/delivery-log.tsx";
import { DeliveryPage } from "./screens/deliveries/delivery-view.tsx";
import { ResendList } from "./screens/deliveries/resend-list.tsx";
import { EventCatalogue } from "./screens/events/event-catalogue.tsx";
import { KeyList } from "./screens/keys/keys.tsx";
import { Listen } from "./screens/listen/listen.tsx";
import { Overview } from "./screens/overview/overview.tsx";
import { RequestLog } from "./screens/requests/request-log.tsx";
import { WebhookDetail } from "./screens/webhooks/webhook-detail.tsx";
import { WebhookList } from "./screens/webhooks/webhook-list.tsx";
import { hrefTo } from "./state/route.ts";
import type { Route } from "./state/route.ts";

/** The screens by the first segment of the address. */
const screens: Readonly<Record<string, FunctionComponent<Pick<Route, "query">>>> = {
  "": Overview,
  events: EventCatalogue,
  listen: Listen,
  webhooks: WebhookList,
  deliveries: DeliveryLog,
  requests: RequestLog,
  activity: Activity,
  keys: KeyList,
};

/** Chooses the screen for a route. */
export function Screen({ route: { segments, query } }: { readonly route: Route }) {
  const [section = "", id, ...rest] = segments;
  if (rest.length > 0) return <UnknownScreen />;
  if (id !== undefined && section === "webhooks") return <WebhookDetail key={id} id={id} query={query} />;
  if (id === "resends" && section === "deliveries") return <ResendList />;
  if (id !== undefined && section === "deliveries") return <DeliveryPage key={id} id={id} />;
  const Found = id === undefined && Object.hasOwn(screens, section) ? screens[section] : undefined;
  return Found === undefined ? <UnknownScreen /> : <Found query={query} />;
}

function UnknownScreen() {
  return (
    <>
      <ScreenHeader tab="Not found" title="This page does not exist" />
      <p>
        <a href={hrefTo([])}>Overview</a>
      </p>
    </>
  );
}
