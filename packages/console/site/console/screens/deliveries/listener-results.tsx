import type { ListenerResult } from "@hookwright/domain";
import { Answer } from "../../parts/cells.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { formatDuration } from "../../parts/format.ts";
import { Time } from "../../parts/time.tsx";

const columns: readonly Column<ListenerResult>[] = [
  {
    name: "Listener",
    kind: "record",
    place: "title",
    cell: ({ listener_id }) => <code>{listener_id}</code>,
  },
  {
    name: "Response",
    place: "mark",
    cell: ({ status }) =>
      status === null ? <span class="answer bad">no response</span> : <Answer status={status} error={null} />,
  },
  { name: "Error", kind: "text", cell: ({ error }) => error },
  { name: "Duration", kind: "number", cell: ({ duration_ms }) => formatDuration(duration_ms) },
  { name: "Reported", cell: ({ reported_at }) => <Time at={reported_at} /> },
];

/** What the account's listeners answered to the event of a delivery. Nothing if none reported an answer. */
export function ListenerResults({ results }: { readonly results: readonly ListenerResult[] }) {
  if (results.length === 0) return null;
  return (
    <section>
      <h2>What listeners answered</h2>
      <p class="quiet">
        Programs that run <code>hookwright listen</code> got the same event. Their answers of the last hour
        are shown. They do not change the state of the delivery.
      </p>
      <DataTable
        caption="Answers of listeners"
        columns={columns}
        rows={results}
        keyOf={({ listener_id, delivery_id }) => `${listener_id} ${delivery_id}`}
        readOnly
      />
    </section>
  );
}
