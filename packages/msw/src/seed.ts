import type {
  AccountInput,
  BlogPostInput,
  ContactInputBody,
  EmailListInput,
  KnownEventName,
  NoOwnEvents,
  OwnEvents,
  ProjectInput,
  Webhook,
  WebhookInputBody,
} from "@hookwright/domain";

/**
 * A site. Omitted fields have the defaults of the service. `account_id` is not needed, because there is one
 * account.
 */
export type SeedProject = { readonly id: string } & Readonly<Omit<ProjectInput, "account_id">>;

export type SeedEmailList = { readonly id: string } & Readonly<EmailListInput>;

export type SeedContact = InFirstProject<ContactInputBody>;

export type SeedBlogPost = InFirstProject<BlogPostInput>;

export interface SeedSubscriber {
  readonly email: string;
  readonly project_id?: string | undefined;
  readonly name?: string | undefined;
  /** @default "active" */
  readonly status?: "active" | "unsubscribed" | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The ids of lists of its site. */
  readonly list_ids?: readonly string[] | undefined;
}

/** A webhook that exists from the start. The same events and URL again are the same webhook. */
export type SeedWebhook = WebhookInputBody &
  WebhookChange & {
    /** The secret, of any length. @default a new one, see `mockApi().state()` */
    readonly signing_secret?: string | null | undefined;
  };

/** What failures and the owner change. */
export interface WebhookChange {
  readonly status?: Webhook["status"] | undefined;
}

/**
 * A published event. The record is the stored one with this id, or else the event's sample, with these fields
 * over it.
 */
export interface SeedEvent<Own extends OwnEvents = NoOwnEvents> {
  readonly event: KnownEventName<Own>;
  readonly project_id?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** The initial state of the mock. A missing `project_id` means the first site. */
export interface Seed<Own extends OwnEvents = NoOwnEvents> {
  /**
   * The account. Omitted fields stay. @default "Analytical Bakery" with the plan `standard`: everything,
   * without limits
   */
  readonly account?:
    | ({ readonly id?: string | undefined } & Readonly<Omit<AccountInput, "password">>)
    | undefined;
  /** The sites. @default `site_1`, "Main street shop" in Europe/London */
  readonly projects?: readonly SeedProject[] | undefined;
  readonly emailLists?: readonly SeedEmailList[] | undefined;
  readonly contacts?: readonly SeedContact[] | undefined;
  readonly subscribers?: readonly SeedSubscriber[] | undefined;
  readonly blogPosts?: readonly SeedBlogPost[] | undefined;
  readonly webhooks?: readonly SeedWebhook[] | undefined;
  readonly events?: readonly SeedEvent<Own>[] | undefined;
  /** Addresses that bounced or complained. Subscribing them fails with `email_rejected`. */
  readonly suppressions?: readonly string[] | undefined;
}

type InFirstProject<Body extends { project_id: string }> = Readonly<Omit<Body, "project_id">> & {
  readonly project_id?: string | undefined;
};
