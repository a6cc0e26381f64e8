import type { Delivery, ListedConsoleWebhook } from "@hookwright/domain";
import { useEffect } from "preact/hooks";
import { Button } from "../../parts/buttons.tsx";
import { Check } from "../../parts/fields.tsx";
import { GoLive } from "../../parts/go-live.tsx";
import { ListenCommands } from "../../parts/listen-commands.tsx";
import { Step } from "../../parts/page.tsx";
import { VerifySnippet } from "../../parts/secrets.tsx";
import { mayTest, TestButton } from "../../parts/test-button.tsx";
import { setPreferences, usePreferences } from "../../state/preferences.ts";
import { hrefTo } from "../../state/route.ts";

export interface FirstStepsProps {
  readonly webhooks: readonly ListedConsoleWebhook[];
  /** Whether an endpoint has accepted a test. */
  readonly hasTested: boolean;
  /** The newest delivery of a real event. */
  readonly first: Delivery | undefined;
}

/** The way to the first event. The items are ticked as they happen. The card stays until the user dismisses it. */
export function FirstSteps({ webhooks, hasTested, first }: FirstStepsProps) {
  const verifies = usePreferences().verifies === "yes";
  /** A new webhook waits for a test. As long as no other one sends, no event can come. */
  const paused = webhooks.some(({ status }) => status === "active")
    ? undefined
    : webhooks.find(({ status }) => status === "paused");
  const isAllDone = webhooks.length > 0 && verifies && hasTested && first !== undefined;
  // The first event must not remove the card.
  useEffect(() => setPreferences({ firstSteps: "on" }), []);
  return (
    <section class="panel" aria-label="First steps">
      <div class="chart-head">
        <h2>{isAllDone ? "First steps: all done" : "First steps"}</h2>
        <Button kind={isAllDone ? "primary" : "plain"} onClick={() => setPreferences({ firstSteps: "off" })}>
          Dismiss
        </Button>
      </div>
      <ol class="steps">
        <Step isDone={webhooks.length > 0} hasIcon title="Create a webhook">
          {webhooks.length > 0 ? null : <CreateStep />}
        </Step>
        <Step isDone={verifies} hasIcon title="Verify the signature">
          {verifies ? null : <VerifySnippet />}
          <Check
            checked={verifies}
            onChange={(checked) => setPreferences({ verifies: checked ? "yes" : "no" })}
          >
            My endpoint verifies it, and refuses a wrong signature.
          </Check>
        </Step>
        <Step isDone={hasTested} hasIcon title="Send a test event">
          {paused === undefined ? (
            <TestButton webhook={webhooks.find(mayTest)} />
          ) : (
            <GoLive key={paused.id} webhook={paused} />
          )}
        </Step>
        <Step isDone={first !== undefined} hasIcon title="See the first real event">
          {first === undefined ? (
            <p class="quiet">Waiting for an event of your sites. It appears here by itself.</p>
          ) : (
            <p>
              <a href={hrefTo(["deliveries", first.id])}>
                {first.event} <bdi>{first.record_id}</bdi>
              </a>
            </p>
          )}
        </Step>
      </ol>
    </section>
  );
}

function CreateStep() {
  return (
    <>
      <p>
        <a class="button primary" href={hrefTo(["webhooks"], { create: "webhook" })}>
          Create webhook
        </a>
      </p>
      <p>Or hear events on your own machine, without a public URL:</p>
      <ListenCommands />
    </>
  );
}
