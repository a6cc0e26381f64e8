import type { AuditActor, HostAccount, Right, Role, SessionPerson } from "@hookwright/domain";
import type { WebhookRow } from "@hookwright/delivery";

/** Who makes a change, for the audit log. */
export interface ChangeOrigin {
  readonly actor: AuditActor;
  /** The value of `X-Request-Id`. Null: no request. */
  readonly requestId: string | null;
}

/** The authenticated caller: the account and its credential. */
export interface Caller {
  readonly accountId: string;
  readonly credential:
    | { readonly type: "key"; readonly keyId: string; readonly name: string; readonly integration: boolean }
    /** A session of the console. `readOnly` is true if it may change nothing, which the API layer checks. */
    | {
        readonly type: "console";
        readonly readOnly?: boolean;
        readonly link?: ConsoleLinkOrigin;
        /** Absent for sessions of older versions. */
        readonly sessionId?: string | undefined;
        /** The id of a person with a row. Absent for the login of the account, and for links. */
        readonly personId?: string | undefined;
      };
  /** The API layer checks `suspended`, the plan and the rights, in the order that the contract requires. */
  readonly account: HostAccount;
  /** The role of the session. Undefined: the credential is a key. */
  readonly role?: Role | undefined;
  /** What the key or the role of the session may do. */
  readonly rights: readonly Right[];
  /** The only site whose data a key reaches. Undefined: all sites. */
  readonly projectId?: string | undefined;
  /** The person of the session. Null: a link that names nobody. Undefined: the credential is a key. */
  readonly person?: SessionPerson | null;
  /** Milliseconds since the epoch. Undefined: the credential does not expire. */
  readonly expiresAt?: number | undefined;
}

/** A caller whose account is already known to be active, and who may do what it asks for. Only a console session may leave out its rights. */
export type Developer =
  | Pick<Caller, "accountId" | "credential" | "rights" | "projectId">
  | {
      readonly accountId: string;
      readonly credential: Extract<Caller["credential"], { readonly type: "console" }>;
      readonly rights?: undefined;
      readonly projectId?: undefined;
    };

/** The link that opened a session of the console. */
export interface ConsoleLinkOrigin {
  /** The name of the host token that created it. Null: the embedding program. */
  readonly createdBy: string | null;
}

/** The origin of a request. */
export interface ClientAddress {
  /** The IP address of the client. @default unknown */
  readonly clientAddress?: string | undefined;
  /** Whether a trusted proxy reported the address. Then even a private address belongs to the client. @default false */
  readonly isForwarded?: boolean | undefined;
}

/** What an API key may see. */
export interface OwnOfKey {
  readonly keyId: string;
  /** The only site of a key. Undefined: all sites. */
  readonly projectId?: string | undefined;
  /** The webhooks that it created. */
  readonly webhooks: readonly WebhookRow[];
}

/** Where links begin, and who makes a change. */
export interface LinkOptions {
  /** The URL or path below which the console is served. @default "" */
  readonly basePath?: string | undefined;
  readonly origin?: ChangeOrigin | undefined;
}

/** A credential that was refused. It says neither which one nor for whom. */
export interface FailedAuthentication {
  readonly credential: "password" | "console_link" | "host_token" | "metrics_token";
  /** As the limits count it: an IPv4 address, the first half of an IPv6 address, or `unknown`. */
  readonly network: string;
}
