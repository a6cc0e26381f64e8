import type { HostWebhook } from "@hookwright/domain";
import { WebhookEvents, WebhookStatus } from "../parts/cells.tsx";
import type { Column } from "../parts/data-table.tsx";
import { OperatorWebhookMenu } from "./webhook-menu.tsx";

/** The first columns of each list of webhooks. */
export const webhookColumns: readonly Column<HostWebhook>[] = [
  { name: "Status", place: "mark", cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  {
    name: "Webhook",
    kind: "url",
    place: "title",
    cell: (webhook) => (
      <>
        {webhook.name === null ? null : (
          <>
            <bdi>{webhook.name}</bdi>{" "}
          </>
        )}
        <bdi class={webhook.name === null ? undefined : "quiet"}>{webhook.target_url}</bdi>{" "}
        <WebhookEvents webhook={webhook} />
        {webhook.status_detail === null ? null : <span class="quiet"> {webhook.status_detail}</span>}
      </>
    ),
  },
];

/** The last column. */
export function webhookActions(onChanged: () => void): Column<HostWebhook> {
  return {
    name: "Actions",
    kind: "actions-cell",
    place: "menu",
    cell: (webhook) => <OperatorWebhookMenu webhook={webhook} onChanged={onChanged} />,
  };
}
