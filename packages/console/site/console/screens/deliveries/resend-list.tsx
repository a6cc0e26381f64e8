import type { Resend } from "@hookwright/domain";
import { useCallback } from "preact/hooks";
import { toApiFailure, toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { Status } from "../../parts/cells.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { FailureNote, ScreenHeader } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { useAction, useRows } from "../../state/use-api.ts";
import type { Action } from "../../state/use-api.ts";
import { usePolling } from "../../state/use-live.ts";

/** The jobs that send deliveries again, and the recoveries, newest first. */
export function ResendList() {
  const { jobs, failure, reload, action, stop } = useJobs("50");
  return (
    <>
      <ScreenHeader title="Resends" />
      <p>
        Each sends again all deliveries that were chosen, or that its filter matches. A job has finished when
        all are queued: their <a href={hrefTo(["deliveries"], { kind: "resend" })}>deliveries</a> show what
        the endpoint answers.
      </p>
      <FailureNote failure={action.failure} />
      <FailureNote failure={failure} onRetry={reload} />
      {jobs === undefined ? null : jobs.length === 0 ? (
        <p>Nothing was sent again yet. Select deliveries in the list to do so.</p>
      ) : (
        <DataTable
          caption="Resends, newest first"
          columns={columnsFor(action, stop)}
          rows={jobs}
          keyOf={({ id }) => id}
        />
      )}
    </>
  );
}

/** The progress of the jobs that run. Nothing if none does. */
export function RunningResends() {
  const { jobs = [], action, stop } = useJobs("10");
  const running = jobs.filter(({ status }) => status === "running");
  return (
    <>
      <FailureNote failure={action.failure} />
      {running.map((job) => (
        <p key={job.id} class="note info">
          <Progress job={job} /> sent again <StopButton job={job} action={action} stop={stop} />
        </p>
      ))}
    </>
  );
}

/** The newest jobs. While one runs, they are loaded again and again. */
function useJobs(limit: string) {
  const { api, listCache } = useConsole();
  const { data: jobs, failure, loading, reload } = useRows<Resend>(toPath("resends"), { limit });
  const action = useAction();
  const poll = useCallback(() => {
    reload();
    // The deliveries have changed.
    listCache.clear();
  }, [reload, listCache]);
  usePolling({
    isPending: !loading && (jobs?.some(({ status }) => status === "running") ?? false),
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
  return { jobs, failure, reload, action, stop };
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
  return (
    <Button changes busy={action.busy} onClick={() => void action.run(() => stop(job))}>
      Stop
    </Button>
  );
}

/** How many of the found events are sent. The bar shows it only while it changes. */
function Progress({ job: { status, resent, found } }: { readonly job: Resend }) {
  return (
    <>
      {status === "running" ? <progress aria-hidden="true" value={resent} max={Math.max(found, 1)} /> : null}
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
