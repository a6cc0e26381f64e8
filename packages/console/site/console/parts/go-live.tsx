import type { ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../api/console-api.ts";
import { Button } from "./buttons.tsx";
import { FailureNote } from "./page.tsx";
import { TestButton } from "./test-button.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-api.ts";

export interface GoLiveProps {
  /** It is paused. */
  readonly webhook: ConsoleWebhook;
  readonly onLive?: (webhook: ConsoleWebhook) => void;
  /** For a webhook that has missed events meanwhile. Undefined: there are none. */
  readonly onRecover?: (() => void) | undefined;
}

/** A test, and the button that resumes the webhook once its endpoint has accepted one. Both can be skipped. */
export function GoLive({ webhook, onLive, onRecover }: GoLiveProps) {
  const { api } = useConsole();
  const action = useAction();
  const [hasAccepted, setAccepted] = useState(webhook.verified);
  const [isLive, setLive] = useState(false);
  const isVerified = hasAccepted || webhook.verified;
  const goLive = async (): Promise<void> => {
    const live = await api.post<ConsoleWebhook>(toPath("webhooks", webhook.id, "resume"));
    setLive(true);
    onLive?.(live);
  };
  return (
    <div class="go-live">
      <TestButton
        webhook={{ ...webhook, verified: isVerified, status: isLive ? "active" : webhook.status }}
        kind={isVerified ? "plain" : "primary"}
        onTested={({ error }) => {
          if (error === null) setAccepted(true);
        }}
      />
      {isLive ? null : (
        <div class="actions">
          <Button
            changes
            kind={isVerified ? "primary" : "plain"}
            busy={action.busy}
            onClick={() => void action.run(goLive)}
          >
            {isVerified ? "Go live" : "Skip and go live"}
          </Button>
          {onRecover === undefined ? null : (
            <Button changes busy={action.busy} onClick={onRecover}>
              Go live and recover …
            </Button>
          )}
        </div>
      )}
      <p role="status">{isLive ? "It is live: events are sent from now on." : ""}</p>
      <FailureNote failure={action.failure} />
    </div>
  );
}
