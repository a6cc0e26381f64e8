import type { EventType, Project, Session } from "@hookwright/domain";
import { useMemo } from "preact/hooks";
import { createConsoleApi } from "./api/console-api.ts";
import type { ConsoleApi } from "./api/console-api.ts";
import { Button } from "./parts/button.tsx";
import { FailureNote } from "./parts/failure-note.tsx";
import { Screen } from "./screen.tsx";
import { readBaseUrl } from "./state/base-url.ts";
import { ConsoleContext } from "./state/console-context.ts";
import { useAction } from "./state/use-action.ts";
import { useResource } from "./state/use-resource.ts";
import { hrefTo, useRoute } from "./state/use-route.ts";

export interface SignedInProps {
  readonly session: Session;
  /** Called with what to tell the reader who has to sign in again. */
  readonly onEnd: (reason: string) => void;
}

const sections = [
  ["webhooks", "Webhooks"],
  ["deliveries", "Deliveries"],
  ["requests", "Requests"],
  ["keys", "API keys"],
] as const;

/** The frame around every screen: where to go, who is signed in, and what the whole account has to know. */
export function SignedIn({ session, onEnd }: SignedInProps) {
  const { account, token } = session;
  const api = useMemo(
    () => createConsoleApi({ baseUrl: readBaseUrl(), token, onSignedOut: onEnd }),
    [token, onEnd],
  );
  const {
    data: catalogue,
    failure,
    reload,
  } = useResource("catalogue", (signal) => loadCatalogue(api, signal));
  const route = useRoute();
  const action = useAction();
  const signOut = (): void => {
    void action.run(async () => {
      await api.delete("console/api/session");
      onEnd("You have signed out.");
    });
  };
  const [section = "webhooks"] = route.segments;
  return (
    <div class="frame">
      <nav aria-label="Console">
        <p class="brand">Developer console</p>
        <ul>
          {sections.map(([name, title]) => (
            <li key={name}>
              <a href={hrefTo([name])} aria-current={section === name ? "page" : undefined}>
                {title}
              </a>
            </li>
          ))}
          <li>
            <a href="reference">API reference</a>
          </li>
        </ul>
        <div class="account">
          <p>
            <strong>{account.name === "" ? account.id : account.name}</strong>
            <br />
            <span class="quiet">{account.email}</span>
          </p>
          <Button busy={action.busy} onClick={signOut}>
            Sign out
          </Button>
        </div>
      </nav>
      <main>
        {account.demo ? (
          <p class="note waiting">This is a demo account: look at everything, change nothing.</p>
        ) : null}
        <FailureNote failure={action.failure} />
        <FailureNote failure={failure} onRetry={reload} />
        {catalogue === undefined ? null : (
          <ConsoleContext.Provider value={{ api, account, ...catalogue }}>
            <Screen route={route} />
          </ConsoleContext.Provider>
        )}
      </main>
    </div>
  );
}

interface Catalogue {
  readonly projects: readonly Project[];
  readonly eventTypes: readonly EventType[];
}

/** Asked for once a visit: both are under `/v1`, where requests are counted. */
async function loadCatalogue(api: ConsoleApi, signal: AbortSignal): Promise<Catalogue> {
  const [projects, eventTypes] = await Promise.all([
    api.list<Project>("v1/projects", { query: { limit: "100" }, signal }),
    api.list<EventType>("v1/event-types", { signal }),
  ]);
  return { projects: projects.rows, eventTypes: eventTypes.rows };
}
