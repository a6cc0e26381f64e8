import { describeSwitchOff } from "@hookwright/domain";
import type {
  ApiKey,
  ConsoleAccount,
  ConsoleWebhook,
  KeptBodies,
  ListedSession,
  RateLimit,
} from "@hookwright/domain";
import type { ComponentChildren } from "preact";
import { toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { formatCount } from "../../parts/format.ts";
import { Facts, Pending, ScreenHeader } from "../../parts/page.tsx";
import { PreferenceRows } from "../../parts/preference-rows.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Ago, nameTimeZone, Time, useTimeZone } from "../../parts/time.tsx";
import { useAsk, useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { NoticeSettings } from "./notice-settings.tsx";
import { OwnLogin } from "./own-login.tsx";
import { useGet, useRows } from "../../state/use-api.ts";
import { usePages } from "../../state/use-pages.ts";

/** What the account may do, what is kept of it, and what the user has chosen for this browser. */
export function Settings() {
  const account = useGet<ConsoleAccount>(toPath("account"));
  const { data, failure } = account;
  return (
    <>
      <ScreenHeader title="Settings" />
      <Pending of={account} rem={[12, 12, 8, 10, 8]} />
      {data === undefined ? null : (
        <>
          <AccountFacts account={data} />
          <Limits account={data} />
          <Retention account={data} />
        </>
      )}
      {data === undefined && failure === undefined ? null : (
        <>
          <NoticeSettings />
          <OwnLogin />
          <Preferences />
          <Sessions />
        </>
      )}
    </>
  );
}

interface AccountProps {
  readonly account: ConsoleAccount;
}

function AccountFacts({ account: { id, name, email, timezone, plan, created_at } }: AccountProps) {
  return (
    <section>
      <h2>Account</h2>
      <Facts
        facts={{
          Name: <bdi>{name}</bdi>,
          "E-mail": <bdi>{email}</bdi>,
          "Time zone": timezone,
          Created: <Time at={created_at} />,
          Plan: <bdi>{plan.name}</bdi>,
          "The plan includes":
            [plan.integrations && "API and webhooks", plan.crm && "contacts"].filter(Boolean).join(", ") ||
            "neither the API nor webhooks",
          Id: <code>{id}</code>,
        }}
      />
    </section>
  );
}

/** The limits, and how much of them is used. Without the numbers in use, the limits are shown. */
function Limits({ account: { limits, delivery } }: AccountProps) {
  const limit = "100";
  const webhooks = useRows<ConsoleWebhook>(toPath("webhooks"), { limit }).data;
  const keys = useRows<ApiKey>(toPath("keys"), { limit }).data?.filter(
    ({ revoked_at }) => revoked_at === null,
  );
  const left = useGet<RateLimit>(toPath("rate-limit")).data?.remaining;
  return (
    <section>
      <h2>Limits</h2>
      <Facts
        facts={{
          Webhooks: <Used used={webhooks?.length} of={limits.webhooks} section="webhooks" />,
          "API keys": <Used used={keys?.length} of={limits.api_keys} section="keys" />,
          "API requests in 60 s": (
            <>
              {describeLimit(limits.requests_per_minute)}
              {left === undefined || left === null ? null : (
                <>
                  , <a href={hrefTo(["requests"])}>{formatCount(left)} left now</a>
                </>
              )}
            </>
          ),
          "Resends and tests in 60 s": describeLimit(limits.sends_per_minute),
          "Requests of this console in 60 s": describeLimit(limits.console_requests_per_minute),
          "A webhook is disabled": describeSwitchOff(delivery),
        }}
      />
      <p class="quiet">This console spends none of the API requests.</p>
    </section>
  );
}

interface UsedProps {
  /** Undefined until it is known. */
  readonly used: number | undefined;
  readonly of: number | null;
  readonly section: string;
}

function Used({ used, of, section }: UsedProps) {
  if (used === undefined) return <>{describeLimit(of)}</>;
  return (
    <a href={hrefTo([section])}>
      {formatCount(used)} of {describeLimit(of)}
    </a>
  );
}

function describeLimit(limit: number | null): string {
  return limit === null ? "no limit" : formatCount(limit);
}

/** How long the logs are kept, and how large they become. */
function Retention({ account: { retention } }: AccountProps) {
  const { days, deliveries, delivery_log_mib, requests, bodies } = retention;
  const known = (value: number | null, text: (value: number) => ComponentChildren) =>
    value === null ? undefined : text(value);
  return (
    <section>
      <h2>What is kept</h2>
      <Facts
        facts={{
          "Deliveries and requests": known(days, (value) => `${formatDays(value)} after they ended`),
          "Most deliveries": known(deliveries, formatCount),
          "Largest log of deliveries": known(delivery_log_mib, (value) => `${formatCount(value)} MiB`),
          "Most requests": known(requests, formatCount),
          "Bodies of deliveries": bodies === null ? undefined : keptBodyNames[bodies],
        }}
      />
    </section>
  );
}

const keptBodyNames: Readonly<Record<KeptBodies, string>> = {
  all: "as long as their delivery",
  until_accepted: "until their delivery is accepted",
  none: "never",
};

function formatDays(days: number): string {
  const hours = Math.round(days * 24);
  if (hours % 24 !== 0) return hours === 1 ? "an hour" : `${hours} hours`;
  return hours === 24 ? "a day" : `${hours / 24} days`;
}

function Preferences() {
  const timeZone = useTimeZone();
  return (
    <section>
      <h2>This browser</h2>
      <div class="panel preferences">
        <PreferenceRows />
        <p class="quiet">All times are shown and entered in {nameTimeZone(timeZone)}.</p>
      </div>
    </section>
  );
}

function Sessions() {
  const { api, account, expiresAt = null, onEnd } = useConsole();
  const pages = usePages<ListedSession>(toPath("sessions"));
  const ask = useAsk();
  const askToEnd = (): void =>
    ask({
      title: "End all sessions",
      text: (
        <p>
          Everybody who has the console of this account open is signed out, you too, and so are the logins of
          the command line. Links to it that nobody has opened yet stop working. API keys stay.
        </p>
      ),
      confirm: "End all sessions",
      kind: "danger",
      onConfirm: async () => {
        await api.delete(toPath("sessions"));
        onEnd("All sessions have ended.");
      },
    });
  return (
    <section>
      <h2>Sessions</h2>
      <div class="panel">
        <p>
          You are signed in to <bdi>{account?.name}</bdi> until <Time at={expiresAt} />.
        </p>
        <div class="actions">
          <Button changes="people" kind="danger" onClick={askToEnd}>
            End all sessions
          </Button>
        </div>
      </div>
      <PagedTable
        caption="Open sessions, newest first"
        columns={[
          {
            name: "Person",
            kind: "name",
            place: "title",
            cell: (session) => (
              <>
                <bdi>{nameSession(session)}</bdi>
                {session.current ? <span class="badge kind">this session</span> : null}
              </>
            ),
          },
          {
            name: "Program",
            place: "detail",
            cell: ({ machine }) =>
              machine === null ? (
                "browser"
              ) : (
                <>
                  CLI on <bdi>{machine}</bdi>
                </>
              ),
          },
          {
            name: "Role",
            isWide: true,
            cell: ({ role, read_only }) => (read_only ? `${role}, read-only` : role),
          },
          { name: "Network", isWide: true, cell: ({ network }) => <code>{network ?? "–"}</code> },
          { name: "Since", place: "detail", cell: ({ created_at }) => <Ago at={created_at} /> },
          {
            name: "Last use",
            isWide: true,
            cell: ({ last_used_at }) => (last_used_at === null ? "–" : <Ago at={last_used_at} />),
          },
          {
            name: "Action",
            place: "mark",
            cell: (session) =>
              session.current ? null : (
                <Button
                  label={`End the session of ${nameSession(session)}`}
                  onClick={() =>
                    ask({
                      title: "End this session",
                      text: (
                        <p>
                          <bdi>{nameSession(session)}</bdi> is signed out of{" "}
                          {session.machine === null ? (
                            "that browser"
                          ) : (
                            <>
                              the command line on <bdi>{session.machine}</bdi>
                            </>
                          )}
                          .
                        </p>
                      ),
                      confirm: "End session",
                      kind: "danger",
                      onConfirm: () => api.delete(toPath("sessions", session.id)),
                      onDone: pages.reload,
                    })
                  }
                >
                  End
                </Button>
              ),
          },
        ]}
        pages={pages}
        empty={null}
      />
    </section>
  );
}

function nameSession({ person, link }: ListedSession): string {
  if (person !== null) return `${person.name} (${person.email})`;
  return link ? "Somebody with a link" : "The account owner";
}
