import type { ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { SiteName } from "../parts/site-name.tsx";
import { Time } from "../parts/time.tsx";
import { ScreenHeader } from "../parts/screen-header.tsx";
import { usePages } from "../state/use-pages.ts";
import { hrefTo } from "../state/use-route.ts";
import { useTitle } from "../state/use-title.ts";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";

export function WebhookList() {
  useTitle("Webhooks");
  const pages = usePages<ConsoleWebhook>("console/api/webhooks");
  const [creating, setCreating] = useState(false);
  return (
    <>
      <ScreenHeader title="Webhooks">
        <Button onClick={pages.reload}>Refresh</Button>
        <Button kind="primary" changes onClick={() => setCreating(true)}>
          Create webhook
        </Button>
      </ScreenHeader>
      <PagedTable
        caption="Webhooks, newest first"
        columns={[
          {
            name: "URL",
            kind: "url",
            place: "title",
            cell: ({ id, target_url }) => (
              <a class="cut" href={hrefTo(["webhooks", id])} title={target_url}>
                {target_url}
              </a>
            ),
          },
          { name: "Event", cell: ({ event }) => <code>{event}</code> },
          { name: "Site", kind: "name", cell: ({ project_id }) => <SiteName id={project_id} /> },
          { name: "State", place: "mark", cell: ({ status }) => <Badge state={status} /> },
          {
            name: "Failures in a row",
            kind: "number",
            cell: ({ consecutive_failures }) => consecutive_failures,
          },
          { name: "Last accepted", cell: ({ last_success_at }) => <Time at={last_success_at} /> },
        ]}
        pages={pages}
        empty={
          <>
            <h2>No webhooks yet</h2>
            <p>A webhook sends an event, such as a new order, to your URL as soon as it happens.</p>
          </>
        }
      />
      {creating ? <CreateWebhookDialog onClose={() => setCreating(false)} onCreated={pages.reload} /> : null}
    </>
  );
}
