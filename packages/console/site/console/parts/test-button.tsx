import type { Attempt, ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../api/console-api.ts";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-api.ts";
import { AttemptResult } from "./attempt-result.tsx";
import { Button } from "./buttons.tsx";
import { Choice } from "./fields.tsx";
import { FailureNote } from "./page.tsx";

type Tested = Pick<ConsoleWebhook, "id" | "events" | "status" | "verified">;

/** Whether the server sends a test to a webhook. A paused one is tested until it has accepted something. */
export function mayTest({ status, verified }: Pick<ConsoleWebhook, "status" | "verified">): boolean {
  return status === "paused" ? !verified : status !== "disabled_by_host";
}

/** The events that a test of a webhook may be of. A server may no longer have some of them. */
export function useEventsOf({ events }: Pick<ConsoleWebhook, "events">): readonly string[] {
  const { eventTypes } = useConsole();
  const names = eventTypes.map(({ event }) => event);
  if (events.includes("*")) return names;
  const known = events.filter((event) => names.includes(event));
  return known.length > 0 ? known : events;
}

export interface TestButtonProps {
  /** Undefined: there is none that can be tested. */
  readonly webhook: Tested | undefined;
  /** What the button says. */
  readonly children?: string;
  readonly kind?: "plain" | "primary";
  readonly onTested?: (attempt: Attempt) => void;
}

/** Sends a test, and shows in the same place what the endpoint answered. With several events, one is chosen. */
export function TestButton({ webhook, children = "Send test", kind = "plain", onTested }: TestButtonProps) {
  const { api } = useConsole();
  const action = useAction();
  const [attempt, setAttempt] = useState<Attempt>();
  const events = useEventsOf(webhook ?? { events: [] });
  const [chosen, setChosen] = useState<string>();
  const event = chosen ?? events[0];
  const test = async (): Promise<void> => {
    if (webhook === undefined) return;
    setAttempt(undefined);
    const made = await api.post<Attempt>(toPath("webhooks", webhook.id, "test"), { event });
    setAttempt(made);
    onTested?.(made);
  };
  return (
    <div class="tested">
      {events.length < 2 ? null : (
        <Choice
          label="Event of the test"
          value={event}
          all={null}
          choices={events.map((each) => [each, each])}
          onChoose={setChosen}
        />
      )}
      <Button
        changes
        kind={kind}
        disabled={webhook === undefined || !mayTest(webhook)}
        busy={action.busy}
        onClick={() => void action.run(test)}
      >
        {children}
      </Button>
      <div role="status" class={attempt === undefined || attempt.error === null ? "" : "problem"}>
        {attempt === undefined ? null : <AttemptResult attempt={attempt} />}
      </div>
      <FailureNote failure={action.failure} />
    </div>
  );
}
