import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { CircleX, ExternalLink, KeyRound, Plus, Search, Send, Webhook } from "lucide";
import type { IconNode } from "lucide";
import { useEffect, useId, useState } from "preact/hooks";
import { Icon } from "../parts/buttons.tsx";
import { splitUrl } from "../parts/cells.tsx";
import { Dialog } from "../parts/dialogs.tsx";
import { useConsole } from "../state/console-context.ts";
import { readBranding } from "../state/page.ts";
import { hrefTo } from "../state/route.ts";
import { sections } from "./sections.ts";

/** The search waits until the user has stopped typing, because each search is a request. */
const typingMs = 200;

/** Search for pages, webhooks, deliveries, records and actions: a combobox with a list (WAI-ARIA APG). */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = useFound(text.trim());
  const listId = useId();
  const commands = findCommands(text.trim(), found);
  const go = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    if (command.href.startsWith("#")) location.hash = command.href;
    else open(command.href, "_blank", "noopener");
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setChosen(Math.min(commands.length - 1, chosen + 1));
    else if (event.key === "ArrowUp") setChosen(Math.max(0, chosen - 1));
    else if (event.key === "Enter") go(commands[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" onClose={onClose} kind="palette">
      <input
        type="text"
        role="combobox"
        autofocus
        aria-label="Search a record, URL, id or page"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={commands.length === 0 ? undefined : `${listId}-${chosen}`}
        placeholder="A record, URL, id or page"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <ul id={listId} role="listbox" aria-label="Results">
        {commands.map((command, index) => (
          <li
            key={command.href + command.title}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseMove={() => setChosen(index)}
            onClick={() => go(command)}
          >
            <Icon of={command.icon} />
            <span>{command.title}</span>
            <small>{command.kind}</small>
          </li>
        ))}
      </ul>
      {commands.length === 0 ? <p class="quiet">Nothing found.</p> : null}
    </Dialog>
  );
}

/** What the API knows about a text. */
function useFound(text: string): { webhooks: readonly ConsoleWebhook[]; deliveries: readonly Delivery[] } {
  const { api } = useConsole();
  const [webhooks, setWebhooks] = useState<readonly ConsoleWebhook[]>([]);
  const [deliveries, setDeliveries] = useState<readonly Delivery[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    api
      .list<ConsoleWebhook>("console/api/webhooks", { query: { limit: "100" }, signal: controller.signal })
      .then(
        ({ rows }) => setWebhooks(rows),
        () => {
          // The pages can be found without them. The list of webhooks shows what is wrong.
        },
      );
    return () => controller.abort();
  }, [api]);
  useEffect(() => {
    setDeliveries([]);
    if (text.length < 3) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const query = { q: text, limit: "5" };
      api.list<Delivery>("console/api/deliveries", { query, signal: controller.signal }).then(
        ({ rows }) => setDeliveries(rows),
        () => {
          // As above.
        },
      );
    }, typingMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [api, text]);
  return { webhooks, deliveries };
}

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
