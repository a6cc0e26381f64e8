import type { ServiceContext } from "./context.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { createApiKeys } from "./accounts/api-keys.ts";
import { createAuthenticate } from "./accounts/authenticate.ts";
import { createDirectory } from "./accounts/directory.ts";
import { createProjects } from "./accounts/projects.ts";
import { createContacts } from "./audience/contacts.ts";
import { createEmailLists } from "./audience/email-lists.ts";
import { createSubscribers } from "./audience/subscribers.ts";
import { createSuppressions } from "./audience/suppressions.ts";
import { createBlogPosts } from "./content/blog-posts.ts";
import { createSessions } from "./console/sessions.ts";
import { createDeliveries } from "./deliveries/deliveries.ts";
import { createEventTypes } from "./records/event-types.ts";
import { createOrders } from "./records/orders.ts";
import { createPublish } from "./records/publish.ts";
import { createRecords } from "./records/records.ts";
import { createArrivals } from "./store/positions.ts";
import type { Service } from "./use-cases.ts";
import { createReadListeners } from "./webhooks/read-listeners.ts";
import { createTestPlaces } from "./webhooks/test-places.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

export type ServiceOptions = Omit<ServiceContext, "directory" | "nextArrival" | "readListeners">;

/** The use cases of the integration API over one store. It knows no HTTP: `@hookwright/api` serves it. */
export function createService(options: ServiceOptions): Service {
  const context: ServiceContext = {
    ...options,
    directory: createDirectory(options),
    readListeners: createReadListeners(options),
    nextArrival: createArrivals(options.now),
  };
  const testPlaces = createTestPlaces();
  return {
    authenticate: createAuthenticate(context),
    sessions: createSessions(context),
    ...createPublish(context),
    accounts: createAccounts(context),
    projects: createProjects(context),
    emailLists: createEmailLists(context),
    apiKeys: createApiKeys(context),
    webhooks: createWebhooks(context, testPlaces),
    orders: createOrders(context),
    deliveries: createDeliveries(context),
    records: createRecords(context),
    contacts: createContacts(context),
    blogPosts: createBlogPosts(context),
    eventTypes: createEventTypes(context),
    subscribers: createSubscribers(context),
    suppressions: createSuppressions(context),
    testsEnded: testPlaces.ended,
  };
}
