import type { Account, EventType, Project, Session } from "@hookwright/domain";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { createConsoleApi } from "./api/console-api.ts";
import type { ConsoleApi, Listed } from "./api/console-api.ts";
import { Navigation } from "./navigation.tsx";
import { FailureNote } from "./parts/failure-note.tsx";
import { ScreenHeader } from "./parts/screen-header.tsx";
import { SecretDialog } from "./parts/secret-dialog.tsx";
import { Screen } from "./screen.tsx";
import { readBaseUrl } from "./state/read-base-url.ts";
import { ConsoleContext } from "./state/console-context.ts";
import type { Secret } from "./state/console-context.ts";
import { createKeptLists } from "./state/kept-lists.ts";
import { useKeptFocus } from "./state/use-kept-focus.ts";
import { useResource } from "./state/use-resource.ts";
import { useRoute } from "./state/use-route.ts";

export interface SignedInProps {
  readonly session: Session;
  /** Called with the token that has ended, and what to tell the reader who has to sign in again. */
  readonly onEnd: (token: string, reason: string) => void;
}

/** Of these the whole account has to know before anything else. */
const accountCodes: ReadonlySet<string> = new Set(["account_unavailable", "plan_required"]);

/** The frame around every screen: where to go, who is signed in, and what concerns the whole account. */
export function SignedIn({ session, onEnd }: SignedInProps) {
  const { token } = session;
  const keptLists = useMemo(createKeptLists, [token]);
  /** Why the session is over. */
  const [ended, setEnded] = useState<string>();
  const api = useMemo(
    () =>
      createConsoleApi({
        baseUrl: readBaseUrl(),
        token,
        onChanged: keptLists.clear,
        onSignedOut: setEnded,
      }),
    [token, keptLists],
  );
  const {
    data: catalogue,
    failure,
    reload,
  } = useResource("catalogue", (signal) => loadCatalogue(api, signal));
  const route = useRoute();
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);
  const account = catalogue?.account ?? session.account;
  const state = useMemo(
    () => ({
      api,
      projects: catalogue?.projects ?? [],
      eventTypes: catalogue?.eventTypes ?? [],
      readOnly: account.demo,
      visit: route.visit,
      keptLists,
      showSecret: (secret: Secret) => setSecrets((waiting) => [...waiting, secret]),
    }),
    [api, catalogue, account.demo, route.visit, keptLists],
  );
  const isShut = failure !== undefined && accountCodes.has(failure.code);
  const [secret] = secrets;
  // Not above a secret: it would be gone with this screen, and nobody can look it up.
  useLayoutEffect(() => {
    if (ended !== undefined && secret === undefined) onEnd(token, ended);
  }, [ended, secret, token, onEnd]);
  const frame = useRef<HTMLDivElement>(null);
  useKeptFocus(frame);

  async function signOut(): Promise<void> {
    const reason = await api.delete("console/api/session").then(
      () => "You have signed out.",
      () =>
        "You have signed out here. The server could not be told: until it expires, the session lives on there.",
    );
    onEnd(token, reason);
  }

  return (
    <div class="frame" ref={frame}>
      <Navigation section={route.segments[0] ?? "webhooks"} account={account} onSignOut={signOut} />
      <main>
        {account.demo ? (
          <p class="note waiting">This is a demo account: look at everything, change nothing.</p>
        ) : null}
        {isShut ? <ScreenHeader title="Your account" /> : null}
        <FailureNote failure={failure} onRetry={reload} />
        {isShut ? null : (
          <ConsoleContext.Provider value={state}>
            <Screen route={route} />
          </ConsoleContext.Provider>
        )}
      </main>
      {secret === undefined ? null : (
        <SecretDialog
          key={secret.value}
          secret={secret}
          onClose={() => setSecrets((waiting) => waiting.slice(1))}
        />
      )}
    </div>
  );
}

interface Catalogue {
  readonly account: Account;
  readonly projects: readonly Project[];
  readonly eventTypes: readonly EventType[];
}

/**
 * Asked for once a visit: all of it is under `/v1`, where requests are counted. No screen waits for them: an account over its limit
 * is just the one that wants to see its requests.
 */
async function loadCatalogue(api: ConsoleApi, signal: AbortSignal): Promise<Catalogue> {
  const [account, projects, eventTypes] = await Promise.all([
    api.get<Account>("v1/me", { signal }),
    listSites(api, signal),
    api.list<EventType>("v1/event-types", { signal }),
  ]);
  return { account, projects, eventTypes: eventTypes.rows };
}

/** Who has more sites than that reads the ids of the others. */
const mostSitePages = 10;

async function listSites(api: ConsoleApi, signal: AbortSignal): Promise<readonly Project[]> {
  const list = (cursor?: string): Promise<Listed<Project>> =>
    api.list<Project>("v1/projects", { query: { limit: "100", cursor }, signal });
  let page = await list();
  const sites = [...page.rows];
  for (let count = 1; count < mostSitePages && page.meta.next_cursor !== null; count++) {
    const next = await list(page.meta.next_cursor).catch(() => undefined);
    // Names are a comfort: where the account's requests are used up, ids stand in for the others.
    if (next === undefined) break;
    page = next;
    sites.push(...page.rows);
  }
  return sites;
}
