import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { ExternalLink, KeyRound, Plus, Search, Send, Webhook, CircleX } from "lucide";
import type { IconNode } from "lucide";
import { splitUrl } from "../parts/endpoint.tsx";
import { hrefTo } from "../state/use-route.ts";
import { readBranding } from "./branding.ts";
import { sections } from "./sections.ts";

/** A line of the search. */
export interface Command {
  readonly title: string;
  readonly kind: "page" | "action" | "webhook" | "delivery" | "search";
  readonly icon: IconNode;
  /** A fragment, or a page that opens in a new tab. */
  readonly href: string;
}

const maximumWebhooks = 8;

/** The lines for a text: pages and actions by their title, webhooks by URL, event, name or id, then deliveries. */
export function findCommands(
  text: string,
  found: { readonly webhooks: readonly ConsoleWebhook[]; readonly deliveries: readonly Delivery[] },
): readonly Command[] {
  const wanted = text.toLowerCase();
  const matches = (...texts: readonly (string | null)[]): boolean =>
    texts.some((each) => each?.toLowerCase().includes(wanted) === true);
  const webhooks = wanted === "" ? [] : found.webhooks;
  return [
    ...listPages().filter(({ title }) => matches(title)),
    ...webhooks
      .filter(({ id, target_url, event, name }) => matches(id, target_url, event, name))
      .slice(0, maximumWebhooks)
      .map(({ id, target_url, event, name }) => ({
        title: `${name ?? target_url} · ${event}`,
        kind: "webhook" as const,
        icon: Webhook,
        href: hrefTo(["webhooks", id]),
      })),
    ...found.deliveries.map(({ id, event, record_id, status, target_url }) => ({
      title: `${record_id} · ${event} · ${status} · ${splitUrl(target_url).path}`,
      kind: "delivery" as const,
      icon: Send,
      href: hrefTo(["deliveries", id]),
    })),
    ...(wanted === ""
      ? []
      : [
          {
            title: `Deliveries with “${text}”`,
            kind: "search" as const,
            icon: Search,
            href: hrefTo(["deliveries"], { q: text }),
          },
        ]),
  ];
}

function listPages(): readonly Command[] {
  const { docs } = readBranding();
  return [
    ...sections.map(({ name, title, icon }) => ({
      title,
      kind: "page" as const,
      icon,
      href: hrefTo(name === "" ? [] : [name]),
    })),
    {
      title: "Failed deliveries",
      kind: "page",
      icon: CircleX,
      href: hrefTo(["deliveries"], { status: "failed" }),
    },
    {
      title: "Create webhook",
      kind: "action",
      icon: Plus,
      href: hrefTo(["webhooks"], { create: "webhook" }),
    },
    { title: "Create API key", kind: "action", icon: KeyRound, href: hrefTo(["keys"], { create: "key" }) },
    { title: "API reference", kind: "page", icon: ExternalLink, href: "reference" },
    ...(docs === undefined ? [] : [{ title: "Docs", kind: "page" as const, icon: ExternalLink, href: docs }]),
  ];
}
