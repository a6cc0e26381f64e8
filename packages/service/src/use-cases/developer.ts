import type {
  Attempt,
  ConsoleWebhook,
  Delivery,
  DeliveryDetail,
  Recovery,
  Resend,
  ResendPreview,
} from "@hookwright/domain";
import type { DeliveryFilters } from "./deliveries.ts";
import type { Caller, ChangeOrigin } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";

/** The console's reads and resends for programs. An API key sees only the webhooks that it created, and their deliveries. */
export interface DeveloperUseCases {
  listWebhooks(caller: Caller, page: PageRequest): Promise<Page<ConsoleWebhook>>;
  /** As `WebhookUseCases.sendTest`. */
  sendTest(caller: Caller, webhookId: string, input?: unknown, origin?: ChangeOrigin): Promise<Attempt>;
  /** @throws `resource_not_found`, `invalid_state` */
  pause(caller: Caller, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /** @throws `resource_not_found`, `invalid_state` */
  resume(caller: Caller, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  listDeliveries(caller: Caller, filters: DeliveryFilters, page: PageRequest): Promise<Page<Delivery>>;
  /** @throws `resource_not_found` */
  getDelivery(caller: Caller, deliveryId: string): Promise<DeliveryDetail>;
  /** @throws `account_unavailable`, `plan_required`, `invalid_state`, `resource_not_found` */
  resend(caller: Caller, deliveryId: string, origin?: ChangeOrigin): Promise<Delivery>;
  /** As `WebhookUseCases.recover`. @throws `validation_failed`, `account_unavailable`, `plan_required`, `invalid_state`, `resource_not_found` */
  recover(caller: Caller, webhookId: string, input: unknown, origin?: ChangeOrigin): Promise<Recovery>;
  /** @throws `resource_not_found` */
  listRecoveries(caller: Caller, webhookId: string, page: PageRequest): Promise<Page<Recovery>>;
  /** @throws `resource_not_found` */
  getRecovery(caller: Caller, recoveryId: string): Promise<Recovery>;
  /** @throws `resource_not_found`, `invalid_state` */
  stopRecovery(caller: Caller, recoveryId: string, origin?: ChangeOrigin): Promise<Recovery>;
  /** As `ResendUseCases`. A key sees the jobs that it started. */
  startResend(caller: Caller, input: unknown, origin?: ChangeOrigin): Promise<Resend>;
  previewResend(caller: Caller, input: unknown): Promise<ResendPreview>;
  listResends(caller: Caller, page: PageRequest): Promise<Page<Resend>>;
  getResend(caller: Caller, jobId: string): Promise<Resend>;
  stopResend(caller: Caller, jobId: string, origin?: ChangeOrigin): Promise<Resend>;
}
