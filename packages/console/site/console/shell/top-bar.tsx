import type { Account } from "@hookwright/domain";
import { CircleUser, Search } from "lucide";
import { Button, Icon } from "../parts/buttons.tsx";
import { PeriodPicker } from "../parts/fields.tsx";
import { PreferenceRows } from "../parts/preference-rows.tsx";
import { useConsole } from "../state/console-context.ts";
import { hrefTo } from "../state/route.ts";
import type { LiveStatus } from "../state/live.ts";
import { setPreferences, usePreferences } from "../state/preferences.ts";
import { useAction } from "../state/use-api.ts";
import { useLiveStatus } from "../state/use-live.ts";
import { searchKeys } from "./shortcuts.tsx";
import { SiteSwitcher } from "./sidebar.tsx";

export interface TopBarProps extends AccountMenuProps {
  /** Whether the screen has charts. */
  readonly hasPeriod: boolean;
  readonly onFind: () => void;
}

/** The search, the period of the charts, the live dot and the account. */
export function TopBar({ hasPeriod, onFind, ...menu }: TopBarProps) {
  return (
    <header class="top-bar">
      <button type="button" class="button find" onClick={onFind}>
        <Icon of={Search} />
        <span>Search a record, URL, id or page</span>
        <kbd>{searchKeys}</kbd>
      </button>
      <span class="space" />
      {hasPeriod ? <PeriodPicker /> : null}
      <LiveDot />
      <AccountMenu {...menu} />
    </header>
  );
}

interface AccountMenuProps {
  readonly account: Account;
  readonly onShortcuts: () => void;
  readonly onSignOut: () => Promise<void>;
}

/** The signed-in account, on a narrow screen the choice of a site, what the user prefers in this browser, and the sign-out button. */
function AccountMenu({ account, onShortcuts, onSignOut }: AccountMenuProps) {
  const { firstSteps } = usePreferences();
  const { projects, person } = useConsole();
  const name = person?.name ?? account.name;
  const action = useAction();
  const close = (): void => document.getElementById("account-menu")?.hidePopover();
  return (
    <>
      <button
        type="button"
        class="button account"
        aria-label={`Account ${name}`}
        popovertarget="account-menu"
      >
        <Icon of={CircleUser} />
        <bdi>{name}</bdi>
      </button>
      <div id="account-menu" class="menu" popover="auto" role="group" aria-label="Account">
        <p>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <br />
          <span class="quiet">{person?.email ?? account.email}</span>
          {name === account.name ? null : (
            <>
              <br />
              <span class="quiet">
                <bdi>{account.name}</bdi>
              </span>
            </>
          )}
        </p>
        <hr />
        {projects.length > 1 ? (
          <div class="row narrow">
            <span class="quiet">Site</span>
            <SiteSwitcher />
          </div>
        ) : null}
        <PreferenceRows />
        <hr />
        <div class="actions">
          <Button
            onClick={() => {
              close();
              onShortcuts();
            }}
          >
            Keyboard shortcuts
          </Button>
          {firstSteps !== "on" ? (
            <Button
              onClick={() => {
                setPreferences({ firstSteps: "on" });
                close();
                location.hash = "#/";
              }}
            >
              First steps
            </Button>
          ) : null}
          <a class="button" href={hrefTo(["settings"])} onClick={close}>
            Settings
          </a>
          <Button busy={action.busy} onClick={() => void action.run(onSignOut)}>
            Sign out
          </Button>
        </div>
      </div>
    </>
  );
}

const looks: Readonly<Record<LiveStatus, readonly [style: string, text: string]>> = {
  connecting: ["reconnecting", "Connecting"],
  live: ["on", "Live"],
  reconnecting: ["reconnecting", "Reconnecting"],
  paused: ["paused", "Paused"],
};

/** Says whether changes appear by themselves. A click pauses and resumes them. */
function LiveDot() {
  const { live } = useConsole();
  const { status } = useLiveStatus();
  const [style, text] = looks[status];
  return (
    <button
      type="button"
      class={`live ${style}`}
      title={status === "paused" ? "Show changes as they happen" : "Pause: nothing changes by itself"}
      onClick={() => live.setPaused(status !== "paused")}
    >
      <i aria-hidden="true" />
      <span>{text}</span>
    </button>
  );
}
