import type { Delivery } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../../parts/buttons.tsx";
import { Answer, DeliveryStatus, Endpoint } from "../../parts/cells.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { ListenCommands } from "../../parts/listen-commands.tsx";
import { ScreenHeader } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { hrefTo } from "../../state/route.ts";
import { useLive } from "../../state/use-live.ts";

/** Older changes leave the list. */
const maximumRows = 200;

interface Change {
  readonly id: string;
  readonly at: string;
  readonly delivery: Delivery;
}

const columns: readonly Column<Change>[] = [
  { name: "Time", place: "detail", cell: ({ at }) => <Time at={at} /> },
  { name: "Status", place: "mark", cell: ({ delivery }) => <DeliveryStatus delivery={delivery} /> },
  { name: "Event", isWide: true, cell: ({ delivery }) => <code>{delivery.event}</code> },
  {
    name: "Record",
    kind: "record",
    place: "title",
    cell: ({ delivery }) => (
      <a class="row-link" href={hrefTo(["deliveries", delivery.id])}>
        <bdi>{delivery.record_id}</bdi>
      </a>
    ),
  },
  { name: "Endpoint", kind: "url", cell: ({ delivery }) => <Endpoint url={delivery.target_url} /> },
  {
    name: "Answer",
    place: "detail",
    cell: ({ delivery }) => <Answer status={delivery.last_status} error={delivery.last_error} />,
  },
];

/** Events on the own machine with the command line, and deliveries as they happen. */
export function Listen() {
  const [changes, setChanges] = useState<readonly Change[]>([]);
  useLive((change) => {
    if (change.type !== "delivery") return;
    const { row } = change;
    const added = {
      id: `${row.id} ${row.status} ${row.attempts_made}`,
      at: new Date().toISOString(),
      delivery: row,
    };
    // The same row comes again with the result of a listener.
    setChanges((before) =>
      before.some(({ id }) => id === added.id) ? before : [added, ...before].slice(0, maximumRows),
    );
  });
  return (
    <>
      <ScreenHeader title="Listen">
        <Button disabled={changes.length === 0} onClick={() => setChanges([])}>
          Clear
        </Button>
      </ScreenHeader>
      <div class="panel">
        <h2>On your machine</h2>
        <p>
          The command line gets every event as it happens, with the headers and bytes that a webhook gets. It
          needs no public URL.
        </p>
        <ListenCommands />
      </div>
      <section>
        <h2>Deliveries as they happen</h2>
        {changes.length === 0 ? (
          <div class="empty">
            <p>Waiting for the next delivery.</p>
          </div>
        ) : (
          <DataTable
            caption="Deliveries as they happen, newest first"
            columns={columns}
            rows={changes}
            keyOf={({ id }) => id}
          />
        )}
      </section>
    </>
  );
}
