import type { Attempt, ListedConsoleWebhook } from "@hookwright/domain";
import { toApiFailure } from "../../api/api-failure.ts";
import { copyText } from "../../parts/copy-button.tsx";
import { splitUrl } from "../../parts/endpoint.tsx";
import { Menu } from "../../parts/menu.tsx";
import { mayTest } from "./may-test.ts";
import { useConsole } from "../../state/console-context.ts";

/** What a menu opens above the list. */
export type Asked =
  | { readonly what: "pause" | "delete"; readonly webhook: ListedConsoleWebhook }
  | { readonly what: "tested"; readonly webhook: ListedConsoleWebhook; readonly attempt: Attempt };

export interface WebhookMenuProps {
  readonly webhook: ListedConsoleWebhook;
  readonly onAsk: (asked: Asked) => void;
  /** Called after a change, and after one that the server refused because the webhook has another status. */
  readonly onChanged: () => void;
}

/** What can be done with a webhook of the list. */
export function WebhookMenu({ webhook, onAsk, onChanged }: WebhookMenuProps) {
  const { api, toast, readOnly } = useConsole();
  const { id, status, target_url, name } = webhook;
  const path = `console/api/webhooks/${encodeURIComponent(id)}`;
  const mayChange = readOnly === undefined;

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      toast(toApiFailure(error).message);
    }
    onChanged();
  }
  async function test(): Promise<void> {
    toast("Sending a test …");
    onAsk({ what: "tested", webhook, attempt: await api.post<Attempt>(`${path}/test`) });
  }
  async function turnOn(): Promise<void> {
    await api.post(`${path}/${status === "paused" ? "resume" : "turn-on"}`);
    toast(status === "paused" ? "Resumed." : "Turned on.");
  }
  const copy = async (): Promise<void> =>
    toast((await copyText(target_url)) ? "Copied." : "The browser does not allow copying here.");

  return (
    <Menu
      label={`Actions for ${name ?? splitUrl(target_url).path}`}
      items={[
        { text: "Send test", isAllowed: mayChange && mayTest(status), onChoose: () => void run(test) },
        status === "active"
          ? { text: "Pause", isAllowed: mayChange, onChoose: () => onAsk({ what: "pause", webhook }) }
          : {
              text: status === "paused" ? "Resume" : "Turn on",
              isAllowed: mayChange && status !== "disabled_by_host",
              onChoose: () => void run(turnOn),
            },
        { text: "Copy URL", onChoose: () => void copy() },
        {
          text: "Delete",
          isAllowed: mayChange,
          isDanger: true,
          onChoose: () => onAsk({ what: "delete", webhook }),
        },
      ]}
    />
  );
}
