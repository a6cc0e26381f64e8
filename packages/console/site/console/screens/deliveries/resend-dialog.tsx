import type { Resend, ResendPreview } from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import { ConfirmDialog } from "../../parts/dialogs.tsx";
import { FailureNote } from "../../parts/page.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { useResource } from "../../state/use-api.ts";

/** What a job sends again, as `POST /console/api/resends` takes it. */
export interface ResendBody {
  readonly filter: Readonly<Record<string, unknown>>;
  /** Whether the webhooks of the filter are turned on first. */
  readonly turn_on?: true;
}

export interface ResendDialogProps {
  readonly body: ResendBody;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Counts what a job would send again, and asks before it starts it. */
export function ResendDialog({ body, onDone, onClose }: ResendDialogProps) {
  const { api, toast } = useConsole();
  const { data, failure, reload } = useResource(JSON.stringify(body), () =>
    api.post<ResendPreview>(toPath("resends"), { ...body, dry_run: true }),
  );
  const count = data === undefined ? undefined : data.found - data.skipped;
  const turnsOn = body.turn_on === true;

  async function start(): Promise<void> {
    const { found, turned_on } = await api.post<Resend>(toPath("resends"), body);
    const sending = `${found - (data?.skipped ?? 0)} are being sent again.`;
    toast(turned_on === undefined ? sending : `${turned_on} turned on. ${sending}`);
  }
  return (
    <ConfirmDialog
      title={turnsOn ? "Turn on and recover?" : toTitle(count, data?.complete ?? true)}
      confirm={turnsOn ? "Turn on and recover" : "Resend"}
      kind="primary"
      disabled={count === undefined || (count === 0 && !turnsOn)}
      onConfirm={start}
      onDone={onDone}
      onClose={onClose}
    >
      <FailureNote failure={failure} onRetry={reload} />
      {turnsOn ? (
        <p>
          The webhooks send events again from now on. Each also gets the rest of an earlier job that did not
          finish for it, and what failed, was cancelled or was not sent since it was paused or disabled
          {data === undefined ? "" : `: ${data.complete ? "" : "at least "}${data.found} in all`}. Check first
          that the endpoints work.
        </p>
      ) : null}
      {data === undefined ? null : <Explanation {...data} />}
    </ConfirmDialog>
  );
}

function toTitle(count: number | undefined, isComplete: boolean): string {
  if (count === undefined) return "Send these deliveries again?";
  if (count === 0) return "Nothing is sent again";
  if (count === 1 && isComplete) return "Send this delivery again?";
  return `Send ${isComplete ? "these" : "at least"} ${count} deliveries again?`;
}

function Explanation({ found, skipped }: ResendPreview) {
  return (
    <>
      {found > skipped ? (
        <p>
          Each is sent as a new delivery with the same body. Your endpoint sees the same body id again. The
          server does the work: you can leave this page, and follow it under{" "}
          <a href={hrefTo(["deliveries", "resends"])}>Resends</a>.
        </p>
      ) : null}
      <p>
        An event that was accepted since, that is pending, or whose record or webhook was removed is not sent.
        {skipped === 0
          ? null
          : ` ${skipped} more are skipped, because their webhook is not active or they do not exist any more.`}
      </p>
    </>
  );
}
