import type { ApiKey, AuditEntry, ConsoleWebhook, Person } from "@hookwright/domain";
import type { ComponentChildren } from "preact";
import { toPath } from "../../api/console-api.ts";
import { ExportMenu } from "../../parts/export-menu.tsx";
import { Endpoint, SiteName } from "../../parts/cells.tsx";
import { ScreenHeader } from "../../parts/page.tsx";
import { hrefTo } from "../../state/route.ts";
import { useRows } from "../../state/use-api.ts";
import { AuditTable, toAuditQuery } from "./audit-table.tsx";
import { describeActor } from "./describe-change.ts";

/** Who changed what on the account, and what the server did by itself. */
export function Activity({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const known = useKnownTargets();
  return (
    <>
      <ScreenHeader title="Activity">
        <ExportMenu path={toPath("audit", "export")} name="activity" query={toAuditQuery(query)} />
      </ScreenHeader>
      <AuditTable
        path="console/api/audit"
        query={query}
        isWaiting={known === undefined}
        showTarget={({ target }) => <ChangeTarget target={target} known={known} />}
        showActor={(actor) =>
          describeActor({ ...actor, name: known?.keys.find(({ id }) => id === actor.id)?.name ?? actor.name })
        }
      />
    </>
  );
}

/** What the changes of an account name. For what was removed long ago, ids are shown. */
interface KnownTargets {
  readonly webhooks: readonly ConsoleWebhook[];
  readonly keys: readonly ApiKey[];
  readonly people: readonly Person[];
}

/** Undefined until they are loaded, because names in place of ids would move the lines. */
function useKnownTargets(): KnownTargets | undefined {
  const limit = "100";
  const present = useRows<ConsoleWebhook>(toPath("webhooks"), { limit });
  const removed = useRows<ConsoleWebhook>(toPath("webhooks"), { status: "removed", limit });
  const keys = useRows<ApiKey>(toPath("keys"), { limit });
  const people = useRows<Person>(toPath("people"));
  const isLoaded = [present, removed, keys, people].every(
    ({ data, failure }) => data !== undefined || failure !== undefined,
  );
  return isLoaded
    ? {
        webhooks: [...(present.data ?? []), ...(removed.data ?? [])],
        keys: keys.data ?? [],
        people: people.data ?? [],
      }
    : undefined;
}

interface ChangeTargetProps {
  readonly target: AuditEntry["target"];
  readonly known: KnownTargets | undefined;
}

/** What was changed, with its name, as a link to its screen. */
function ChangeTarget({ target: { kind, id }, known }: ChangeTargetProps) {
  if (id === null) return null;
  if (kind === "project") return <SiteName id={id} />;
  const webhook = known?.webhooks.find((each) => each.id === id);
  const key = known?.keys.find((each) => each.id === id);
  const person = known?.people.find((each) => each.id === id);
  const idText = <code>{id}</code>;
  const webhookText = webhook && <Endpoint url={webhook.target_url} name={webhook.name} />;
  const links: Readonly<Record<string, { readonly href: string; readonly text: ComponentChildren }>> = {
    webhook: { href: hrefTo(["webhooks", id]), text: webhookText ?? idText },
    delivery: { href: hrefTo(["deliveries", id]), text: idText },
    record: { href: hrefTo(["deliveries"], { q: id }), text: <bdi>{id}</bdi> },
    person: { href: hrefTo(["people"]), text: <bdi>{person?.name ?? person?.email ?? id}</bdi> },
    api_key: { href: hrefTo(["keys"]), text: <bdi>{key?.name ?? id}</bdi> },
  };
  const link = links[kind];
  if (link === undefined) return idText;
  return (
    <a class="row-link" href={link.href}>
      {link.text}
    </a>
  );
}
