import type { Told } from "./simulated-process.ts";
import type { Missed, SentByJob, Swept } from "./watch-store.ts";

/** A request and its times. Without `doneAt`, its outcome is unknown. */
export interface Asked {
  readonly askedAt: number;
  readonly doneAt: number | undefined;
}

export interface Publication extends Asked {
  readonly accountId: string;
  readonly orderId: string;
  readonly event: string;
  /** The number of the publication, which is also in the order's note. */
  readonly version: number;
  /** The response. */
  readonly deliveries: readonly string[];
  readonly duplicate: boolean | undefined;
}

/** A change after which something must not be sent any more, or may be sent again. */
export interface Change extends Asked {
  /** A webhook id, an account id, or an order as `account/order`. */
  readonly of: string;
  readonly allows: boolean;
}

export interface Subscription extends Asked {
  readonly accountId: string;
  readonly webhookId: string;
  readonly event: string;
  readonly targetUrl: string;
}

export interface SecretChange extends Asked {
  readonly webhookId: string;
  readonly current: string;
}

/** All requests and their responses. */
export interface History {
  readonly publications: Publication[];
  readonly changes: Change[];
  /** The attempts that were reported as durable. */
  readonly subscriptions: Subscription[];
  readonly secrets: SecretChange[];
  /** Webhooks whose secret is unknown, because a response was lost. */
  readonly untold: Set<string>;
  readonly told: Told[];
  /** The rows that were swept from the log. */
  readonly swept: Swept[];
  readonly missed: Missed[];
  readonly sentByJobs: SentByJob[];
  /** The job of each account that sent everything again at the end. */
  readonly lastJobs: Map<string, string>;
  readonly faults: unknown[];
}

export function createHistory(): History {
  return {
    publications: [],
    changes: [],
    subscriptions: [],
    secrets: [],
    untold: new Set(),
    told: [],
    swept: [],
    missed: [],
    sentByJobs: [],
    lastJobs: new Map(),
    faults: [],
  };
}
