import { useContext } from "preact/hooks";
import { ConsoleContext } from "./console-context.ts";
import { usePreferences } from "./preferences.ts";

/** The time zone of all times. Undefined: the one of the browser. */
export function useTimeZone(): string | undefined {
  const { timeZone } = usePreferences();
  const console = useContext(ConsoleContext);
  if (timeZone === "local") return undefined;
  if (timeZone === "utc") return "UTC";
  const { projects = [], site } = console ?? {};
  return (projects.find(({ id }) => id === site) ?? projects[0])?.timezone ?? undefined;
}
