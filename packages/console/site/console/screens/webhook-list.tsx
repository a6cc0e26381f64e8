import type { ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { Time } from "../parts/time.tsx";
import { ScreenHeader } from "../parts/screen-header.tsx";
import { useConsole } from "../state/console-context.ts";
import { usePages } from "../state/use-pages.ts";
import { hrefTo } from "../state/use-route.ts";
import { useTitle } from "../state/use-title.ts";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";

export function WebhookList() {
  useTitle("Webhooks");
  const { projects } = useConsole();
  const pages = usePages<ConsoleWebhook>("console/api/webhooks");
  const [creating, setCreating] = useState(false);
  const siteOf = (id: string | null): string =>
    id === null ? "every site" : (projects.find((project) => project.id === id)?.name ?? id);
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
        columns={["URL", "Event", "Site", "State", "Failures in a row", "Last accepted"]}
        pages={pages}
        empty={
          <>
            <h2>No webhooks yet</h2>
            <p>A webhook pushes an event, such as a new order, to a URL of yours the moment it happens.</p>
          </>
        }
        row={({ id, target_url, event, project_id, status, consecutive_failures, last_success_at }) => (
          <tr key={id}>
            <td class="url">
              <a href={hrefTo(["webhooks", id])}>{target_url}</a>
            </td>
            <td>
              <code>{event}</code>
            </td>
            <td>{siteOf(project_id)}</td>
            <td>
              <Badge state={status} />
            </td>
            <td class="number">{consecutive_failures}</td>
            <td>
              <Time at={last_success_at} />
            </td>
          </tr>
        )}
      />
      {creating ? <CreateWebhookDialog onClose={() => setCreating(false)} onCreated={pages.reload} /> : null}
    </>
  );
}
