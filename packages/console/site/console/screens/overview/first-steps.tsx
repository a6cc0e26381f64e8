import type { Attempt, Delivery, ListedConsoleWebhook } from "@hookwright/domain";
import { Circle, CircleCheck } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { CommandLine } from "../../parts/command-line.tsx";
import { explainAttempt } from "../../parts/explain-attempt.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { Icon } from "../../parts/icon.tsx";
import { VerifySnippet } from "../../parts/verify-snippet.tsx";
import { useConsole } from "../../state/console-context.ts";
import { setPreferences } from "../../state/preferences.ts";
import { useAction } from "../../state/use-action.ts";
import { hrefTo } from "../../state/use-route.ts";

export interface FirstStepsProps {
  readonly webhooks: readonly ListedConsoleWebhook[];
  /** The newest delivery of any kind, tests included. */
  readonly newest: Delivery | undefined;
}

/** The way to the first event. The items are ticked as they happen. */
export function FirstSteps({ webhooks, newest }: FirstStepsProps) {
  const { api } = useConsole();
  const action = useAction();
  const [attempt, setAttempt] = useState<Attempt>();
  const webhook = webhooks.find(({ status }) => status !== "paused");
  const hasTested = attempt !== undefined || newest !== undefined;
  const test = async (): Promise<void> => {
    if (webhook === undefined) return;
    setAttempt(await api.post<Attempt>(`console/api/webhooks/${encodeURIComponent(webhook.id)}/test`));
  };
  return (
    <section class="panel" aria-label="First steps">
      <div class="chart-head">
        <h2>First steps</h2>
        <Button onClick={() => setPreferences({ firstSteps: "off" })}>Hide</Button>
      </div>
      <ol class="steps">
        <Step done={webhooks.length > 0} title="Create a webhook">
          {webhooks.length > 0 ? null : (
            <>
              <p>
                <a class="button primary" href={hrefTo(["webhooks"], { create: "webhook" })}>
                  Create webhook
                </a>
              </p>
              <p>Or hear events on your own machine, without a public URL:</p>
              <CommandLine text="npx @hookwright/cli listen --forward http://localhost:3000/hook" />
            </>
          )}
        </Step>
        <Step done={hasTested && newest?.status === "delivered"} title="Verify the signature">
          <VerifySnippet />
        </Step>
        <Step done={hasTested} title="Send a test event">
          <p>
            <Button
              changes
              disabled={webhook === undefined}
              busy={action.busy}
              onClick={() => void action.run(test)}
            >
              Send test
            </Button>
          </p>
          <FailureNote failure={action.failure} />
          <p role="status">
            {attempt === undefined ? "" : `Response: ${attempt.status ?? "none"}. ${explainAttempt(attempt)}`}
          </p>
        </Step>
        <Step done={false} title="See the first real event">
          <p class="quiet">Waiting for an event of your sites. It appears here by itself.</p>
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  readonly done: boolean;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Step({ done, title, children }: StepProps) {
  return (
    <li class={done ? "done" : ""}>
      <Icon of={done ? CircleCheck : Circle} />
      <div>
        <h3>
          {title}
          {done ? <span class="heard"> (done)</span> : null}
        </h3>
        {children}
      </div>
    </li>
  );
}
