import { rights } from "@hookwright/domain";
import type { OutboxCounts } from "@hookwright/domain";
import { CircleX, ExternalLink, LogOut, ScrollText, Search, Users, Webhook } from "lucide";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Icon } from "../parts/buttons.tsx";
import { formatCounted } from "../parts/format.ts";
import { OperatorSignIn } from "../screens/sign-in.tsx";
import { Frame, useFrame } from "../shell/frame.tsx";
import { readPeriod } from "../state/console-context.ts";
import { closedLive } from "../state/live.ts";
import { hrefTo } from "../state/route.ts";
import { readHostToken, saveHostToken } from "../state/session.ts";
import { useGet } from "../state/use-api.ts";
import { AccountList } from "./account-list.tsx";
import { AccountPage } from "./account-page.tsx";
import { AuditPage } from "./audit-page.tsx";
import { RejectedEventPage, RejectedEvents } from "./rejected-events.tsx";
import { SearchAll } from "./search-all.tsx";
import { WebhooksOfAll } from "./webhooks-of-all.tsx";

/** The pages for the host's staff. They call the host API with a host token. */
export function OperatorApp() {
  const [token, setToken] = useState(readHostToken);
  const [reason, setReason] = useState("");
  const keep = (next: string | undefined, why = ""): void => {
    saveHostToken(next);
    setReason(why);
    setToken(next);
  };
  if (token === undefined) return <OperatorSignIn reason={reason} onSignedIn={keep} />;
  return <OperatorFrame key={token} token={token} onEnd={(why) => keep(undefined, why)} />;
}

const pages = [
  { name: "", title: "Accounts", icon: Users },
  { name: "webhooks", title: "Webhooks", icon: Webhook },
  { name: "search", title: "Search", icon: Search },
  { name: "audit", title: "Audit log", icon: ScrollText },
] as const;

interface OperatorFrameProps {
  readonly token: string;
  /** Called with the reason for the sign-in page. */
  readonly onEnd: (reason: string) => void;
}

/** The navigation and the page of the address. */
function OperatorFrame({ token, onEnd }: OperatorFrameProps) {
  const frame = useFrame(token, () => onEnd("The host token is no longer valid."));
  const { api, listCache, toast, ask, route } = frame;
  /** How often a rejected event was published again or removed. */
  const [retries, setRetries] = useState(0);
  const { segments, query, visit } = route;
  const [, page = "", id = ""] = segments;
  const state = useMemo(
    () => ({
      api,
      account: undefined,
      projects: [],
      eventTypes: [],
      readOnly: undefined,
      rights,
      person: null,
      visit,
      site: undefined,
      period: readPeriod(query["period"]),
      live: closedLive,
      listCache,
      toast,
      ask,
      showSecret: () => {},
      expiresAt: undefined,
      onEnd,
    }),
    [api, visit, listCache, toast, query["period"]],
  );
  return (
    <Frame frame={frame} state={state} isOperator>
      <nav class="sidebar" aria-label="Operator console">
        <p class="brand">
          <span>Operator</span>
        </p>
        <ul>
          {pages.map(({ name, title, icon }) => (
            <li key={name}>
              <a
                href={hrefTo(name === "" ? ["operator"] : ["operator", name])}
                aria-current={(page === "accounts" ? "" : page) === name ? "page" : undefined}
              >
                <Icon of={icon} />
                {title}
              </a>
            </li>
          ))}
          <RejectedItem isCurrent={page === "rejected"} retries={retries} />
          <li>
            <a href="host-reference" target="_blank" rel="noopener">
              <Icon of={ExternalLink} />
              Reference
            </a>
          </li>
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
          <OperatorPage
            key={`${page}/${id}`}
            page={page}
            id={id}
            query={query}
            onRetried={() => setRetries((before) => before + 1)}
          />
        </main>
      </div>
    </Frame>
  );
}

/** Only a server with an outbox has rejected events. */
function RejectedItem({ isCurrent, retries }: { readonly isCurrent: boolean; readonly retries: number }) {
  const { data, reload } = useGet<OutboxCounts>("host/v1/outbox");
  useEffect(() => {
    if (retries > 0) reload();
  }, [retries, reload]);
  const count = data?.rejected ?? null;
  if (count === null) return null;
  return (
    <li>
      <a href={hrefTo(["operator", "rejected"])} aria-current={isCurrent ? "page" : undefined}>
        <Icon of={CircleX} />
        Rejected
        {count === 0 ? null : <span class="badge">{formatCounted(count)}</span>}
      </a>
    </li>
  );
}

interface OperatorPageProps {
  readonly page: string;
  /** The id behind the page in the address. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly onRetried: () => void;
}

function OperatorPage({ page, id, query, onRetried }: OperatorPageProps) {
  switch (page) {
    case "accounts":
      return <AccountPage id={id} query={query} />;
    case "":
      return <AccountList query={query} />;
    case "webhooks":
      return <WebhooksOfAll query={query} />;
    case "rejected":
      return id === "" ? <RejectedEvents /> : <RejectedEventPage id={id} onChanged={onRetried} />;
    case "search":
      return <SearchAll query={query} />;
    default:
      return <AuditPage query={query} />;
  }
}
