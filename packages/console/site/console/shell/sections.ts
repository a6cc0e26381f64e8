import type { consoleSections } from "@hookwright/domain";
import {
  BookOpen,
  History,
  House,
  KeyRound,
  Radio,
  ScrollText,
  Send,
  Settings,
  Users,
  Webhook,
} from "lucide";
import type { IconNode } from "lucide";

export interface Section {
  /** The first segment of the address. The overview has none. */
  readonly name: "" | (typeof consoleSections)[number];
  readonly title: string;
  readonly icon: IconNode;
  /** The second key of the shortcut `g …`. */
  readonly shortcut: string;
  /** The heading above it in the navigation. */
  readonly group?: string;
  /** Whether the navigation of a small screen shows it. */
  readonly isMain: boolean;
}

/** The sections of the console, in the order of the navigation. */
export const sections: readonly Section[] = [
  { name: "", title: "Overview", icon: House, shortcut: "o", isMain: true },
  { name: "webhooks", title: "Webhooks", icon: Webhook, shortcut: "w", isMain: true },
  { name: "deliveries", title: "Deliveries", icon: Send, shortcut: "d", isMain: true },
  { name: "events", title: "Events", icon: BookOpen, shortcut: "e", isMain: false },
  { name: "listen", title: "Listen", icon: Radio, shortcut: "l", isMain: false },
  { name: "requests", title: "Requests", icon: ScrollText, shortcut: "r", group: "API", isMain: false },
  { name: "keys", title: "Keys", icon: KeyRound, shortcut: "k", isMain: true },
  { name: "people", title: "People", icon: Users, shortcut: "p", isMain: false },
  { name: "activity", title: "Activity", icon: History, shortcut: "a", isMain: false },
  { name: "settings", title: "Settings", icon: Settings, shortcut: "s", isMain: false },
];
