export { ConfigurationError } from "./options/configuration-error.ts";
export type { OptionProblem } from "./options/configuration-error.ts";
export { createHookwright } from "./create-hookwright.ts";
export { hardenServer } from "./node-server/harden-server.ts";
export type { HardenServerOptions } from "./node-server/server-limits.ts";
export { validateEvent } from "./validate-event.ts";
export type { Hookwright } from "./create-hookwright.ts";
export type {
  HostAccounts,
  HostApiKeys,
  HostBlogPosts,
  HostContacts,
  HostDeliveries,
  HostEmailLists,
  HostEventTypes,
  HostFunctions,
  HostOrders,
  HostPage,
  HostProjects,
  HostSessions,
  HostSubscribers,
  HostSuppressions,
  HostWebhooks,
} from "./host-functions.ts";
export type {
  AccountInput,
  ApiKeyInput,
  BlogPostInput,
  ContactInputBody,
  EmailListInput,
  HostSubscriberInput,
  ProjectInput,
  SignInInput,
  SubscriberInputBody,
  SuppressionInput,
  WebhookInputBody,
} from "./host-inputs.ts";
export type { HookwrightOptions, Role } from "./options/options.ts";
export { contactKey, mergeCustomer, RepositoryError } from "@hookwright/service";
export type {
  Awaitable,
  BlogPostDraft,
  BlogPostRepository,
  BlogPostRules,
  ContactFilters,
  ContactKey,
  ContactRepository,
  Listed,
  ListPage,
  ListPosition,
  MergeContact,
  MergedContact,
  OrderFilters,
  OrderRepository,
  RepositoryCall,
  RepositoryErrorCode,
  StoredContactFields,
} from "@hookwright/service";
export { HookwrightError, isHookwrightError, normaliseEmail, pinoLogger } from "@hookwright/domain";
export type {
  ApiKey,
  Attempt,
  BlogPost,
  ConsoleWebhook,
  Contact,
  ContactFields,
  CreatedApiKey,
  Delivery,
  DeliveryDetail,
  EmailList,
  ErrorCode,
  EventName,
  EventType,
  HostAccount,
  KeptBlogPost,
  KeptContact,
  BookingInput,
  DeliveryBody,
  EnquiryInput,
  EventData,
  EventInput,
  KeptOrder,
  Logger,
  Order,
  OrderInput,
  PinoLike,
  Project,
  PublishInput,
  RentalInput,
  ReviewInput,
  Session,
  SiteOrder,
  Subscriber,
  SubscriberRecordInput,
  UncheckedEvent,
  ValidEvent,
  Webhook,
} from "@hookwright/domain";
export {
  accountImportKey,
  bindServerSecret,
  compareServerSecret,
  hasRoomForSignIn,
  isBoundToServerSecret,
  isRowOfAccount,
  readAccountRows,
} from "@hookwright/service";
export type { ServerSecretMatch, ServerSecretOptions, SignInCount } from "@hookwright/service";
export type {
  AccountRowEntry,
  Caller,
  DeliveryFilters,
  Mail,
  Mailer,
  Page,
  PageRequest,
  PublishResult,
  RecordUseCases,
  WebhookCreation,
} from "@hookwright/service";
export type { Worker as Scheduler, WorkerStats as SchedulerStats } from "@hookwright/delivery";
