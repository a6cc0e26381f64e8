import type { Delivery } from "@hookwright/domain";
import { Endpoint } from "../../parts/endpoint.tsx";
import { hrefTo } from "../../state/use-route.ts";
import type { Refusals } from "./use-refusals.ts";

export interface RefusalNoteProps {
  readonly selected: readonly Delivery[];
  readonly refusals: Refusals;
}

/** Which of the selected deliveries cannot be sent again, why, and where that can be changed. */
export function RefusalNote({ selected, refusals }: RefusalNoteProps) {
  const tests = selected.filter(({ kind }) => kind === "test").length;
  const refused = Object.entries(refusals).flatMap(([id, reason]) => {
    const ofWebhook = selected.filter(({ webhook_id, kind }) => webhook_id === id && kind !== "test");
    const [first] = ofWebhook;
    if (reason === undefined || first === undefined) return [];
    return [{ id, reason, count: ofWebhook.length, url: first.target_url }];
  });
  if (tests === 0 && refused.length === 0) return null;
  return (
    <ul class="refusals quiet" aria-label="Not sent again">
      {refused.map(({ id, reason, count, url }) => (
        <li key={id}>
          {count} cannot be sent again: {reason}.{" "}
          <a href={hrefTo(["webhooks", id])}>
            <Endpoint url={url} />
          </a>
        </li>
      ))}
      {tests === 0 ? null : <li>{tests === 1 ? "1 test is" : `${tests} tests are`} not sent again.</li>}
    </ul>
  );
}
