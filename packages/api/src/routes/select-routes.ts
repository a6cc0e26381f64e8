import type { ApiOptions } from "../options.ts";
import type { Route } from "../routing/route.ts";
import { accountRoutes } from "./account.ts";
import { blogPostRoutes } from "./blog-posts.ts";
import { contactRoutes } from "./contacts.ts";
import { emailListRoutes } from "./email-lists.ts";
import { eventTypeRoutes } from "./event-types.ts";
import { developerDeliveryRoutes } from "./developer/deliveries.ts";
import { developerEventTypeRoutes } from "./developer/event-types.ts";
import { listenerRoutes } from "./developer/listeners.ts";
import { developerRecoveryRoutes } from "./developer/recoveries.ts";
import { developerWebhookRoutes } from "./developer/webhooks.ts";
import { consoleAuditRoutes } from "./console/audit.ts";
import { consoleDeliveryRoutes } from "./console/deliveries.ts";
import { consoleEventTypeRoutes } from "./console/event-types.ts";
import { consoleEventRoutes } from "./console/events.ts";
import { consoleKeyRoutes } from "./console/keys.ts";
import { consoleOverviewRoutes } from "./console/overview.ts";
import { consoleRecoveryRoutes } from "./console/recoveries.ts";
import { consoleRequestRoutes } from "./console/requests.ts";
import { consoleSessionRoutes } from "./console/session.ts";
import { consoleWebhookRoutes } from "./console/webhooks.ts";
import { hostAccountRoutes } from "./host/accounts.ts";
import { hostAuditRoutes } from "./host/audit.ts";
import { hostApiKeyRoutes } from "./host/api-keys.ts";
import { hostConsoleSessionRoutes } from "./host/console-sessions.ts";
import { hostEmailListRoutes } from "./host/email-lists.ts";
import { hostEventRoutes } from "./host/events.ts";
import { hostProjectRoutes } from "./host/projects.ts";
import { hostRecoveryRoutes } from "./host/recoveries.ts";
import { hostRecordRoutes } from "./host/records.ts";
import { hostSubscriberRoutes } from "./host/subscribers.ts";
import { hostSupportRoutes } from "./host/support.ts";
import { hostWebhookActionRoutes } from "./host/webhook-actions.ts";
import { hostWebhookRoutes } from "./host/webhooks.ts";
import { hostSuppressionRoutes } from "./host/suppressions.ts";
import { healthRoutes, metricsRoute } from "./operations.ts";
import { openApiRoute } from "./openapi.ts";
import { orderRoutes } from "./orders.ts";
import { pageRoutes } from "./pages.ts";
import { projectRoutes } from "./projects.ts";
import { subscriberRoutes } from "./subscribers.ts";
import { webhookRoutes } from "./webhooks.ts";

/** The operations under `/v1`, in the order in which they are documented. */
export const publicApiRoutes: readonly Route[] = [
  ...accountRoutes,
  ...projectRoutes,
  ...eventTypeRoutes,
  ...webhookRoutes,
  ...contactRoutes,
  ...subscriberRoutes,
  ...emailListRoutes,
  ...blogPostRoutes,
  ...orderRoutes,
  openApiRoute,
];

export const hostApiRoutes: readonly Route[] = [
  ...hostAccountRoutes,
  ...hostProjectRoutes,
  ...hostEmailListRoutes,
  ...hostApiKeyRoutes,
  ...hostConsoleSessionRoutes,
  ...hostEventRoutes,
  ...hostRecordRoutes,
  ...hostSubscriberRoutes,
  ...hostSuppressionRoutes,
  ...hostRecoveryRoutes,
  ...hostSupportRoutes,
  ...hostWebhookRoutes,
  ...hostWebhookActionRoutes,
  ...hostAuditRoutes,
];

export const consoleApiRoutes: readonly Route[] = [
  ...consoleSessionRoutes,
  ...consoleKeyRoutes,
  ...consoleEventTypeRoutes,
  ...consoleWebhookRoutes,
  ...consoleDeliveryRoutes,
  ...consoleOverviewRoutes,
  ...consoleRecoveryRoutes,
  ...consoleRequestRoutes,
  ...consoleAuditRoutes,
  ...consoleEventRoutes,
];

/** For programs of developers, such as the command line. */
export const developerApiRoutes: readonly Route[] = [
  ...listenerRoutes,
  ...developerEventTypeRoutes,
  ...developerWebhookRoutes,
  ...developerDeliveryRoutes,
  ...developerRecoveryRoutes,
];

/**
 * The routes that exist with these options. Without a token, the host routes and `/metrics` respond with 404.
 */
export function selectRoutes({
  hostToken,
  metrics,
  pages = [],
  routes = "all",
}: Pick<ApiOptions, "hostToken" | "metrics" | "pages" | "routes">): readonly Route[] {
  const open = metrics?.public ?? false;
  const operations = [...healthRoutes, ...(metrics === undefined ? [] : [metricsRoute({ open })])];
  const all =
    routes === "operations"
      ? operations
      : [
          ...publicApiRoutes,
          ...developerApiRoutes,
          ...hostApiRoutes,
          ...consoleApiRoutes,
          ...pageRoutes(pages),
          ...operations,
        ];
  const hasHostToken = hostToken !== undefined && hostToken.length > 0;
  const hasMetricsToken = hasHostToken || metrics?.token !== undefined;
  return all.filter(
    ({ access }) => (access !== "host" || hasHostToken) && (access !== "metrics" || hasMetricsToken),
  );
}
