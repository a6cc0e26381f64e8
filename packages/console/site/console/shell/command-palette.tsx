import { useEffect, useId, useState } from "preact/hooks";
import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { useConsole } from "../state/console-context.ts";
import { findCommands } from "./find-commands.ts";
import type { Command } from "./find-commands.ts";

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
