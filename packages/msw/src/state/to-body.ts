import { bodyId, toDeliveredData } from "@hookwright/domain";
import type {
  DeliveryBody,
  DeliveryProject,
  EventData,
  EventName,
  OtherDeliveryBody,
  RecordData,
} from "@hookwright/domain";
import type { RecordRow } from "./world.ts";

/** The body of a delivery of any event. */
export type AnyBody = DeliveryBody | OtherDeliveryBody;

/** Returns the body of a delivery of a stored record, with the own fields of the event. It shares the data. */
export function toBodyOfRow(
  event: string,
  project: DeliveryProject,
  { value, ownFields }: RecordRow,
): AnyBody {
  return toBody(event, project, toDeliveredData({ data: value, ownFields: ownFields[event] }));
}

/** Returns the body of a delivery. It shares `data`. */
export function toBody<Name extends EventName>(
  event: Name,
  project: DeliveryProject,
  data: EventData[Name],
): DeliveryBody<Name>;
export function toBody(event: string, project: DeliveryProject, data: RecordData): AnyBody;
export function toBody(event: string, { id, name, timezone }: DeliveryProject, data: RecordData): object {
  return { id: bodyId(event, data.id), event, project: { id, name, timezone }, data };
}
