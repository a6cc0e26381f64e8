import type { ConsoleWebhook } from "@hookwright/domain";
import { useLayoutEffect, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { ScreenHeader } from "../parts/screen-header.tsx";
import { useConsole } from "../state/console-context.ts";
import { useResource } from "../state/use-resource.ts";
import { hrefTo } from "../state/use-route.ts";
import { useTitle } from "../state/use-title.ts";
import { DeliveryTable } from "./delivery-table.tsx";

const states = ["pending", "delivered", "failed", "cancelled"];
const kinds = ["event", "resend", "test"];

/** The delivery log. Its filters are in the address, so that a user can bookmark and share a search. */
export function DeliveryLog({ query }: { readonly query: Readonly<Record<string, string>> }) {
  useTitle("Deliveries");
  const { api, projects, eventTypes, listCache } = useConsole();
  const webhooks = useResource("every webhook", (signal) =>
    api.list<ConsoleWebhook>("console/api/webhooks", { query: { limit: "100" }, signal }),
  );
  const [search, setSearch] = useState(query["q"] ?? "");
  const [round, setRound] = useState(0);
  useLayoutEffect(() => setSearch(query["q"] ?? ""), [query]);
  const filter =
    (name: string) =>
    (value: string): void => {
      // Discards unsent text in the search field, because it would look like an active filter.
      location.hash = hrefTo(["deliveries"], { ...query, q: search.trim(), [name]: value });
    };
  const { webhook_id, event, status, project_id, kind, q } = query;
  function refresh(): void {
    listCache.clear();
    setRound((round) => round + 1);
  }
  return (
    <>
      <ScreenHeader title="Deliveries">
        <Button onClick={refresh}>Refresh</Button>
      </ScreenHeader>
      <form
        class="filters"
        role="search"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          filter("q")(search.trim());
        }}
      >
        <Field label="Delivery, body or record id">
          {(control) => (
            <input
              {...control}
              type="search"
              spellcheck={false}
              value={search}
              onInput={(changed) => setSearch(changed.currentTarget.value)}
            />
          )}
        </Field>
        <Choice
          label="State"
          value={status}
          onChoose={filter("status")}
          choices={states.map((state) => [state, state])}
        />
        <Choice
          label="Event"
          value={event}
          onChoose={filter("event")}
          choices={eventTypes.map((type) => [type.event, type.event])}
        />
        <Choice
          label="Webhook"
          value={webhook_id}
          onChoose={filter("webhook_id")}
          choices={(webhooks.data?.rows ?? []).map((webhook) => [
            webhook.id,
            `${webhook.target_url} (${webhook.event})`,
          ])}
        />
        <Choice
          label="Site"
          value={project_id}
          onChoose={filter("project_id")}
          choices={projects.map(({ id, name }) => [id, name])}
        />
        <Choice
          label="Kind"
          value={kind}
          onChoose={filter("kind")}
          choices={kinds.map((each) => [each, each])}
        />
        <Button type="submit">Search</Button>
      </form>
      <DeliveryTable key={round} query={{ webhook_id, event, status, project_id, kind, q }} />
    </>
  );
}
