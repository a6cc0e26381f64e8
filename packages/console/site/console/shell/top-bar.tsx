import type { Account } from "@hookwright/domain";
import { Search } from "lucide";
import { Icon } from "../parts/icon.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { LiveDot } from "./live-dot.tsx";
import { PeriodPicker } from "./period-picker.tsx";

export interface TopBarProps {
  readonly account: Account;
  /** Whether the screen has charts. */
  readonly hasPeriod: boolean;
  readonly onFind: () => void;
  readonly onShortcuts: () => void;
  readonly onEndSessions: () => void;
  readonly onSignOut: () => Promise<void>;
}

/** The search, the period of the charts, the live dot and the account. */
export function TopBar({ account, hasPeriod, onFind, onShortcuts, onEndSessions, onSignOut }: TopBarProps) {
  const isMac = navigator.platform.startsWith("Mac");
  return (
    <header class="top-bar">
      <button type="button" class="button find" onClick={onFind}>
        <Icon of={Search} />
        <span>Search a record, URL, id or page</span>
        <kbd>{isMac ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <span class="space" />
      {hasPeriod ? <PeriodPicker /> : null}
      <LiveDot />
      <AccountMenu
        account={account}
        onShortcuts={onShortcuts}
        onEndSessions={onEndSessions}
        onSignOut={onSignOut}
      />
    </header>
  );
}
