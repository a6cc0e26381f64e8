import type { BodySource, DeliveryRow } from "@hookwright/delivery";
import type { EventRegistry } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { findRecords, possibleKinds } from "../lookups/find-records.ts";
import { renderBody } from "../rows/render-body.ts";

/**
 * The exact bodies of the attempts of a delivery, in order. The current record is read before its older versions: if it is replaced
 * between the two reads, it is among them.
 *
 * @returns `undefined` if retention has removed a version, which it does only after it has removed the delivery
 */
export async function readBodies(
  { store, events }: { readonly store: Store; readonly events: EventRegistry },
  accountId: string,
  delivery: DeliveryRow,
): Promise<string[] | undefined> {
  const { event, record_id: recordId, project_id: projectId, attempts } = delivery;
  const versions = new Map<number, string>();
  const sources = attempts.flatMap(({ body }) => (typeof body === "string" ? [] : [body]));
  if (sources.length > 0) {
    const [record] = await findRecords(store, events, accountId, [delivery]);
    if (record !== undefined) versions.set(record.version, record.json);
    const kinds = record === undefined ? possibleKinds(events, event) : [record.kind];
    const replaced = sources.map(({ version }) => version).filter((version) => !versions.has(version));
    const places = replaced.flatMap((version) => kinds.map((kind) => ({ kind, recordId, version })));
    const texts = await store.getMany(places.map((place) => keys.recordVersion(accountId, place)));
    texts.forEach((json, index) => {
      const version = places[index]?.version;
      if (json !== undefined && version !== undefined && !versions.has(version)) versions.set(version, json);
    });
  }
  const toBody = ({ version, project_name: name, project_timezone: timezone }: BodySource) => {
    const json = versions.get(version);
    const project = { id: projectId, name, timezone };
    return json === undefined ? undefined : renderBody({ event, recordId, project, json });
  };
  const bodies = attempts.map(({ body }) => (typeof body === "string" ? body : toBody(body)));
  return bodies.every((body) => body !== undefined) ? bodies : undefined;
}
