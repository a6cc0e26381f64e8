import type { Account, EventType, LinkedSession, Project, Session } from "@hookwright/domain";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { createConsoleApi } from "./api/console-api.ts";
import type { ConsoleApi, Listed } from "./api/console-api.ts";
import { ConfirmDialog } from "./parts/dialogs.tsx";
import { FailureNote, ScreenHeader } from "./parts/page.tsx";
import { SecretDialog } from "./parts/secrets.tsx";
import { Toasts, useToasts } from "./parts/toasts.tsx";
import { Screen } from "./screen.tsx";
import { CommandPalette } from "./shell/command-palette.tsx";
import { ShortcutList, useShortcuts } from "./shell/shortcuts.tsx";
import { Sidebar } from "./shell/sidebar.tsx";
import { StaleNote } from "./shell/stale-note.tsx";
import { TopBar } from "./shell/top-bar.tsx";
import { AttentionProvider } from "./state/attention.tsx";
import { ConsoleContext, readPeriod } from "./state/console-context.ts";
import type { ConsoleState, Secret } from "./state/console-context.ts";
import { createListCache } from "./state/list-cache.ts";
import { openLive } from "./state/live.ts";
import { shareWithNewTabs } from "./state/new-tab.ts";
import { readBaseUrl } from "./state/page.ts";
import { useRoute } from "./state/route.ts";
import { useFocusFallback } from "./state/use-focus-fallback.ts";
import { useResource } from "./state/use-resource.ts";

export interface SignedInProps {
  readonly session: Session | LinkedSession;
  /** Called with the token of the ended session and the reason for the sign-in screen. */
  readonly onEnd: (token: string, reason: string) => void;
}

/** These errors concern the whole account, so they are shown instead of a screen. */
const accountCodes: ReadonlySet<string> = new Set(["account_unavailable", "plan_required"]);

