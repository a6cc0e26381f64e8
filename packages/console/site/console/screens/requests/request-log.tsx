import type { ApiKey, RequestLogEntry } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Answer } from "../../parts/answer.tsx";
import { Choice } from "../../parts/choice.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Drawer } from "../../parts/drawer.tsx";
import { Facts } from "../../parts/facts.tsx";
import { formatDuration } from "../../parts/format-duration.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { ReferenceLink } from "../../parts/reference-link.tsx";
import { ScreenHeader } from "../../parts/screen-header.tsx";
import { Ago, Time } from "../../parts/time.tsx";
import { Button } from "../../parts/button.tsx";
import { useConsole } from "../../state/console-context.ts";
import { usePages } from "../../state/use-pages.ts";
import { useResource } from "../../state/use-resource.ts";
import { hrefTo, replaceQuery } from "../../state/use-route.ts";
import { useTitle } from "../../state/use-title.ts";
import { explainError } from "./explain-error.ts";

const statuses = [
  ["", "All"],
  ["2xx", "Accepted"],
  ["4xx", "Refused"],
  ["5xx", "Our errors"],
] as const;

/** What programs asked the API with the account's keys. The console's own calls are not listed. */
export function RequestLog({ query }: { readonly query: Readonly<Record<string, string>> }) {
  useTitle("Requests");
  const { api } = useConsole();
  const { status = "", method, path, key_id } = query;
  const filters = { status, method, path, key_id };
  const pages = usePages<RequestLogEntry>("console/api/requests", { limit: "50", ...filters });
  const keys = useResource("every key", (signal) =>
    api.list<ApiKey>("console/api/keys", { query: { limit: "100" }, signal }),
  ).data?.rows;
  const [opened, setOpened] = useState<RequestLogEntry>();
  const choose = (name: string) => (value: string) => replaceQuery({ [name]: value });
  return (
    <>
      <ScreenHeader title="Requests">
        <Button onClick={pages.reload}>Refresh</Button>
      </ScreenHeader>
      <nav class="tabs" aria-label="Status">
        {statuses.map(([value, title]) => (
          <a
            key={value}
            href={hrefTo(["requests"], { ...filters, status: value })}
            aria-current={status === value ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div class="filter-line">
        <Choice
          label="Key"
          value={key_id}
          onChoose={choose("key_id")}
          choices={(keys ?? []).map(({ id, name }) => [id, name])}
        />
        <Choice
          label="Method"
          value={method}
          onChoose={choose("method")}
          choices={["GET", "POST", "PUT", "PATCH", "DELETE"].map((each) => [each, each])}
        />
      </div>
      <PagedTable
        caption="Requests to the API, newest first"
        columns={[
          { name: "Status", place: "mark", cell: (entry) => <Answer status={entry.status} error={null} /> },
          {
            name: "Request",
            kind: "url",
            place: "title",
            cell: (entry) => (
              <button type="button" class="link row-link" onClick={() => setOpened(entry)}>
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
        ]}
        pages={pages}
        onOpen={setOpened}
        empty={
          Object.values(filters).some(Boolean) ? (
            <p>No matching requests.</p>
          ) : (
            <>
              <h2>No requests yet</h2>
              <p>
                Requests with one of your API keys appear here. Try one in the <ReferenceLink />.
              </p>
            </>
          )
        }
      />
      {opened === undefined ? null : <RequestDrawer entry={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

interface RequestDrawerProps {
  readonly entry: RequestLogEntry;
  readonly onClose: () => void;
}

/** One request, and what its error means. */
function RequestDrawer({ entry, onClose }: RequestDrawerProps) {
  const { id, method, path, status, error_code, key_name, duration_ms, created_at } = entry;
  return (
    <Drawer title="Request" onClose={onClose}>
      <h2 class="url">
        <Answer status={status} error={null} /> <code>{`${method} ${path}`}</code>
      </h2>
      {error_code === null ? null : (
        <p class="note bad">
          <span>
            <code>{error_code}</code> {explainError(error_code)}
          </span>
        </p>
      )}
      <Facts
        facts={[
          ["Key", <bdi key="key">{key_name}</bdi>],
          ["Time", <Time key="time" at={created_at} />],
          ["Duration", formatDuration(duration_ms)],
          ["Request id", <code key="id">{id}</code>],
        ]}
      />
      <div class="actions">
        <CopyButton text={id} shortcut="c">
          Copy request id
        </CopyButton>
        <ReferenceLink />
      </div>
    </Drawer>
  );
}
