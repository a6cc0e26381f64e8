import type { Resend } from "@hookwright/domain";
import { useCallback } from "preact/hooks";
import { toApiFailure, toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { Status } from "../../parts/cells.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { FailureNote, ScreenHeader } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { formatTime, Time, useTimeZone } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { useAction, useRows } from "../../state/use-api.ts";
import type { Action } from "../../state/use-api.ts";
import { usePolling } from "../../state/use-live.ts";
import { usePages } from "../../state/use-pages.ts";
import type { Pages } from "../../state/use-pages.ts";

/** The jobs that send deliveries again, and the recoveries, newest first. */
export function ResendList() {
  const pages = usePages<Resend>(toPath("resends"), { limit: "50" });
  // A reload would drop the further pages.
  const { running, action, stop } = useJobs(pages, pages.isLonger);
  const [first] = running;
  return (
    <>
      <ScreenHeader title="Resends" />
      <p>
        A resend sends the chosen deliveries again, or all that match its filter. It has finished when all are
        queued: <a href={hrefTo(["deliveries"], { kind: "resend" })}>their deliveries</a> show what the
        endpoints answer.
      </p>
      <FailureNote failure={action.failure} />
      <p class="quiet" role="status">
        {first === undefined
          ? "No resend is running."
          : `${running.length} running. The newest: ${first.resent} of ${first.found} sent again.`}
      </p>
      <PagedTable
        caption="Resends, newest first"
        columns={columnsFor(action, stop)}
        pages={pages}
        empty={<p>Nothing was sent again yet. Select deliveries in the list to do so.</p>}
      />
    </>
  );
}

/** The progress of the jobs that run. Nothing if none does. */
export function RunningResends() {
  const { data: rows, ...loaded } = useRows<Resend>(toPath("resends"), { limit: "10" });
  const { running, action, stop } = useJobs({ ...loaded, rows });
  return (
    <>
      <FailureNote failure={action.failure} />
      {running.map((job) => (
        <p key={job.id} class="note info">
          <span role="status">
            <Progress job={job} /> sent again
          </span>{" "}
          <StopButton job={job} action={action} stop={stop} />
        </p>
      ))}
    </>
  );
}

/** Loads jobs again and again while one runs, unless they are kept as they are. */
function useJobs(
  { rows = [], failure, loading, reload }: Pick<Pages<Resend>, "rows" | "failure" | "loading" | "reload">,
  isKept = false,
) {
  const { api, listCache } = useConsole();
  const running = rows.filter(({ status }) => status === "running");
  const action = useAction();
  const poll = useCallback(() => {
    reload();
    // The deliveries have changed.
    listCache.clear();
  }, [reload, listCache]);
  usePolling({
    isPending: !loading && !isKept && running.length > 0,
    dueAt: null,
    hasFailed: failure !== undefined,
    poll,
  });
  async function stop({ id }: Resend): Promise<void> {
    try {
      await api.post(toPath("resends", id, "stop"));
    } catch (error) {
      // It may have ended meanwhile.
      if (toApiFailure(error).code !== "invalid_state") throw error;
    }
    poll();
  }
  return { running, action, stop };
}

function columnsFor(action: Action, stop: (job: Resend) => Promise<void>): readonly Column<Resend>[] {
  return [
    { name: "Started", place: "title", cell: ({ created_at }) => <Time at={created_at} /> },
    { name: "Status", place: "mark", cell: ({ status }) => <Status status={status} /> },
    { name: "Sends", place: "detail", cell: describeFilter },
    { name: "Sent again", kind: "number", place: "detail", cell: (job) => <Progress job={job} /> },
    { name: "Skipped", kind: "number", cell: ({ skipped }) => skipped },
    { name: "Ended", cell: ({ finished_at }) => <Time at={finished_at} none="not yet" /> },
    {
      name: "Action",
      place: "detail",
      cell: (job) => (job.status === "running" ? <StopButton job={job} action={action} stop={stop} /> : null),
    },
  ];
}

interface StopButtonProps {
  readonly job: Resend;
  readonly action: Action;
  readonly stop: (job: Resend) => Promise<void>;
}

function StopButton({ job, action, stop }: StopButtonProps) {
  const timeZone = useTimeZone();
  return (
    <Button
      changes
      label={`Stop the resend of ${formatTime(job.created_at, timeZone)}`}
      busy={action.busy}
      onClick={() => void action.run(() => stop(job))}
    >
      Stop
    </Button>
  );
}

/** How many of the found events are sent. The bar shows it only while it changes. */
function Progress({ job: { status, resent, found } }: { readonly job: Resend }) {
  return (
    <>
      {status === "running" ? (
        <progress aria-label="Sent again" value={resent} max={Math.max(found, 1)} />
      ) : null}
      {resent} of {found}
    </>
  );
}

/** What a job sends, in words. */
function describeFilter({ filter, not_sent }: Resend) {
  const { statuses = [], webhook_ids, since, until, ...others } = filter;
  const parts = [
    [...statuses, ...(not_sent ? ["not sent"] : [])].join(", "),
    ...(webhook_ids === undefined
      ? []
      : [webhook_ids.length === 1 ? "1 webhook" : `${webhook_ids.length} webhooks`]),
    ...Object.values(others).map(String),
  ];
  return (
    <>
      {parts.join(" · ")}
      {since === undefined ? null : (
        <>
          {" "}
          since <Time at={since} />
        </>
      )}
      {until === undefined ? null : (
        <>
          {" "}
          until <Time at={until} />
        </>
      )}
    </>
  );
}
