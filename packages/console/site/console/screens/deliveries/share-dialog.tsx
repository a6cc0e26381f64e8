import type { CreatedShare, Share } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Button, CommandLine } from "../../parts/buttons.tsx";
import { Dialog } from "../../parts/dialogs.tsx";
import { Choice } from "../../parts/fields.tsx";
import { FailureNote, Pending } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useAction, useRows } from "../../state/use-api.ts";

const lifetimes = { 1: "1 day", 7: "7 days", 30: "30 days" };

export interface ShareDialogProps {
  /** Of the delivery. */
  readonly id: string;
  readonly onClose: () => void;
}

/** Creates a link that shows a delivery to everybody who has it, and revokes such links. */
export function ShareDialog({ id, onClose }: ShareDialogProps) {
  const { api } = useConsole();
  const shares = useRows<Share>(toPath("deliveries", id, "shares"));
  const action = useAction();
  const [days, setDays] = useState("7");
  const [created, setCreated] = useState<CreatedShare>();
  const create = async (): Promise<void> => {
    const share = await api.post<CreatedShare>(toPath("deliveries", id, "share"), { days: Number(days) });
    setCreated(share);
    shares.reload();
  };
  const revoke = async (share: Share): Promise<void> => {
    await api.delete(toPath("shares", share.id));
    if (created?.id === share.id) setCreated(undefined);
    shares.reload();
  };
  return (
    <Dialog title="Share this delivery" onClose={onClose}>
      <p>
        Everybody with the link sees this delivery: its body with the customer’s data, its attempts and the
        answers. They need no sign-in. They do not see your own headers, the query and long path parts of the
        URL, whole signatures or anything else of the account.
      </p>
      {created === undefined ? (
        <div class="filter-line">
          <Choice
            label="The link works for"
            value={days}
            all={null}
            choices={Object.entries(lifetimes)}
            onChoose={setDays}
          />
          <Button changes kind="primary" busy={action.busy} onClick={() => void action.run(create)}>
            Create link
          </Button>
        </div>
      ) : (
        <>
          <p role="status">Copy the link now: it is not shown again.</p>
          <CommandLine text={new URL(created.url, location.href).href} />
        </>
      )}
      <FailureNote failure={action.failure} />
      <Pending of={shares} />
      {shares.data === undefined || shares.data.length === 0 ? null : (
        <ul class="shares" aria-label="Links that work">
          {shares.data.map((share) => (
            <li key={share.id}>
              <span>
                Created <Time at={share.created_at} />, works until <Time at={share.expires_at} />
              </span>
              <Button
                changes
                busy={action.busy}
                label={`Revoke the link of ${share.created_at}`}
                onClick={() => void action.run(() => revoke(share))}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div class="actions end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
