import { isGone, versionOf } from "@hookwright/delivery";
import type { AttemptRow, DeliveryRow } from "@hookwright/delivery";
import { goneBodies, HookwrightError } from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { findRecords, possibleKinds } from "../lookups/find-records.ts";
import type { LoggedBody } from "../rows/delivery-shape.ts";
import { erasedVersion } from "../rows/record-change.ts";
import { renderBody } from "../rows/render-body.ts";

/**
 * The bodies of the attempts of a delivery, in order. The current record is read before its older versions: if it is replaced between the
 * two reads, it is among them. Retention removes a version before its deliveries only if the account keeps no bodies.
 */
export async function readBodies(
  { store, events }: { readonly store: Store; readonly events: EventRegistry },
  accountId: string,
  delivery: DeliveryRow,
): Promise<LoggedBody[]> {
  const { event, record_id: recordId, project_id: projectId, attempts } = delivery;
  const versions = new Map<number, string>();
  const wanted = attempts.map(({ body }) => versionOf(body)).filter((version) => version !== undefined);
  if (wanted.length > 0) {
    const [record] = await findRecords(store, events, accountId, [delivery]);
    if (record !== undefined) versions.set(record.version, record.json);
    const kinds = record === undefined ? possibleKinds(events, event) : [record.kind];
    const replaced = wanted.filter((version) => !versions.has(version));
    const places = replaced.flatMap((version) => kinds.map((kind) => ({ kind, recordId, version })));
    const texts = await store.getMany(places.map((place) => keys.recordVersion(accountId, place)));
    texts.forEach((json, index) => {
      const version = places[index]?.version;
      if (json !== undefined && version !== undefined && !versions.has(version)) versions.set(version, json);
    });
  }
  return attempts.map(({ body }): LoggedBody => {
    if (typeof body === "string" || isGone(body)) return body;
    const { version, project_name: name, project_timezone: timezone, published_at: publishedAt } = body;
    const json = versions.get(version);
    if (json === erasedVersion) return { gone: "erased" };
    const project = { id: projectId, name, timezone };
    return json === undefined
      ? { gone: "not_kept" }
      : renderBody({ event, recordId, project, json, publishedAt });
  });
}

/**
 * The exact body of one attempt.
 *
 * @throws HookwrightError `invalid_state` if the log has none
 */
export async function expectBody(
  context: Parameters<typeof readBodies>[0],
  accountId: string,
  delivery: DeliveryRow,
  attempt: AttemptRow,
): Promise<string> {
  const [body] = await readBodies(context, accountId, { ...delivery, attempts: [attempt] });
  if (typeof body === "string") return body;
  const gone = body?.gone ?? "not_kept";
  const instead = gone === "not_kept" ? " A resend sends the record as it is now." : "";
  throw new HookwrightError(
    "invalid_state",
    `The bodies of attempt ${attempt.number} are not in the log. ${goneBodies[gone]}${instead}`,
  );
}
