import type { RandomBytes } from "./random.ts";
import type { Seed } from "./seed.ts";

export interface MockApiOptions {
  /** Where the program under test looks for the API: what comes before `/v1`. */
  readonly baseUrl: string;
  /** The key that is valid. @default "hwk_mock" */
  readonly apiKey?: string | undefined;
  /** @default an account on a plan without limits, with the site `site_1` */
  readonly seed?: Seed | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Ids, secrets and cursors are made of it. @default crypto.getRandomValues */
  readonly randomBytes?: RandomBytes | undefined;
}

export interface PublishOptions {
  /** @default the first site */
  readonly projectId?: string | undefined;
}
