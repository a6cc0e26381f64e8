import type { Attempt, ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../api/console-api.ts";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-api.ts";
import { Button } from "./buttons.tsx";
import { explainAttempt } from "./explain-attempt.ts";
import { FailureNote } from "./page.tsx";

/** Whether the server sends a test to a webhook with this status. */
export function mayTest(status: ConsoleWebhook["status"]): boolean {
  return status !== "paused" && status !== "disabled_by_host";
}

export interface TestButtonProps {
  /** Undefined: there is none that can be tested. */
  readonly webhookId: string | undefined;
  /** What the button says. */
  readonly children?: string;
  readonly kind?: "plain" | "primary";
  readonly onTested?: (attempt: Attempt) => void;
}

/** Sends a test, and shows in the same place what the endpoint answered. */
export function TestButton({ webhookId, children = "Send test", kind = "plain", onTested }: TestButtonProps) {
  const { api } = useConsole();
  const action = useAction();
  const [attempt, setAttempt] = useState<Attempt>();
  const test = async (): Promise<void> => {
    if (webhookId === undefined) return;
    setAttempt(undefined);
    const made = await api.post<Attempt>(toPath("webhooks", webhookId, "test"));
    setAttempt(made);
    onTested?.(made);
  };
  return (
    <div class="tested">
      <Button
        changes
        kind={kind}
        disabled={webhookId === undefined}
        busy={action.busy}
        onClick={() => void action.run(test)}
      >
        {children}
      </Button>
      <p role="status" class={attempt === undefined || attempt.error === null ? "" : "problem"}>
        {attempt === undefined ? "" : `Response: ${attempt.status ?? "none"}. ${explainAttempt(attempt)}`}
      </p>
      <FailureNote failure={action.failure} />
    </div>
  );
}
