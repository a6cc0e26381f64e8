import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../parts/buttons.tsx";
import { Dialog } from "../parts/dialogs.tsx";
import { Check } from "../parts/fields.tsx";
import { setPreferences, usePreferences } from "../state/preferences.ts";
import { hrefTo } from "../state/route.ts";
import { sections } from "./sections.ts";

/** All shortcuts, and a switch that turns them off. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const { shortcuts: setting } = usePreferences();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {shortcuts.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Check
        checked={setting === "on"}
        onChange={(checked) => setPreferences({ shortcuts: checked ? "on" : "off" })}
      >
        Use these shortcuts. Search stays available.
      </Check>
      <div class="actions end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

/** The keys that open the search. */
export const searchKeys = navigator.platform.startsWith("Mac") ? "⌘K" : "Ctrl K";

/** A key and what it does, for the list of shortcuts. */
export const shortcuts: readonly (readonly [keys: string, text: string])[] = [
  [searchKeys, "Search"],
  ["/", "Go to the search field of the list"],
  ...sections.map(({ shortcut, title }) => [`g ${shortcut}`, `Go to ${title}`] as const),
  ["j, k", "Next and previous row, or delivery"],
  ["Enter", "Open the row"],
  ["x", "Select the row"],
  ["r", "Resend: asks first"],
  ["c", "Copy the id"],
  ["[, ]", "Previous and next attempt"],
  ["?", "This list"],
  ["Esc", "Close what is open"],
];

/** The second key of `g …` must follow within this time. */
const chordMs = 1_500;

/**
 * The shortcuts of all screens. Those of a screen are elements with `data-shortcut`: the key clicks the last visible
 * one. Shortcuts are off inside fields and dialogs of questions, and if the user has turned them off (WCAG 2.1.4).
 */
export function useShortcuts(open: (what: "palette" | "shortcuts") => void): void {
  const { shortcuts: setting } = usePreferences();
  const goAt = useRef(0);
  // A busy browser delays an effect after painting, and would lose keys.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.shiftKey) {
        event.preventDefault();
        return open("palette");
      }
      if (setting === "off" || event.metaKey || event.ctrlKey || event.altKey || isInField(event)) return;
      if (document.querySelector("dialog:modal:not(.drawer)") !== null) return;
      const section =
        Date.now() - goAt.current < chordMs
          ? sections.find(({ shortcut }) => shortcut === event.key)
          : undefined;
      goAt.current = event.key === "g" ? Date.now() : 0;
      if (section !== undefined) location.hash = hrefTo(section.name === "" ? [] : [section.name]);
      else if (event.key === "?") open("shortcuts");
      else if (!press(event.key)) return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [setting, open]);
}

/** The keys of lists, and elements that name their own key. */
function press(key: string): boolean {
  const drawer = document.querySelector("dialog.drawer:modal");
  if ((key === "j" || key === "k") && drawer === null && moveRow(key === "j" ? 1 : -1)) return true;
  const scope = drawer ?? document;
  const row = drawer === null ? document.activeElement?.closest("tr") : null;
  const selector = `[data-shortcut="${CSS.escape(key)}"]`;
  const target = row?.querySelector<HTMLElement>(selector) ?? scope.querySelector<HTMLElement>(selector);
  if (target === null || target === undefined) return false;
  if (target instanceof HTMLInputElement && target.type !== "checkbox") target.focus();
  else target.click();
  return true;
}

function moveRow(step: number): boolean {
  const links = [...document.querySelectorAll<HTMLElement>("tr[data-row] .row-link")];
  if (links.length === 0) return false;
  const row = document.activeElement?.closest("tr");
  const index = links.findIndex((link) => link.closest("tr") === row);
  const next = links[Math.max(0, Math.min(links.length - 1, index + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return true;
}

function isInField({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]")
  );
}
