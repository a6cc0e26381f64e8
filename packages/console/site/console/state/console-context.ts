import type { Account, EventType, Project } from "@hookwright/domain";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ConsoleApi } from "../api/console-api.ts";

/** What every screen works with. */
export interface ConsoleState {
  readonly api: ConsoleApi;
  readonly account: Account;
  readonly projects: readonly Project[];
  readonly eventTypes: readonly EventType[];
}

export const ConsoleContext = createContext<ConsoleState | undefined>(undefined);

export function useConsole(): ConsoleState {
  const state = useContext(ConsoleContext);
  if (state === undefined) throw new Error("useConsole works inside a ConsoleContext alone.");
  return state;
}
