import type { ConsoleWebhook, Delivery, DeliveryDetail } from "@hookwright/domain";
import { useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { DeliveryStatus } from "../../parts/status.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/use-route.ts";

export interface DeliveryActionsProps {
  readonly delivery: DeliveryDetail;
  /** The path of the delivery in the console API. */
  readonly path: string;
  /** Undefined until it is loaded. */
  readonly webhook: ConsoleWebhook | undefined;
  /** Why the delivery cannot be sent again. Undefined: it can, as far as is known. */
  readonly refusal: string | undefined;
}

/** What the delivery is, and what can be done with it. */
export function DeliveryActions({ delivery, path, webhook, refusal }: DeliveryActionsProps) {
  const { api } = useConsole();
  const { id, event, record_id, kind } = delivery;
  const [isAsking, setAsking] = useState(false);
  const resentId = useRef("");
  async function resend(): Promise<void> {
    resentId.current = (await api.post<Delivery>(`${path}/resend`)).id;
  }
  return (
    <>
      <div class="delivery-head">
        <h2>
          <DeliveryStatus delivery={delivery} /> <code>{event}</code> <bdi>{record_id}</bdi>
          {kind === "event" ? null : <span class="badge">{kind}</span>}
        </h2>
        <div class="actions">
          <CopyButton text={id} shortcut="c">
            Copy id
          </CopyButton>
          <CopyButton text={linkTo(id)}>Copy link</CopyButton>
          <Button
            changes
            disabled={kind === "test" || refusal !== undefined}
            shortcut="r"
            onClick={() => setAsking(true)}
          >
            Resend
          </Button>
        </div>
      </div>
      {isAsking ? (
        <ConfirmDialog
          title="Send this delivery again?"
          confirm="Resend"
          kind="primary"
          onConfirm={resend}
          onDone={() => (location.hash = hrefTo(["deliveries", resentId.current]))}
          onClose={() => setAsking(false)}
        >
          <p>
            It is sent to <bdi>{webhook?.target_url ?? delivery.target_url}</bdi> as a new delivery. Your
            endpoint sees the same body id again.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function linkTo(id: string): string {
  const url = new URL(location.href);
  url.hash = `#/deliveries/${encodeURIComponent(id)}`;
  return url.href;
}
