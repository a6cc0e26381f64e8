import type { ApiKey } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { Time } from "../parts/time.tsx";
import { ScreenHeader } from "../parts/screen-header.tsx";
import { useConsole } from "../state/console-context.ts";
import { usePages } from "../state/use-pages.ts";
import { useTitle } from "../state/use-title.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";

export function KeyList() {
  useTitle("API keys");
  const { api } = useConsole();
  const pages = usePages<ApiKey>("console/api/keys");
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <>
      <ScreenHeader title="API keys">
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
          { name: "Begins with", cell: ({ prefix }) => <code>{prefix}…</code> },
          { name: "Created", cell: ({ created_at }) => <Time at={created_at} /> },
          { name: "Last used", cell: ({ last_used_at }) => <Time at={last_used_at} /> },
          { name: "Revoked", cell: ({ revoked_at }) => <Time at={revoked_at} none="–" /> },
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
      {creating ? <CreateKeyDialog onClose={() => setCreating(false)} onCreated={pages.reload} /> : null}
      {revoking === undefined ? null : (
        <ConfirmDialog
          title={
            <>
              Revoke “<bdi>{revoking.name}</bdi>”?
            </>
          }
          confirm="Revoke key"
          kind="danger"
          onConfirm={async () => {
            await api.post(`console/api/keys/${encodeURIComponent(revoking.id)}/revoke`);
            pages.reload();
          }}
          onClose={() => setRevoking(undefined)}
        >
          <p>
            The key stops working immediately and permanently. Its webhooks are removed, and their pending
            deliveries are cancelled.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
