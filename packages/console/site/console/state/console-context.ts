import type {
  Account,
  DeliveryRules,
  EventType,
  OverviewPeriod,
  Project,
  Right,
  SessionPerson,
} from "@hookwright/domain";
import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import type { Dispatch, StateUpdater } from "preact/hooks";
import type { ConsoleApi } from "../api/console-api.ts";
import type { ListCache } from "./list-cache.ts";
import type { Live } from "./live.ts";

/** A secret that is shown only once. */
export interface Secret {
  readonly title: ComponentChildren;
  /** The label of the field. */
  readonly label: string;
  readonly value: string;
  /** The same secret in other forms. */
  readonly otherForms?: readonly SecretForm[];
  /** What the secret is for. */
  readonly text: ComponentChildren;
  /** What can be done next, below the secret. */
  readonly next?: ComponentChildren;
}

/** A secret as some programs expect it. */
export interface SecretForm {
  readonly label: string;
  readonly value: string;
}

/** What is asked before an action that cannot be undone. */
export interface Question {
  readonly title: ComponentChildren;
  /** The consequences of the action. */
  readonly text: ComponentChildren;
  /** The label of the confirm button, a verb. */
  readonly confirm: string;
  readonly kind: "danger" | "primary";
  readonly onConfirm: () => Promise<unknown>;
  /** Called after success, unless the user has left the screen. */
  readonly onDone?: () => void;
}

/** The state that all screens share. Lists are empty until they are loaded. */
export interface ConsoleState {
  readonly api: ConsoleApi;
  /** Whose console it is. Undefined: the operator's. */
  readonly account: Account | undefined;
  /** How its deliveries are repeated. Undefined until it is loaded, and for the operator. */
  readonly rules?: DeliveryRules | undefined;
  readonly projects: readonly Project[];
  readonly eventTypes: readonly EventType[];
  /** Whether `eventTypes` is loaded, and the server has none. */
  readonly hasNoEvents?: boolean | undefined;
  /** The site that the lists are filtered by. Undefined: all. */
  readonly site: string | undefined;
  /** The period of the charts. */
  readonly period: OverviewPeriod;
  readonly live: Live;
  /** Why nothing can be changed. Undefined: changes are allowed. */
  readonly readOnly: "demo account" | "read-only session" | undefined;
  /** What the session may do. The operator has all rights. */
  readonly rights: readonly Right[];
  /** The person of the session. Null: a link that names nobody, or the operator. */
  readonly person: SessionPerson | null;
  /** Identifies the entry of the browser's history. */
  readonly visit: string;
  readonly listCache: ListCache;
  /** Says for a few seconds what happened. */
  readonly toast: (text: string) => void;
  /** Sets the question that is shown above the current screen. */
  readonly ask: Dispatch<StateUpdater<Question | undefined>>;
  /** Shows a secret above the current screen. */
  readonly showSecret: (secret: Secret) => void;
  /** Loads the account and the person again. Undefined: the operator's. */
  readonly onAccountChange?: (() => void) | undefined;
  /** When the session ends by itself. Undefined: the operator has none. */
  readonly expiresAt: string | undefined;
  /** Shows the sign-in, and why. */
  readonly onEnd: (reason: string) => void;
}

export const ConsoleContext = createContext<ConsoleState | undefined>(undefined);

export function useConsole(): ConsoleState {
  const state = useContext(ConsoleContext);
  if (state === undefined) throw new Error("useConsole must be called inside a ConsoleContext.");
  return state;
}

/** Whether the session may change webhooks. */
export function useMayChange(): boolean {
  const { readOnly, rights } = useConsole();
  return readOnly === undefined && rights.includes("webhooks");
}

/** Returns a function that asks above the screen. The question is shown as long as the component that asks. */
export function useAsk(): (question: Question) => void {
  const { ask } = useConsole();
  const asked = useRef<Question>(undefined);
  useLayoutEffect(() => () => ask((shown) => (shown === asked.current ? undefined : shown)), []);
  return (question) => {
    asked.current = question;
    ask(question);
  };
}

/** The periods of the charts, shortest first. */
export const overviewPeriods = { "1h": "1h", "24h": "24h", "7d": "7d", "30d": "30d" } as const;

/** The period that the address names. @default 24h */
export function readPeriod(text = ""): OverviewPeriod {
  const isPeriod = (each: string): each is OverviewPeriod => Object.hasOwn(overviewPeriods, each);
  return isPeriod(text) ? text : "24h";
}

export const periodNames: Readonly<Record<OverviewPeriod, string>> = {
  "1h": "the last hour",
  "24h": "the last 24 hours",
  "7d": "the last 7 days",
  "30d": "the last 30 days",
};
