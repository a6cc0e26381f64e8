import type { AccountSearch, ConsoleWebhook, DeliveryMatch } from "@hookwright/domain";
import { CircleX, ExternalLink, FileText, KeyRound, Plus, Search, Send, Webhook } from "lucide";
import type { IconNode } from "lucide";
import { useId, useState } from "preact/hooks";
import { toPath } from "../api/console-api.ts";
import { Icon } from "../parts/buttons.tsx";
import { splitUrl } from "../parts/tell-apart.ts";
import { Dialog } from "../parts/dialogs.tsx";
import { describeEvents } from "../parts/webhook-events.ts";
import { FailureNote } from "../parts/page.tsx";
import { useConsole } from "../state/console-context.ts";
import { readBranding } from "../state/page.ts";
import { hrefTo } from "../state/route.ts";
import { useDelayed, useGet, useRows } from "../state/use-api.ts";
import { sections } from "./sections.ts";

/** The search waits until the user has stopped typing, because each search is a request. */
const typingMs = 200;
/** Many records begin with one character. */
const shortestSearch = 2;

/** Search for pages, webhooks, deliveries, records and actions: a combobox with a list (WAI-ARIA APG). */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const { found, isComplete, failure, reload } = useFound(text.trim());
  const listId = useId();
  const { rights } = useConsole();
  const commands = findCommands(text.trim(), found).filter(
    ({ kind }) => kind !== "action" || rights.includes("webhooks"),
  );
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
        aria-label="Search a record, order number, e-mail address, URL, id or page"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={commands.length === 0 ? undefined : `${listId}-${chosen}`}
        placeholder="A record, order number, e-mail address, URL, id or page"
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
            <small>{command.why === undefined ? command.kind : `${command.why} · ${command.kind}`}</small>
          </li>
        ))}
      </ul>
      <FailureNote failure={failure} onRetry={reload} />
      <p class="quiet" role="status">
        {isComplete && commands.every(({ kind }) => kind === "search") ? "Nothing found." : ""}
      </p>
    </Dialog>
  );
}

type Found = AccountSearch & { readonly webhooks: readonly ConsoleWebhook[] };

/** What the API knows about a text. Without it, the pages can be found. The list of webhooks shows what is wrong. */
function useFound(text: string) {
  const q = useDelayed(text, typingMs);
  const isShort = q.length < shortestSearch;
  const { data: webhooks = [] } = useRows<ConsoleWebhook>(toPath("webhooks"), { limit: "100" });
  const { data, failure, reload } = useGet<AccountSearch>(isShort ? undefined : toPath("search"), { q });
  const { records, deliveries } = (q === text ? data : undefined) ?? { records: [], deliveries: [] };
  const found: Found = { webhooks, records, deliveries };
  return { found, failure, reload, isComplete: q === text && (isShort || data !== undefined) };
}

/** A line of the search. */
export interface Command {
  readonly title: string;
  readonly kind: "page" | "action" | "webhook" | "record" | "delivery" | "search";
  /** What of it matches the text. */
  readonly why?: string;
  readonly icon: IconNode;
  /** A fragment, or a page that opens in a new tab. */
  readonly href: string;
}

const maximumWebhooks = 8;

const matchNames: Readonly<Record<DeliveryMatch, string>> = {
  id: "id",
  record_id: "record id",
  number: "order number",
  email: "e-mail address",
  webhook: "webhook",
};

/** The lines for a text: pages and actions by their title, webhooks by name, URL, event or id, then records and deliveries. */
export function findCommands(text: string, found: Found): readonly Command[] {
  const wanted = text.toLowerCase();
  const matches = (each: string | null): boolean => each?.toLowerCase().includes(wanted) === true;
  const webhooks = wanted === "" ? [] : found.webhooks;
  return [
    ...listPages().filter(({ title }) => matches(title)),
    ...webhooks
      .flatMap((webhook) => {
        const { id, target_url, events, name } = webhook;
        const texts: readonly (readonly [string, string | null])[] = [
          ["name", name],
          ["URL", target_url],
          ...events.map((event) => ["event", event] as const),
          ["id", id],
        ];
        const [why] = texts.find(([, each]) => matches(each)) ?? [];
        return why === undefined ? [] : [{ webhook, why }];
      })
      .slice(0, maximumWebhooks)
      .map(({ webhook, why }) => ({
        title: `${webhook.name ?? webhook.target_url} · ${describeEvents(webhook)}`,
        kind: "webhook" as const,
        why,
        icon: Webhook,
        href: hrefTo(["webhooks", webhook.id]),
      })),
    ...found.records.map(({ id, number, email, matched }) => ({
      title: [id, number && `order ${number}`, email].filter(Boolean).join(" · "),
      kind: "record" as const,
      why: matchNames[matched],
      icon: FileText,
      href: hrefTo(["deliveries"], { q: id }),
    })),
    ...found.deliveries.map(({ id, event, record_id, status, target_url, matched }) => ({
      title: `${record_id} · ${event} · ${status} · ${splitUrl(target_url).path}`,
      kind: "delivery" as const,
      why: matchNames[matched],
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
      href: hrefTo(["deliveries"], { outcome: "failed" }),
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
