import type { RequestLogEntry } from "@hookwright/domain";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Button } from "../parts/button.tsx";
import { formatDuration } from "../parts/format-duration.ts";
import { PagedTable } from "../parts/paged-table.tsx";
import { ReferenceLink } from "../parts/reference-link.tsx";
import { Time } from "../parts/time.tsx";
import { ScreenHeader } from "../parts/screen-header.tsx";
import { usePages } from "../state/use-pages.ts";
import { useTitle } from "../state/use-title.ts";

export function RequestLog() {
  useTitle("Requests");
  const pages = usePages<RequestLogEntry>("console/api/requests", { limit: "50" });
  return (
    <>
      <ScreenHeader title="Requests">
        <Button onClick={pages.reload}>Refresh</Button>
      </ScreenHeader>
      <PagedTable
        caption="Requests to the API, newest first"
        columns={[
          { name: "Time", cell: ({ created_at }) => <Time at={created_at} /> },
          {
            name: "Request",
            kind: "url",
            place: "title",
            cell: ({ method, path }) => (
              <code>
                {method} {path}
              </code>
            ),
          },
          { name: "Status", place: "mark", cell: ({ status }) => <StatusBadge status={status} /> },
          {
            name: "Error",
            cell: ({ error_code }) => (error_code === null ? null : <code>{error_code}</code>),
          },
          {
            name: "Key",
            kind: "name",
            cell: ({ key_name }) => <bdi>{key_name}</bdi>,
          },
          { name: "Took", kind: "number", cell: ({ duration_ms }) => formatDuration(duration_ms) },
          { name: "Request id", cell: ({ id }) => <code class="id">{id}</code> },
        ]}
        pages={pages}
        readOnly
        empty={
          <>
            <h2>No requests yet</h2>
            <p>
              Requests with one of your API keys appear here. Try one in the <ReferenceLink />.
            </p>
          </>
        }
      />
    </>
  );
}
