import type { ApiKey, AuditEntry, ConsoleWebhook } from "@hookwright/domain";
import { Endpoint, SiteName } from "../../parts/cells.tsx";
import { ScreenHeader } from "../../parts/page.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo, useTitle } from "../../state/route.ts";
import { useResource } from "../../state/use-resource.ts";
import { AuditTable } from "./audit-table.tsx";

/** Who changed what on the account. */
export function Activity({ query }: { readonly query: Readonly<Record<string, string>> }) {
  useTitle("Activity");
  const known = useKnownTargets();
  return (
    <>
      <ScreenHeader title="Activity" />
      <AuditTable
        path="console/api/audit"
        query={{ action: query["action"] ?? "" }}
        showTarget={({ target }) => <ChangeTarget target={target} known={known} />}
      />
    </>
  );
}

/** What the changes of an account name: its webhooks and keys by id. */
export interface KnownTargets {
  readonly webhooks: ReadonlyMap<string, ConsoleWebhook>;
  readonly keys: ReadonlyMap<string, ApiKey>;
}

/** Loads the names once. Until then, and for what was removed long ago, the ids are shown. */
export function useKnownTargets(): KnownTargets | undefined {
  const { api } = useConsole();
  const { data } = useResource("names of targets", async (signal): Promise<KnownTargets> => {
    const list = (status?: string) =>
      api.list<ConsoleWebhook>("console/api/webhooks", { query: { status, limit: "100" }, signal });
    const [present, removed, keys] = await Promise.all([
      list(),
      list("removed"),
      api.list<ApiKey>("console/api/keys", { query: { limit: "100" }, signal }),
    ]);
    return {
      webhooks: new Map([...present.rows, ...removed.rows].map((webhook) => [webhook.id, webhook])),
      keys: new Map(keys.rows.map((key) => [key.id, key])),
    };
  });
  return data;
}

export interface ChangeTargetProps {
  readonly target: AuditEntry["target"];
  readonly known: KnownTargets | undefined;
}

/** What was changed, with its name, as a link to its screen. */
export function ChangeTarget({ target: { kind, id }, known }: ChangeTargetProps) {
  if (id === null) return null;
  switch (kind) {
    case "webhook": {
      const webhook = known?.webhooks.get(id);
      return (
        <a class="row-link" href={hrefTo(["webhooks", id])}>
          {webhook === undefined ? (
            <code>{id}</code>
          ) : (
            <Endpoint url={webhook.target_url} name={webhook.name} />
          )}
        </a>
      );
    }
    case "delivery":
      return (
        <a class="row-link" href={hrefTo(["deliveries", id])}>
          <code>{id}</code>
        </a>
      );
    case "record":
      return (
        <a class="row-link" href={hrefTo(["deliveries"], { q: id })}>
          <bdi>{id}</bdi>
        </a>
      );
    case "api_key":
      return (
        <a class="row-link" href={hrefTo(["keys"])}>
          <bdi>{known?.keys.get(id)?.name ?? id}</bdi>
        </a>
      );
    case "project":
      return <SiteName id={id} />;
    default:
      return <code>{id}</code>;
  }
}
