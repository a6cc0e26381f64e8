export type {
  AccountUseCases,
  ApiKeyUseCases,
  Caller,
  DeliveryUseCases,
  EmailListUseCases,
  OrderFilters,
  OrderUseCases,
  Page,
  PageRequest,
  ProjectUseCases,
  PublishInput,
  PublishResult,
  RecordText,
  RecordUseCases,
  Service,
  SubscriberUseCases,
  SuppressionUseCases,
  WebhookUseCases,
} from "./use-cases.ts";
export { createService } from "./create-service.ts";
export type { ServiceOptions } from "./create-service.ts";
export { createReadMessage } from "./records/read-message.ts";
export type { Mail, Mailer } from "./notices/mailer.ts";
export { createNotifyOwner } from "./notices/notify-owner.ts";
