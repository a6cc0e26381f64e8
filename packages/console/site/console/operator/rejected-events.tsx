import { parseJson, stringifyJson } from "@hookwright/domain";
import type { RejectedEvent, RetriedEvent } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { ApiFailure } from "../api/console-api.ts";
import { Button } from "../parts/buttons.tsx";
import { Form } from "../parts/dialogs.tsx";
import { Field, TextField } from "../parts/fields.tsx";
import { Facts, Pending, ScreenHeader } from "../parts/page.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { Ago, Time } from "../parts/time.tsx";
import { useAsk, useConsole } from "../state/console-context.ts";
import { hrefTo } from "../state/route.ts";
import { useAction, useResource } from "../state/use-api.ts";
import { usePages } from "../state/use-pages.ts";
import { AccountLink } from "./account-status.tsx";

const path = "host/v1/outbox/rejected";
const list = hrefTo(["operator", "rejected"]);

/** The events of the outbox that could not be published. */
export function RejectedEvents() {
  const pages = usePages<RejectedEvent>(path, { limit: "50" });
  return (
    <>
      <ScreenHeader title="Rejected events" />
      <p>
        The host inserted these events into the outbox, but they could not be published. They are not sent
        until you publish them again.
      </p>
      <PagedTable
        caption="Rejected events, newest first"
        columns={[
          {
            name: "Event",
            kind: "name",
            place: "title",
            cell: ({ id, event }) => (
              <a class="row-link" href={hrefTo(["operator", "rejected", id])}>
                {event}
              </a>
            ),
          },
          { name: "Message", kind: "text", place: "detail", cell: ({ message }) => <bdi>{message}</bdi> },
          { name: "Site", kind: "name", isWide: true, cell: ({ project_id }) => <bdi>{project_id}</bdi> },
          { name: "Rejected", place: "mark", cell: ({ rejected_at }) => <Ago at={rejected_at} /> },
        ]}
        pages={pages}
        empty={<p>No event was rejected.</p>}
      />
    </>
  );
}

export interface RejectedEventPageProps {
  readonly id: string;
  /** Called after the event was published again or removed. */
  readonly onChanged: () => void;
}

/** One rejected event: why it was rejected, and its data to correct. */
export function RejectedEventPage({ id, onChanged }: RejectedEventPageProps) {
  const { api, toast } = useConsole();
  const ask = useAsk();
  const ofEvent = `${path}/${encodeURIComponent(id)}`;
  const loaded = useResource<RejectedEvent>(ofEvent, (signal) =>
    api.get<RejectedEvent>(ofEvent, { signal, isExact: true }),
  );
  const event = loaded.data;
  const end = (text: string): void => {
    toast(text);
    onChanged();
    location.assign(list);
  };
  const remove = (): void =>
    ask({
      title: "Remove this event?",
      text: <p>It is never published, and its data is gone.</p>,
      confirm: "Remove",
      kind: "danger",
      onConfirm: () => api.delete(ofEvent),
      onDone: () => end("Removed."),
    });
  return (
    <>
      <ScreenHeader tab="Rejected event" title={event?.event ?? "Rejected event"}>
        {event === undefined ? null : (
          <Button changes kind="danger" onClick={remove}>
            Remove…
          </Button>
        )}
      </ScreenHeader>
      <p>
        <a href={list}>All rejected events</a>
      </p>
      <Pending of={loaded} rem={20} />
      {event === undefined ? null : (
        <>
          <div class="note bad">
            <p>
              <bdi>{event.message}</bdi> <code>{event.code}</code>
            </p>
          </div>
          <Facts
            facts={{
              Account: event.account_id === null ? "no such site" : <AccountLink id={event.account_id} />,
              "Id in the outbox": <code>{event.outbox_id}</code>,
              Inserted: <Time at={event.created_at} />,
              Rejected: <Time at={event.rejected_at} />,
            }}
          />
          <Correction
            event={event}
            onSubmit={async (correction) => {
              await api.post<RetriedEvent>(`${ofEvent}/retry`, correction);
              end("Published again. If it is rejected once more, it is listed here.");
            }}
          />
        </>
      )}
    </>
  );
}

interface CorrectionProps {
  readonly event: RejectedEvent;
  readonly onSubmit: (correction: { readonly project_id: string; readonly data?: unknown }) => Promise<void>;
}

/** The site and the data, which can be changed before they are published again. */
function Correction({ event, onSubmit }: CorrectionProps) {
  const action = useAction();
  const [site, setSite] = useState(event.project_id);
  const [before] = useState(() => (event.data === null ? "" : stringifyJson(event.data, { indent: 2 })));
  const [data, setData] = useState(before);
  return (
    <section>
      <h2>Correct it</h2>
      <div class="panel">
        <Form
          label="Correction"
          labels={{ project_id: "Site" }}
          values={{ project_id: site, data }}
          submit="Publish again"
          action={action}
          cancel={null}
          onSubmit={() =>
            onSubmit({ project_id: site, ...(data === before ? {} : { data: parseData(data) }) })
          }
        >
          {(problemAt) => (
            <>
              <TextField
                label="Site"
                value={site}
                problem={problemAt("project_id")}
                input={{ required: true, spellcheck: false }}
                onChange={setSite}
              />
              <Field
                label="Data"
                hint={
                  event.data === null
                    ? "It is larger than 16 MiB, or null. Enter the whole record."
                    : undefined
                }
              >
                {(control) => (
                  <textarea
                    {...control}
                    class="sample"
                    rows={16}
                    spellcheck={false}
                    value={data}
                    onInput={({ currentTarget }) => setData(currentTarget.value)}
                  />
                )}
              </Field>
            </>
          )}
        </Form>
      </div>
    </section>
  );
}

/** @throws ApiFailure */
function parseData(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ApiFailure("validation_failed", `The data is not JSON (${message}).`, { cause: error });
  }
}
