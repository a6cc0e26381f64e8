import { Ellipsis } from "lucide";
import { useId, useRef, useState } from "preact/hooks";
import { Icon } from "./buttons.tsx";

export interface MenuItem {
  readonly text: string;
  /** False: the item is shown but cannot be chosen. */
  readonly isAllowed?: boolean;
  readonly isDanger?: boolean;
  readonly onChoose: () => void;
}

export interface MenuProps {
  /** The accessible name, such as "Actions for /hook". */
  readonly label: string;
  /** What the button says. @default an icon */
  readonly text?: string;
  /** Work is in progress: a click does nothing. @default false */
  readonly busy?: boolean;
  /** @default false */
  readonly disabled?: boolean;
  readonly items: readonly MenuItem[];
}

/** The menu must fit below its button, otherwise it opens above it. */
const neededPixels = 260;
const gapPixels = 4;

/** A button that opens a list of actions. The arrow keys move in the list. */
export function Menu({ label, text, busy = false, disabled = false, items }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = (): void => list.current?.hidePopover();

  function onKey(event: KeyboardEvent): void {
    // The shortcuts of the page are off in the menu.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    const all = [...(list.current?.querySelectorAll<HTMLElement>("button:enabled") ?? [])];
    const current = all.findIndex((each) => each === document.activeElement);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: (current + 1) % all.length,
      ArrowUp: (current + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    if (event.key === "Tab") close();
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        class={text === undefined ? "button icon-only" : "button"}
        aria-label={label}
        aria-haspopup="menu"
        aria-disabled={busy ? "true" : undefined}
        disabled={disabled}
        popovertarget={busy ? undefined : id}
      >
        {text ?? <Icon of={Ellipsis} />}
      </button>
      <div
        ref={list}
        id={id}
        class="menu actions-menu"
        popover="auto"
        role="menu"
        aria-label={label}
        onBeforeToggle={({ newState, currentTarget }) => {
          if (newState === "open") placeBeside(currentTarget, button.current);
          setOpen(newState === "open");
        }}
        onToggle={({ newState, currentTarget }) => {
          if (newState !== "open") return;
          currentTarget.querySelector<HTMLElement>("button:enabled")?.focus();
          // It does not move with the page.
          addEventListener("scroll", close, { once: true, passive: true });
        }}
        onKeyDown={onKey}
      >
        {isOpen
          ? items.map(({ text, isAllowed = true, isDanger = false, onChoose }) => (
              <button
                key={text}
                type="button"
                role="menuitem"
                class={isDanger ? "danger" : ""}
                disabled={!isAllowed}
                onClick={() => {
                  close();
                  onChoose();
                }}
              >
                {text}
              </button>
            ))
          : null}
      </div>
    </>
  );
}

/** Anchor positioning of CSS would do this, but not all supported browsers have it. */
function placeBeside(menu: HTMLElement, button: HTMLElement | null): void {
  if (button === null) return;
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  const isAtStart = left < clientWidth / 2;
  const isBelow = bottom + neededPixels < innerHeight;
  menu.style.top = isBelow ? `${bottom + gapPixels}px` : "auto";
  menu.style.bottom = isBelow ? "auto" : `${innerHeight - top + gapPixels}px`;
  menu.style.left = isAtStart ? `${left}px` : "auto";
  menu.style.right = isAtStart ? "auto" : `${clientWidth - right}px`;
}
