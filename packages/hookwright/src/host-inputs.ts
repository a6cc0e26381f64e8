import type {
  AccountInput as AccountFields,
  ApiKeyInput as ApiKeyFields,
  BlogPostInput as BlogPostFields,
  ContactInputBody as ContactFields,
  EmailListInput as EmailListFields,
  EventName,
  HostSubscriberInput as HostSubscriberFields,
  InputBody,
  ProjectInput as ProjectFields,
  SignInInput as SignInFields,
  SubscriberInputBody as SubscriberFields,
  SuppressionInput as SuppressionFields,
  WebhookInputBody as WebhookFields,
} from "@hookwright/domain";

/** Of `accounts.put`. What is left out stays, or takes its default in a new account; `email` is required there. */
export interface AccountInput extends InputBody<AccountFields> {}

/** Of `projects.put`. What is left out stays, or takes its default in a new site; `account_id` is required there. */
export interface ProjectInput extends InputBody<ProjectFields> {}

/** Of `emailLists.put`. What is left out stays, or takes its default in a new list; `project_id` is required there. */
export interface EmailListInput extends InputBody<EmailListFields> {}

/** Of `apiKeys.create`. */
export interface ApiKeyInput extends InputBody<ApiKeyFields> {}

/** Of `webhooks.create`. */
export interface WebhookInputBody extends InputBody<Omit<WebhookFields, "event">> {
  /** One of those that there are, which editors offer; any other text is refused with `unknown_event`. */
  readonly event: EventName | (string & {});
}

/** Of `contacts.write`. */
export interface ContactInputBody extends InputBody<ContactFields> {}

/** Of `subscribers.subscribe`. */
export interface SubscriberInputBody extends InputBody<SubscriberFields> {}

/** Of `subscribers.put`. What is left out stays. */
export interface HostSubscriberInput extends InputBody<HostSubscriberFields> {}

/** Of `suppressions.put`. */
export interface SuppressionInput extends InputBody<SuppressionFields> {}

/** Of `blogPosts.create`. */
export interface BlogPostInput extends InputBody<BlogPostFields> {}

/** Of `sessions.create`. */
export interface SignInInput extends InputBody<SignInFields> {}
