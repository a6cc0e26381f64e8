import { eventCatalogue, validationFailed } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import { renderBody } from "@hookwright/service";
import { firstProject } from "./first-project.ts";
import type { Instance } from "./instance.ts";

export interface SampleEvent {
  readonly event: string;
  readonly project_id?: string | undefined;
  /** Fields that replace those of the last publication of the record, or else of the event's sample. */
  readonly data?: object | undefined;
}

/** The fields that an event changes in a record of another event. */
const changes: ReadonlyMap<string, object> = new Map<EventName, object>([
  ["order.paid", { status: eventCatalogue["order.paid"].sampleData.status }],
]);

/**
 * Publishes an event as the host does. Returns the body of its deliveries.
 *
 * @throws HookwrightError `validation_failed`, `unknown_event`
 * @throws MockError `no_project`
 */
export async function publishSample(
  instance: Instance,
  { event, project_id, data }: SampleEvent,
): Promise<unknown> {
  const { events, service, projects, published } = instance;
  const known = events.find(event);
  const { id: wantedId }: { readonly id?: unknown } = { ...known?.sample, ...data };
  const name = `${known?.kind}/${wantedId}`;
  const before = published.get(name);
  const sent = {
    ...known?.sample,
    ...before?.data,
    ...(before?.events.has(event) ? {} : changes.get(event)),
    ...data,
  };
  const project = projects.get(firstProject(instance, project_id));
  if (project === undefined) throw validationFailed(["project_id: no such site"]);
  const input = { event, project_id: project.id, data: sent };
  const { data: valid } = await service.validateEvent(input);
  await service.publish(input);
  published.set(name, { data: sent, events: new Set(before?.events).add(event) });
  return JSON.parse(renderBody({ event, recordId: valid.id, project, json: JSON.stringify(valid) }));
}
