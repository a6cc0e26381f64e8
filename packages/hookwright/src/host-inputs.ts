import type {
  AccountInput as AccountFields,
  ApiKeyInput as ApiKeyFields,
  BlogPostInput as BlogPostFields,
  ConsoleLinkInput as ConsoleLinkFields,
  ContactInputBody as ContactFields,
  DisableInput as DisableFields,
  EmailListInput as EmailListFields,
  ErasureInput as ErasureFields,
  HostSubscriberInput as HostSubscriberFields,
  InputBody,
  LimitInput as LimitFields,
  LinkCodeInput as LinkCodeFields,
  ProjectInput as ProjectFields,
  RecoveryInput as RecoveryFields,
  RejectedEventRetry,
  ResendInput as ResendFields,
  SignInInput as SignInFields,
  SubscriberInputBody as SubscriberFields,
  SuppressionInput as SuppressionFields,
  TestInput as TestFields,
  WebhookActionInput as WebhookActionFields,
  WebhookChangesInput as WebhookChanges,
} from "@hookwright/domain";

/**
 * The input of `accounts.put`. A missing field does not change, or gets its default in a new account. A new account
 * needs `email`.
 */
export interface AccountInput extends InputBody<AccountFields> {}

/**
 * The input of `projects.put`. A missing field does not change, or gets its default in a new site. A new site needs
 * `account_id`.
 */
export interface ProjectInput extends InputBody<ProjectFields> {}

/**
 * The input of `emailLists.put`. A missing field does not change, or gets its default in a new list. A new list needs
 * `project_id`.
 */
export interface EmailListInput extends InputBody<EmailListFields> {}

/** The input of `apiKeys.create`. */
export interface ApiKeyInput extends InputBody<ApiKeyFields> {}

/** The input of `webhooks.sendTest`. Without an event, the first one of the webhook is sent. */
export interface TestInput extends InputBody<TestFields> {}

/** The input of `webhooks.disable`. */
export interface DisableInput extends InputBody<DisableFields> {}

/** The input of `webhooks.limit`. */
export interface LimitInput extends InputBody<LimitFields> {}

/** The input of `webhookActions.start`. */
export interface WebhookActionInput extends InputBody<Omit<WebhookActionFields, "dry_run">> {}

/** The input of `webhooks.recover`. */
export interface RecoveryInput extends InputBody<RecoveryFields> {}

/** The input of `rejectedEvents.retry`. A missing field stays as it is. */
export interface RejectedEventRetryInput extends InputBody<RejectedEventRetry> {}

/** The input of `resends.start`. */
export interface ResendInput extends InputBody<Omit<ResendFields, "dry_run">> {}

/**
 * The input of `webhooks.update`. A missing field does not change. Null removes the name, or means every site. `headers`
 * replaces all headers, and `{}` removes them.
 */
export interface WebhookChangesInput extends InputBody<Omit<WebhookChanges, "headers">> {
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The input of `erasures.start`. */
export interface ErasureInput extends InputBody<ErasureFields> {}

/** The input of `contacts.write`. */
export interface ContactInputBody extends InputBody<ContactFields> {}

/** The input of `subscribers.subscribe`. */
export interface SubscriberInputBody extends InputBody<SubscriberFields> {}

/** The input of `subscribers.put`. A missing field does not change. */
export interface HostSubscriberInput extends InputBody<HostSubscriberFields> {}

/** The input of `suppressions.put`. */
export interface SuppressionInput extends InputBody<SuppressionFields> {}

/** The input of `blogPosts.create`. */
export interface BlogPostInput extends InputBody<BlogPostFields> {}

/** The input of `sessions.createLink`. All fields may be missing. */
export interface ConsoleLinkInput extends InputBody<ConsoleLinkFields> {}

/** The input of `sessions.exchangeLink`. */
export interface LinkCodeInput extends InputBody<LinkCodeFields> {}

/** The input of `sessions.create`. */
export interface SignInInput extends InputBody<SignInFields> {}
