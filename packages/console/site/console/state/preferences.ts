import { useEffect, useState } from "preact/hooks";

/** What a user has chosen for this browser. */
export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  readonly timeZone: "local" | "site" | "utc";
  readonly density: "comfortable" | "compact";
  readonly shortcuts: "on" | "off";
  /** The checklist of the first steps. `auto` shows it before the first event, then it stays `on` until it is dismissed. */
  readonly firstSteps: "auto" | "on" | "off";
  /** `yes` after the user has said that the endpoint verifies signatures. */
  readonly verifies: "yes" | "no";
}

const storageKey = "hookwright console preferences";
const defaults: Preferences = {
  theme: "system",
  timeZone: "local",
  density: "comfortable",
  shortcuts: "on",
  firstSteps: "auto",
  verifies: "no",
};
const listeners = new Set<(preferences: Preferences) => void>();
let current = read();

function read(): Preferences {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(storageKey) ?? "{}") };
  } catch {
    // Without permission for storage, and with a text that is not ours, the defaults are used.
    return defaults;
  }
}

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // Without permission for storage, they last as long as the page.
  }
  applyTheme();
  for (const listener of listeners) listener(current);
}

export function usePreferences(): Preferences {
  const [preferences, setState] = useState(current);
  useEffect(() => {
    listeners.add(setState);
    return () => void listeners.delete(setState);
  }, []);
  return preferences;
}

/** Sets the colour scheme of the page. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = current.theme;
}
