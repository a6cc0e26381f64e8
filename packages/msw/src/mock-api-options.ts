import type { BuiltInEvents, NoOwnEvents, OwnEvents } from "@hookwright/domain";
import type { Seed } from "./seed.ts";

export interface MockApiOptions<Own extends OwnEvents = NoOwnEvents> {
  /** The address of the API for the program under test, without `/v1`. */
  readonly baseUrl: string;
  /** The valid key. @default "hwk_mock" */
  readonly apiKey?: string | undefined;
  /** @default an account on a plan without limits, with the site `site_1` */
  readonly seed?: Seed<Own> | undefined;
  /** The host's own events: the option `events` of `createHookwright`. @default none */
  readonly events?: Own | undefined;
  /** The events of the specification that the server has, if not all: its option `builtInEvents`. @default true */
  readonly builtInEvents?: BuiltInEvents | undefined;
  /** The prefix of the names of the signed headers, if the server has its own. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
  /** The form of bodies. @default "hookwright" */
  readonly bodyForm?: "hookwright" | "standard" | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** The source of ids and secrets. @default `randomBytes` of `node:crypto` */
  readonly randomBytes?: ((size: number) => Uint8Array) | undefined;
}

export interface PublishOptions {
  /** @default the first site */
  readonly projectId?: string | undefined;
}
