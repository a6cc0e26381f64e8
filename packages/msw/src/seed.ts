import type {
  AccountInput,
  BlogPostInput,
  ContactInputBody,
  EmailListInput,
  EventName,
  ProjectInput,
  Webhook,
  WebhookInputBody,
} from "@hookwright/domain";

/** A site. What is left out is as the service would have it; `account_id` is of no use here: there is one account. */
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
  /** Lists of its site. */
  readonly list_ids?: readonly string[] | undefined;
}

/** A webhook that nobody asked the mock for: so its secret has to be known from here. The same event and URL again is the same webhook. */
export type SeedWebhook = Readonly<WebhookInputBody> &
  WebhookChange & {
    /** @default a new one, which `mockApi().state.webhooks` tells */
    readonly signing_secret?: string | undefined;
  };

/** What deliveries do to a webhook, and its owner in the console. */
export type WebhookChange = {
  readonly [Field in "status" | "consecutive_failures" | "last_success_at" | "last_failure_at"]?:
    | Webhook[Field]
    | undefined;
};

/** Something that happened on a site: the record is the event's sample, or what is there by its id, with these fields over it. */
export interface SeedEvent {
  readonly event: EventName;
  readonly project_id?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** What the fake service knows. Where a `project_id` is left out, it is the first site. */
export interface Seed {
  /** @default "Analytical Bakery" with the plan `standard`: everything, without limits; fields left out stay */
  readonly account?:
    | ({ readonly id?: string | undefined } & Readonly<Omit<AccountInput, "password">>)
    | undefined;
  /** @default `site_1`, "Main street shop" in Europe/London, where `mockApi` is given none */
  readonly projects?: readonly SeedProject[] | undefined;
  readonly emailLists?: readonly SeedEmailList[] | undefined;
  readonly contacts?: readonly SeedContact[] | undefined;
  readonly subscribers?: readonly SeedSubscriber[] | undefined;
  readonly blogPosts?: readonly SeedBlogPost[] | undefined;
  readonly webhooks?: readonly SeedWebhook[] | undefined;
  readonly events?: readonly SeedEvent[] | undefined;
  /** Addresses that bounced or complained: subscribing one is `email_rejected`. */
  readonly suppressions?: readonly string[] | undefined;
  /** Domains that are `email_rejected`, with those under them. @default `mailinator.com` alone; these come to it */
  readonly throwawayDomains?: readonly string[] | undefined;
}

type InFirstProject<Body extends { project_id: string }> = Readonly<Omit<Body, "project_id">> & {
  readonly project_id?: string | undefined;
};
