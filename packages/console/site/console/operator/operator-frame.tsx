import { LogOut, ScrollText, Users, Webhook } from "lucide";
import { useMemo, useRef } from "preact/hooks";
import { createConsoleApi } from "../api/console-api.ts";
import { Icon } from "../parts/buttons.tsx";
import { ScreenHeader } from "../parts/page.tsx";
import { Toasts, useToasts } from "../parts/toasts.tsx";
import { AuditTable } from "../screens/activity/audit-table.tsx";
import { ConsoleContext } from "../state/console-context.ts";
import { createListCache } from "../state/list-cache.ts";
import { closedLive } from "../state/live.ts";
import { readBaseUrl } from "../state/page.ts";
import { hrefTo, useRoute, useTitle } from "../state/route.ts";
import { useFocusFallback } from "../state/use-focus-fallback.ts";
import { AccountList } from "./account-list.tsx";
import { WebhooksOfAll } from "./webhooks-of-all.tsx";

const pages = [
  { name: "", title: "Accounts", icon: Users },
  { name: "webhooks", title: "Webhooks", icon: Webhook },
  { name: "audit", title: "Audit log", icon: ScrollText },
] as const;

export interface OperatorFrameProps {
  readonly token: string;
  /** Called with the reason for the sign-in page. */
  readonly onEnd: (reason: string) => void;
}

/** The navigation and the page of the address. */
export function OperatorFrame({ token, onEnd }: OperatorFrameProps) {
  const listCache = useMemo(createListCache, [token]);
  const api = useMemo(
    () =>
      createConsoleApi({
        baseUrl: readBaseUrl(),
        token,
        onChanged: listCache.clear,
        onSignedOut: () => onEnd("The host token is no longer valid."),
      }),
    [token, listCache],
  );
  const { toasts, toast } = useToasts();
  const { segments, query, visit } = useRoute();
  const [, page = ""] = segments;
  const state = useMemo(
    () => ({
      api,
      projects: [],
      eventTypes: [],
      readOnly: undefined,
      visit,
      site: undefined,
      period: "24h" as const,
      live: closedLive,
      listCache,
      toast,
      showSecret: () => {},
    }),
    [api, visit, listCache, toast],
  );
  const frame = useRef<HTMLDivElement>(null);
  useFocusFallback(frame);
  return (
    <ConsoleContext.Provider value={state}>
      <div class="frame operator" ref={frame}>
        <nav class="sidebar" aria-label="Operator console">
          <p class="brand">
            <span>Operator</span>
          </p>
          <ul>
            {pages.map(({ name, title, icon }) => (
              <li key={name}>
                <a
                  href={hrefTo(name === "" ? ["operator"] : ["operator", name])}
                  aria-current={page === name ? "page" : undefined}
                >
                  <Icon of={icon} />
                  {title}
                </a>
              </li>
            ))}
            <li>
              <button type="button" onClick={() => onEnd("You have signed out.")}>
                <Icon of={LogOut} />
                Sign out
              </button>
            </li>
          </ul>
        </nav>
        <div class="stage">
          <main>
            <OperatorPage page={page} query={query} />
          </main>
        </div>
        <Toasts toasts={toasts} />
      </div>
    </ConsoleContext.Provider>
  );
}

interface OperatorPageProps {
  readonly page: string;
  readonly query: Readonly<Record<string, string>>;
}

function OperatorPage({ page, query }: OperatorPageProps) {
  switch (page) {
    case "":
      return <AccountList query={query} />;
    case "webhooks":
      return <WebhooksOfAll query={query} />;
    default:
      return <AuditPage query={query} />;
  }
}

function AuditPage({ query }: Pick<OperatorPageProps, "query">) {
  useTitle("Audit log");
  const { account_id: accountId } = query;
  return (
    <>
      <ScreenHeader title={accountId ? `Audit log of ${accountId}` : "Audit log"} />
      {accountId ? (
        <p>
          <a href={hrefTo(["operator", "audit"])}>All accounts</a>
        </p>
      ) : null}
      <AuditTable
        path="host/v1/audit"
        query={query}
        account={{
          name: "Account",
          kind: "name",
          place: "detail",
          cell: ({ account_id }) =>
            account_id === null ? null : (
              <a href={hrefTo(["operator", "audit"], { account_id })}>{account_id}</a>
            ),
        }}
      />
    </>
  );
}
