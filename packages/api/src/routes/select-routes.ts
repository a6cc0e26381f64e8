import type { ApiOptions } from "../options.ts";
import type { DocumentedRoute, Route } from "../routing/route.ts";
import { accountRoutes } from "./account.ts";
import { audienceRoutes } from "./audience.ts";
import { blogPostRoutes } from "./blog-posts.ts";
import { eventTypeRoutes } from "./event-types.ts";
import { listenerRoutes } from "./developer/listeners.ts";
import { consoleAccountRoutes } from "./console/account.ts";
import { consoleActivityRoutes } from "./console/activity.ts";
import { consoleDeliveryRoutes } from "./console/deliveries.ts";
import { consoleNoticeRoutes } from "./console/notices.ts";
import { issueRoutes } from "./issues.ts";
import { consolePeopleRoutes } from "./console/people.ts";
import { consoleSessionRoutes } from "./console/session.ts";
import { consoleWebhookRoutes } from "./console/webhooks.ts";
import { hostAccountRoutes } from "./host/accounts.ts";
import { hostAuditRoutes } from "./host/audit.ts";
import { hostEventTypeRoutes } from "./host/event-types.ts";
import { hostNoticeRoutes } from "./host/notices.ts";
import { hostOutboxRoutes } from "./host/outbox.ts";
import { hostRecordRoutes } from "./host/records.ts";
import { hostErasureRoutes } from "./host/erasures.ts";
import { hostResendRoutes } from "./host/resends.ts";
import { hostWebhookActionRoutes } from "./host/webhook-actions.ts";
import { hostWebhookRoutes } from "./host/webhooks.ts";
import { healthRoutes, metricsRoute } from "./operations.ts";
import { hostOpenApiRoute, openApiRoute } from "./openapi.ts";
import { orderRoutes } from "./orders.ts";
import { pageRoutes } from "./pages.ts";
import { sharedRoutes } from "./shared.ts";
import { webhookRoutes } from "./webhooks.ts";

/** The operations under `/v1`, in the order in which they are documented. */
export const publicApiRoutes: readonly DocumentedRoute[] = [
  ...accountRoutes,
  ...eventTypeRoutes,
  ...webhookRoutes,
  ...audienceRoutes,
  ...blogPostRoutes,
  ...orderRoutes,
  openApiRoute,
];

/** The operations under `/host/v1`, in the order in which they are documented. */
export const hostApiRoutes: readonly DocumentedRoute[] = [
  ...hostAccountRoutes,
  ...hostRecordRoutes,
  ...hostEventTypeRoutes,
  ...hostWebhookRoutes,
  ...hostWebhookActionRoutes,
  ...hostResendRoutes,
  ...hostErasureRoutes,
  ...hostAuditRoutes,
  ...hostNoticeRoutes,
  ...hostOutboxRoutes,
  hostOpenApiRoute,
];

/** For the console, and for programs of developers, such as the command line. */
export const developerRoutes: readonly Route[] = [
  ...sharedRoutes,
  ...listenerRoutes,
  ...consoleSessionRoutes,
  ...consolePeopleRoutes,
  ...consoleAccountRoutes,
  ...consoleWebhookRoutes,
  ...consoleDeliveryRoutes,
  ...consoleActivityRoutes,
  ...issueRoutes,
  ...consoleNoticeRoutes,
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
      : [...publicApiRoutes, ...developerRoutes, ...hostApiRoutes, ...pageRoutes(pages), ...operations];
  const hasHostToken = hostToken !== undefined && hostToken.length > 0;
  const hasMetricsToken = hasHostToken || metrics?.token !== undefined;
  return all.filter(
    ({ access }) => (access !== "host" || hasHostToken) && (access !== "metrics" || hasMetricsToken),
  );
}
