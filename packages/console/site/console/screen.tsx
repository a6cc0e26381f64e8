import type { FunctionComponent } from "preact";
import { onDemand } from "./parts/on-demand.tsx";
import { ScreenHeader } from "./parts/page.tsx";
import { DeliveryLog } from "./screens/deliveries/delivery-log.tsx";
import { DeliveryPage } from "./screens/deliveries/delivery-view.tsx";
import { ResendList } from "./screens/deliveries/resend-list.tsx";
import { Overview } from "./screens/overview/overview.tsx";
import { hrefTo } from "./state/route.ts";
import type { Route } from "./state/route.ts";

const moreScreens = () => import("./more-screens.ts");
const WebhookDetail = onDemand(async () => (await moreScreens()).WebhookDetail);

/** The screens by the first segment of the address. */
const screens: Readonly<Record<string, FunctionComponent<Pick<Route, "query">>>> = {
  "": Overview,
  events: onDemand(async () => (await moreScreens()).EventCatalogue),
  listen: onDemand(async () => (await moreScreens()).Listen),
  webhooks: onDemand(async () => (await moreScreens()).WebhookList),
  deliveries: DeliveryLog,
  requests: onDemand(async () => (await moreScreens()).RequestLog),
  activity: onDemand(async () => (await moreScreens()).Activity),
  people: onDemand(async () => (await moreScreens()).PeopleList),
  keys: onDemand(async () => (await moreScreens()).KeyList),
  settings: onDemand(async () => (await moreScreens()).Settings),
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
