import type { RequestLogEntry } from "@hookwright/domain";
import { Answer } from "../../parts/answer.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { formatDuration } from "../../parts/format-duration.ts";
import { Ago } from "../../parts/time.tsx";

/** The columns of the request log. */
export function requestColumns(onOpen: (entry: RequestLogEntry) => void): readonly Column<RequestLogEntry>[] {
  return [
    { name: "Status", place: "mark", cell: ({ status }) => <Answer status={status} error={null} /> },
    {
      name: "Request",
      kind: "url",
      place: "title",
      cell: (entry) => (
        <button type="button" class="link row-link" onClick={() => onOpen(entry)}>
          <code>
            {entry.method} {entry.path}
          </code>
        </button>
      ),
    },
    {
      name: "Error",
      place: "detail",
      cell: ({ error_code }) => (error_code === null ? null : <code>{error_code}</code>),
    },
    { name: "Key", kind: "name", isWide: true, cell: ({ key_name }) => <bdi>{key_name}</bdi> },
    {
      name: "Duration",
      kind: "number",
      isWide: true,
      cell: ({ duration_ms }) => formatDuration(duration_ms),
    },
    { name: "Time", place: "detail", cell: ({ created_at }) => <Ago at={created_at} /> },
  ];
}