/** The frame of every screen: navigation, signed-in account, and messages that concern the whole account. */
export function SignedIn({ session, onEnd }: SignedInProps) {
  const { token } = session;
  const listCache = useMemo(createListCache, [token]);
  /** Why the session ended. */
  const [ended, setEnded] = useState<string>();
  const api = useMemo(
    () =>
      createConsoleApi({
        baseUrl: readBaseUrl(),
        token,
        onChanged: listCache.clear,
        onSignedOut: setEnded,
      }),
    [token, listCache],
  );
  const askAgain = useRef(() => {});
  const live = useMemo(
    () => openLive({ baseUrl: readBaseUrl(), token, onRefused: () => askAgain.current() }),
    [token],
  );
  useEffect(() => live.close, [live]);
  useEffect(() => (ended === undefined ? shareWithNewTabs(session) : undefined), [session, ended]);
  const {
    data: catalogue,
    failure,
    reload,
  } = useResource("catalogue", (signal) => loadCatalogue(api, signal));
  // Its failure ends the session, or says why the account cannot be used.
  askAgain.current = reload;
  const route = useRoute();
  const [section = "", id] = route.segments;
  const { site, period } = route.query;
  const { toasts, toast } = useToasts();
  const [opened, setOpened] = useState<"palette" | "shortcuts" | "sessions">();
  useShortcuts(setOpened);
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);
  const account = catalogue?.account ?? session.account;
  const readOnly = findReadOnly(account, session);
  const state = useMemo(
    () => ({
      api,
      projects: catalogue?.projects ?? [],
      eventTypes: catalogue?.eventTypes ?? [],
      readOnly,
      visit: route.visit,
      site,
      period: readPeriod(period),
      live,
      listCache,
      toast,
      showSecret: (secret: Secret) => setSecrets((waiting) => [...waiting, secret]),
    }),
    [api, catalogue, readOnly, route.visit, site, period, live, listCache, toast],
  );
  const isAccountBlocked = failure !== undefined && accountCodes.has(failure.code);
  const [secret] = secrets;
  // Wait while a secret is shown: it would disappear with this screen and cannot be shown again.
  useLayoutEffect(() => {
    if (ended !== undefined && secret === undefined) onEnd(token, ended);
  }, [ended, secret, token, onEnd]);
  const frame = useRef<HTMLDivElement>(null);
  useFocusFallback(frame);

  async function signOut(): Promise<void> {
    const reason = await api.delete("console/api/session").then(
      () => "You have signed out.",
      () =>
        "You have signed out of this browser. The server could not be reached, so the session stays valid there until it expires.",
    );
    onEnd(token, reason);
  }

  async function endAllSessions(): Promise<void> {
    await api.delete("console/api/sessions");
    onEnd(token, "All sessions have ended.");
  }

  return (
    <ConsoleContext.Provider value={state}>
      <div class="frame" ref={frame}>
        <Sidebar section={section} onMore={() => setOpened("palette")} />
        <div class="stage">
          <TopBar
            account={account}
            hasPeriod={section === "" || (section === "webhooks" && id !== undefined)}
            onFind={() => setOpened("palette")}
            onShortcuts={() => setOpened("shortcuts")}
            onEndSessions={() => setOpened("sessions")}
            onSignOut={signOut}
          />
          <main>
            {readOnly === undefined ? null : (
              <p class="note info">This is a {readOnly}. You can see everything but change nothing.</p>
            )}
            {isAccountBlocked ? <ScreenHeader title="Your account" /> : null}
            <FailureNote failure={failure} onRetry={reload} />
            {isAccountBlocked ? null : (
              <AttentionProvider>
                <Screen route={route} />
              </AttentionProvider>
            )}
          </main>
        </div>
        <StaleNote />
        <Toasts toasts={toasts} />
        {opened === "palette" ? <CommandPalette onClose={() => setOpened(undefined)} /> : null}
        {opened === "shortcuts" ? <ShortcutList onClose={() => setOpened(undefined)} /> : null}
        {opened === "sessions" ? (
          <ConfirmDialog
            title="End all sessions"
            confirm="End all sessions"
            kind="danger"
            onConfirm={endAllSessions}
            onClose={() => setOpened(undefined)}
          >
            <p>
              Everybody who has the console of this account open is signed out, you too. Links to it that
              nobody has opened yet stop working. API keys stay.
            </p>
          </ConfirmDialog>
        ) : null}
        {secret === undefined ? null : (
          <SecretDialog
            key={secret.value}
            secret={secret}
            onClose={() => setSecrets((waiting) => waiting.slice(1))}
          />
        )}
      </div>
    </ConsoleContext.Provider>
  );
}

function findReadOnly(account: Account, session: SignedInProps["session"]): ConsoleState["readOnly"] {
  if (account.demo) return "demo account";
  return "read_only" in session && session.read_only ? "read-only session" : undefined;
}

interface Catalogue {
  readonly account: Account;
  readonly projects: readonly Project[];
  readonly eventTypes: readonly EventType[];
}

/**
 * Loaded once per visit, because requests to `/v1` are counted. No screen waits for it: an account over its limit must
 * still see its requests.
 */
async function loadCatalogue(api: ConsoleApi, signal: AbortSignal): Promise<Catalogue> {
  const [account, projects, eventTypes] = await Promise.all([
    api.get<Account>("v1/me", { signal }),
    listSites(api, signal),
    api.list<EventType>("v1/event-types", { signal }),
  ]);
  return { account, projects, eventTypes: eventTypes.rows };
}

/** With more sites, the console shows the ids of the remaining ones. */
const maximumSitePages = 10;

async function listSites(api: ConsoleApi, signal: AbortSignal): Promise<readonly Project[]> {
  const list = (cursor?: string): Promise<Listed<Project>> =>
    api.list<Project>("v1/projects", { query: { limit: "100", cursor }, signal });
  let page = await list();
  const sites = [...page.rows];
  for (let count = 1; count < maximumSitePages && page.meta.next_cursor !== null; count++) {
    const next = await list(page.meta.next_cursor).catch(() => undefined);
    // Names are optional. If the rate limit is reached, the console shows ids instead.
    if (next === undefined) break;
    page = next;
    sites.push(...page.rows);
  }
  return sites;
}
