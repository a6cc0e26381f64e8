import type { Attempt, AuditEntry, ConsoleWebhook, Delivery } from "@hookwright/domain";
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { ConsoleApi } from "../../api/console-api.ts";
import { Button } from "../../parts/button.tsx";
import { TestButton } from "../../parts/test-button.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { mayTest } from "./may-test.ts";

export interface RotationStepsProps {
  readonly webhook: ConsoleWebhook;
  /** A test that was sent elsewhere on the page. */
  readonly attempt: Attempt | undefined;
  /** Asks before the rotation is finished. */
  readonly onFinish: (isTested: boolean) => void;
  readonly onCancel: () => void;
}

/** The steps of a rotation that has begun: accept both secrets, test, finish. */
export function RotationSteps({ webhook: { id, status }, attempt, onFinish, onCancel }: RotationStepsProps) {
  const { api } = useConsole();
  const [tested, setTested] = useState<Attempt>();
  const { data: wasTested, reload } = useResource(`test in the rotation of ${id} ${attempt?.id}`, (signal) =>
    wasTestAccepted(api, id, signal),
  );
  useLiveReload(
    reload,
    (change) => change.type === "delivery" && change.row.webhook_id === id && change.row.kind === "test",
  );
  const isTested = tested?.error === null || wasTested === true;
  return (
    <>
      <p>
        A new secret is pending. Deliveries use the current one, and <em>Send test</em> uses the new one.
      </p>
      <ol class="stepper" aria-label="Steps of the rotation">
        <Step isDone title="New secret">
          It was created and shown once.
        </Step>
        <Step isDone={isTested} isCurrent={!isTested} title="Accept both">
          Add the new secret to your endpoint, next to the current one.
        </Step>
        <Step isDone={isTested} title="Test">
          <p>A test is signed with the new secret. This step is done when your endpoint accepts it.</p>
          <TestButton
            webhookId={mayTest(status) ? id : undefined}
            kind={isTested ? "plain" : "primary"}
            onTested={setTested}
          >
            Test the new secret
          </TestButton>
        </Step>
        <Step isDone={false} isCurrent={isTested} title="Finish">
          <p>All deliveries use the new secret. Then remove the old one from your endpoint.</p>
          <div class="actions">
            <Button changes kind={isTested ? "primary" : "plain"} onClick={() => onFinish(isTested)}>
              Finish: use the new secret
            </Button>
            <Button changes onClick={onCancel}>
              Cancel the new secret
            </Button>
          </div>
        </Step>
      </ol>
    </>
  );
}

/** Whether the endpoint has accepted a test since the rotation began. False if the beginning is unknown. */
async function wasTestAccepted(api: ConsoleApi, id: string, signal: AbortSignal): Promise<boolean> {
  const started = await api.list<AuditEntry>("console/api/audit", {
    query: { action: "webhook.rotation_started", limit: "100" },
    signal,
  });
  const since = started.rows.find(({ target }) => target.id === id)?.at;
  if (since === undefined) return false;
  const query = { webhook_id: id, kind: "test", status: "delivered", since, limit: "1" };
  return (await api.list<Delivery>("console/api/deliveries", { query, signal })).rows.length > 0;
}

interface StepProps {
  readonly isDone: boolean;
  readonly isCurrent?: boolean;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Step({ isDone, isCurrent = false, title, children }: StepProps) {
  return (
    <li class={isDone ? "done" : ""} aria-current={isCurrent ? "step" : undefined}>
      <div>
        <h3>
          {title}
          {isDone ? <span class="heard"> (done)</span> : null}
        </h3>
        {children}
      </div>
    </li>
  );
}
