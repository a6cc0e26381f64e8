import { rights as allRights } from "@hookwright/domain";
import type { Account, ConsoleAccount, EventType, LinkedSession, Project, Session } from "@hookwright/domain";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { toPath } from "./api/console-api.ts";
import type { ConsoleApi, Listed } from "./api/console-api.ts";
import { FailureNote, ScreenHeader } from "./parts/page.tsx";
import { SecretDialog } from "./parts/secrets.tsx";
import { StaleNote } from "./parts/toasts.tsx";
import { Screen } from "./screen.tsx";
import { CommandPalette } from "./shell/command-palette.tsx";
import { Frame, useFrame } from "./shell/frame.tsx";
import { ShortcutList, useShortcuts } from "./shell/shortcuts.tsx";
import { Sidebar, SiteChip } from "./shell/sidebar.tsx";
import { TopBar } from "./shell/top-bar.tsx";
import { AttentionProvider } from "./state/attention.tsx";
import { readPeriod } from "./state/console-context.ts";
import type { ConsoleState, Secret } from "./state/console-context.ts";
import { openLive } from "./state/live.ts";
import { shareWithNewTabs } from "./state/new-tab.ts";
import { useResource } from "./state/use-api.ts";

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
  /** Why the session ended. */
  const [ended, setEnded] = useState<string>();
  const frame = useFrame(token, setEnded);
  const { api, listCache, route, toast, ask } = frame;
  const askAgain = useRef(() => {});
  const live = useMemo(() => openLive({ token, onRefused: () => askAgain.current() }), [token]);
  useEffect(() => live.close, [live]);
  useEffect(() => (ended === undefined ? shareWithNewTabs(session) : undefined), [session, ended]);
  const known = useResource("account", (signal) => api.get<ConsoleAccount>(toPath("account"), { signal }));
  const catalogue = useResource("catalogue", (signal) => loadCatalogue(api, signal));
  // Its failure ends the session, or says why the account cannot be used.
  askAgain.current = known.reload;
  const [section = "", id] = route.segments;
  const { site, period } = route.query;
  const [opened, setOpened] = useState<"palette" | "shortcuts">();
  const close = (): void => setOpened(undefined);
  useShortcuts(setOpened);
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);
  const account = known.data ?? session.account;
  const readOnly = findReadOnly(account, session);
  // A session of an older version had all rights.
  const { rights = allRights, person = null } = known.data ?? session;
  const state = useMemo(
    () => ({
      api,
      account,
      rules: known.data?.delivery,
      projects: catalogue.data?.projects ?? [],
      eventTypes: catalogue.data?.eventTypes ?? [],
      hasNoEvents: catalogue.data?.eventTypes.length === 0,
      readOnly,
      rights,
      person,
      visit: route.visit,
      site,
      period: readPeriod(period),
      live,
      listCache,
      toast,
      ask,
      showSecret: (secret: Secret) => setSecrets((waiting) => [...waiting, secret]),
      onAccountChange: known.reload,
      expiresAt: session.expires_at,
      onEnd: (reason: string) => onEnd(token, reason),
    }),
    [
      api,
      account,
      known.data,
      known.reload,
      catalogue.data,
      readOnly,
      rights,
      person,
      route.visit,
      site,
      period,
      live,
      listCache,
      toast,
    ],
  );
  const isAccountBlocked = known.failure !== undefined && accountCodes.has(known.failure.code);
  // If the account is known, a failed refresh says nothing: the next one follows.
  const failed = [known, catalogue].find(
    ({ data, failure }) => failure !== undefined && (isAccountBlocked || data === undefined),
  );
  const [secret] = secrets;
  // Wait while a secret is shown: it would disappear with this screen and cannot be shown again.
  useLayoutEffect(() => {
    if (ended !== undefined && secret === undefined) onEnd(token, ended);
  }, [ended, secret, token, onEnd]);

  async function signOut(): Promise<void> {
    const reason = await api.delete("console/api/session").then(
      () => "You have signed out.",
      () =>
        "You have signed out of this browser. The server could not be reached, so the session stays valid there until it expires.",
    );
    onEnd(token, reason);
  }
  return (
    <Frame frame={frame} state={state}>
      <Sidebar section={section} onMore={() => setOpened("palette")} />
      <div class="stage">
        <TopBar
          account={account}
          hasPeriod={
            ["", "requests"].includes(section) || section === (id === undefined ? "deliveries" : "webhooks")
          }
          onFind={() => setOpened("palette")}
          onShortcuts={() => setOpened("shortcuts")}
          onSignOut={signOut}
        />
        <main>
          <SessionNote account={account} session={session} readOnly={readOnly} />
          {isAccountBlocked ? <ScreenHeader title="Your account" /> : null}
          <FailureNote
            failure={failed?.failure}
            onRetry={() => {
              known.reload();
              catalogue.reload();
            }}
          />
          {isAccountBlocked ? null : (
            <AttentionProvider onRefresh={known.reload}>
              <SiteChip />
              <Screen route={route} />
            </AttentionProvider>
          )}
        </main>
      </div>
      <StaleNote />
      {opened === "palette" ? <CommandPalette onClose={close} /> : null}
      {opened === "shortcuts" ? <ShortcutList onClose={close} /> : null}
      {secret === undefined ? null : (
        <SecretDialog
          key={secret.value}
          secret={secret}
          onClose={() => setSecrets((waiting) => waiting.slice(1))}
        />
      )}
    </Frame>
  );
}

interface SessionNoteProps extends Pick<SignedInProps, "session"> {
  readonly account: Account;
  readonly readOnly: ConsoleState["readOnly"];
}

/** Says whose console this is, if somebody else may look at it, and what can be changed. */
function SessionNote({ account, session, readOnly }: SessionNoteProps) {
  // A session that an older version opened has no reason.
  const reason = ("reason" in session ? session.reason : null) ?? undefined;
  if (readOnly === undefined && reason === undefined) return null;
  return (
    <p class={`note ${readOnly === undefined ? "warn" : "info"}`} role="note">
      {readOnly === "demo account" ? null : (
        <>
          Account{" "}
          <strong>
            <bdi>{account.name}</bdi>
          </strong>{" "}
          <code>{account.id}</code>.{" "}
        </>
      )}
      {readOnly === undefined
        ? "You can change everything, and its activity shows it."
        : `This is a ${readOnly}. You can see everything but change nothing.`}
      {reason === undefined ? null : (
        <>
          {" "}
          Reason: <bdi>{reason}</bdi>
        </>
      )}
    </p>
  );
}

function findReadOnly(account: Account, session: SignedInProps["session"]): ConsoleState["readOnly"] {
  if (account.demo) return "demo account";
  return "read_only" in session && session.read_only ? "read-only session" : undefined;
}

interface Catalogue {
  readonly projects: readonly Project[];
  readonly eventTypes: readonly EventType[];
}

/** Loaded once per visit. No screen waits for it. */
async function loadCatalogue(api: ConsoleApi, signal: AbortSignal): Promise<Catalogue> {
  const [projects, eventTypes] = await Promise.all([
    listSites(api, signal),
    api.list<EventType>(toPath("event-types"), { signal }),
  ]);
  return { projects, eventTypes: eventTypes.rows };
}

/** With more sites, the console shows the ids of the remaining ones. */
const maximumSitePages = 10;

async function listSites(api: ConsoleApi, signal: AbortSignal): Promise<readonly Project[]> {
  const list = (cursor?: string): Promise<Listed<Project>> =>
    api.list<Project>(toPath("projects"), { query: { limit: "100", cursor }, signal });
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
