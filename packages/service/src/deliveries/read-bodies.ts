import type { BodySource, DeliveryRow } from "@hookwright/delivery";
import { eventCatalogue } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { readRecordContent } from "../rows/record-row.ts";
import { renderBody } from "./render-body.ts";

/**
 * The exact bodies of the attempts of a delivery, in order. The current record is read before its older versions: if it is replaced
 * between the two reads, it is among them.
 *
 * @returns `undefined` if retention has removed a version, which it does only after it has removed the delivery
 */
export async function readBodies(
  store: Store,
  accountId: string,
  delivery: DeliveryRow,
): Promise<string[] | undefined> {
  const { event, record_id: recordId, project_id: projectId, attempts } = delivery;
  const { kind } = eventCatalogue[event];
  const versions = new Map<number, string>();
  const sources = attempts.flatMap(({ body }) => (typeof body === "string" ? [] : [body]));
  if (sources.length > 0) {
    const text = await store.get(keys.record(accountId, kind, recordId));
    const current = text === undefined ? undefined : readRecordContent(text);
    if (current !== undefined) versions.set(current.version, current.json);
    const replaced = sources.map(({ version }) => version).filter((version) => !versions.has(version));
    const texts = await store.getMany(
      replaced.map((version) => keys.recordVersion(accountId, { kind, recordId, version })),
    );
    texts.forEach((json, index) => {
      const version = replaced[index];
      if (json !== undefined && version !== undefined) versions.set(version, json);
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
