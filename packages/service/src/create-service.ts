import type { ServiceContext } from "./context.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { createApiKeys } from "./accounts/api-keys.ts";
import { createAuthenticate } from "./accounts/authenticate.ts";
import { createDirectory } from "./lookups/directory.ts";
import { createPasswordSalt } from "./accounts/password.ts";
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
import { createPublish } from "./publishing/publish.ts";
import { createRecords } from "./records/records.ts";
import type { BlogPostRepository } from "./repositories/blog-post-repository.ts";
import { createBlogPostsOfHost } from "./repositories/blog-posts-of-host.ts";
import type { ContactRepository } from "./repositories/contact-repository.ts";
import { createContactsOfHost } from "./repositories/contacts-of-host.ts";
import type { OrderRepository } from "./repositories/order-repository.ts";
import { createOrdersOfHost } from "./repositories/orders-of-host.ts";
import { createArrivals } from "./store/positions.ts";
import type { Service } from "./use-cases.ts";
import { createTestPlaces } from "./webhooks/test-places.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

type Derived = "directory" | "keepsContacts" | "nextArrival" | "passwordSalt";

export interface ServiceOptions extends Omit<ServiceContext, Derived> {
  /** The server secret. The salts of passwords are derived from it. */
  readonly secret: string;
  /** Contacts that the host keeps itself. @default they are kept in `store` */
  readonly contacts?: ContactRepository | undefined;
  /** Orders that the host keeps itself. @default those published are kept in `store` */
  readonly orders?: OrderRepository | undefined;
  /** Blog posts that the host keeps itself. @default they are kept in `store` */
  readonly blogPosts?: BlogPostRepository | undefined;
}

/** The use cases of the integration API over one store. It knows no HTTP: `@hookwright/api` serves it. */
export function createService(options: ServiceOptions): Service {
  const { secret, contacts, orders, blogPosts, ...given } = options;
  const context: ServiceContext = {
    ...given,
    keepsContacts: contacts === undefined,
    directory: createDirectory(options),
    nextArrival: createArrivals(options.now),
    passwordSalt: createPasswordSalt({ secret }),
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
    orders: orders === undefined ? createOrders(context) : createOrdersOfHost(context, orders),
    deliveries: createDeliveries(context),
    records: createRecords(context),
    contacts: contacts === undefined ? createContacts(context) : createContactsOfHost(context, contacts),
    blogPosts: blogPosts === undefined ? createBlogPosts(context) : createBlogPostsOfHost(context, blogPosts),
    eventTypes: createEventTypes(context),
    subscribers: createSubscribers(context),
    suppressions: createSuppressions(context),
    testsEnded: testPlaces.ended,
  };
}
