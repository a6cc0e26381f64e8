import type { RequestLogEntry } from "@hookwright/domain";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Button } from "../parts/button.tsx";
import { tellDuration } from "../parts/tell-duration.ts";
import { PagedTable } from "../parts/paged-table.tsx";
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
        columns={["Time", "Request", "Status", "Error", "Key", "Took", "Request id"]}
        pages={pages}
        empty={
          <>
            <h2>No requests yet</h2>
            <p>
              Calls of the API with one of your keys appear here. The <a href="reference">reference</a> has
              something to try.
            </p>
          </>
        }
        row={({ id, created_at, method, path, status, error_code, key_name, duration_ms }) => (
          <tr key={id}>
            <td>
              <Time at={created_at} />
            </td>
            <td class="url">
              <code>
                {method} {path}
              </code>
            </td>
            <td>
              <StatusBadge status={status} />
            </td>
            <td>{error_code === null ? "" : <code>{error_code}</code>}</td>
            <td>{key_name ?? <span class="quiet">console</span>}</td>
            <td class="number">{tellDuration(duration_ms)}</td>
            <td>
              <code class="id">{id}</code>
            </td>
          </tr>
        )}
      />
    </>
  );
}
