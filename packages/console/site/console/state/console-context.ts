import type { EventType, Project } from "@hookwright/domain";
import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { ConsoleApi } from "../api/console-api.ts";
import type { KeptLists } from "./kept-lists.ts";

/** What is shown once, and then nowhere again. */
export interface Secret {
  readonly title: ComponentChildren;
  /** What it is, above the field. */
  readonly label: string;
  readonly value: string;
  /** What it is for. */
  readonly text: ComponentChildren;
}

/** What every screen works with. Lists are empty until they have come. */
export interface ConsoleState {
  readonly api: ConsoleApi;
  readonly projects: readonly Project[];
  readonly eventTypes: readonly EventType[];
  /** A demo account: it shows everything and changes nothing. */
  readonly readOnly: boolean;
  /** Where in the browser's history the reader is. */
  readonly visit: string;
  readonly keptLists: KeptLists;
  /** Shows a secret above whatever screen the reader is on by then. */
  readonly showSecret: (secret: Secret) => void;
}

export const ConsoleContext = createContext<ConsoleState | undefined>(undefined);

export function useConsole(): ConsoleState {
  const state = useContext(ConsoleContext);
  if (state === undefined) throw new Error("useConsole works inside a ConsoleContext alone.");
  return state;
}
