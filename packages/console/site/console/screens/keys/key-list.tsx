import type { ApiKey } from "@hookwright/domain";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Ago, Time } from "../../parts/time.tsx";
import { ScreenHeader } from "../../parts/screen-header.tsx";
import { usePages } from "../../state/use-pages.ts";
import { replaceQuery } from "../../state/use-route.ts";
import { useTitle } from "../../state/use-title.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";

/** The API keys of the account. A key that is revoked takes its webhooks with it. */
export function KeyList({ query }: { readonly query: Readonly<Record<string, string>> }) {
  useTitle("Keys");
  const pages = usePages<ApiKey>("console/api/keys");
  const isAsked = query["create"] === "key";
  const [creating, setCreating] = useState(isAsked);
  useEffect(() => setCreating(isAsked), [isAsked]);
  const closeCreation = (): void => {
    setCreating(false);
    if (isAsked) replaceQuery({ create: "" });
  };
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <>
      <ScreenHeader title="Keys">
        <Button onClick={pages.reload}>Refresh</Button>
        <Button kind="primary" changes onClick={() => setCreating(true)}>
          Create key
        </Button>
      </ScreenHeader>
      <PagedTable
        caption="API keys, newest first"
        columns={[
          {
            name: "Name",
            kind: "name",
            place: "title",
            cell: ({ name, integration }) => (
              <>
                <bdi>{name}</bdi>
                {integration ? <span class="badge kind">integration</span> : null}
              </>
            ),
          },
          { name: "Key", place: "detail", cell: ({ prefix }) => <code>{prefix}…</code> },
          {
            name: "Webhooks",
            kind: "number",
            cell: ({ webhooks_count }) => (webhooks_count === 0 ? "–" : webhooks_count),
          },
          { name: "Created", isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
          { name: "Last used", place: "detail", cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
          { name: "Revoked", isWide: true, cell: ({ revoked_at }) => <Time at={revoked_at} none="–" /> },
          {
            name: "Action",
            place: "mark",
            cell: (key) =>
              key.revoked_at === null ? (
                <Button changes label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
                  Revoke
                </Button>
              ) : null,
          },
        ]}
        pages={pages}
        empty={
          <>
            <h2>No keys yet</h2>
            <p>
              A key lets a program act as you on all of your sites. Create a separate key for each program.
            </p>
          </>
        }
      />
      {creating ? <CreateKeyDialog onClose={closeCreation} onCreated={pages.reload} /> : null}
      {revoking === undefined ? null : (
        <RevokeKeyDialog apiKey={revoking} onRevoked={pages.reload} onClose={() => setRevoking(undefined)} />
      )}
    </>
  );
}
