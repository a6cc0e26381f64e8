import type { ListedConsoleWebhook } from "@hookwright/domain";
import type { ConsoleApi } from "../../api/console-api.ts";

/** An action for several webhooks. */
export interface BulkAction {
  readonly text: string;
  /** What has happened afterwards, such as "paused". */
  readonly done: string;
  readonly isDanger?: boolean;
  /** What the user must know before. */
  readonly consequence: string;
  /** The webhooks whose status allows it. */
  readonly isFor: (webhook: ListedConsoleWebhook) => boolean;
  readonly run: (api: ConsoleApi, webhook: ListedConsoleWebhook) => Promise<unknown>;
}

const pathOf = ({ id }: ListedConsoleWebhook): string => `console/api/webhooks/${encodeURIComponent(id)}`;

/** What can be done with the selected webhooks. */
export const bulkActions: readonly BulkAction[] = [
  {
    text: "Pause",
    done: "paused",
    consequence:
      "No events are sent while they are paused. Events that happen meanwhile are sent only by a recovery.",
    isFor: ({ status }) => status === "active",
    run: (api, webhook) => api.post(`${pathOf(webhook)}/pause`),
  },
  {
    text: "Resume",
    done: "resumed",
    consequence: "Events are sent again from now on. A recovery sends those that happened meanwhile.",
    isFor: ({ status }) => status === "paused",
    run: (api, webhook) => api.post(`${pathOf(webhook)}/resume`),
  },
  {
    text: "Turn on",
    done: "turned on",
    consequence:
      "Events are sent again from now on. A recovery sends those that happened meanwhile. Check first that the endpoints work.",
    isFor: ({ status }) => status === "switched_off",
    run: (api, webhook) => api.post(`${pathOf(webhook)}/turn-on`),
  },
  {
    text: "Delete",
    done: "deleted",
    isDanger: true,
    consequence:
      "Nothing is sent to them any more. Pending deliveries are cancelled, and the secrets are deleted.",
    isFor: () => true,
    run: (api, webhook) => api.delete(pathOf(webhook)),
  },
];
