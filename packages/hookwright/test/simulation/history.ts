import type { Told } from "./simulated-process.ts";
import type { Swept } from "./watch-store.ts";

/** Something that was asked for, and when; without `doneAt` nobody knows whether it happened. */
export interface Asked {
  readonly askedAt: number;
  readonly doneAt: number | undefined;
}

export interface Publication extends Asked {
  readonly accountId: string;
  readonly orderId: string;
  readonly event: string;
  /** Which of all publications it is: its note says so. */
  readonly version: number;
  /** What was answered. */
  readonly deliveries: readonly string[];
  readonly duplicate: boolean | undefined;
}

/** From then on something must not be sent any more, or may be again. */
export interface Change extends Asked {
  /** A webhook, an account, or an order as `account/order`. */
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

/** What was asked for, and what was told. */
export interface History {
  readonly publications: Publication[];
  readonly changes: Change[];
  /** Whose answers were seen. */
  readonly subscriptions: Subscription[];
  readonly secrets: SecretChange[];
  /** Webhooks with a secret that somebody was not told. */
  readonly untold: Set<string>;
  readonly told: Told[];
  /** What has left the log. */
  readonly swept: Swept[];
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
    faults: [],
  };
}
