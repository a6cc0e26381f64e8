import { bodyId } from "@hookwright/domain";
import type {
  DeliveryBody,
  DeliveryProject,
  EventData,
  EventName,
  OtherDeliveryBody,
  RecordData,
} from "@hookwright/domain";

/** The body of a delivery of any event. */
export type AnyBody = DeliveryBody | OtherDeliveryBody;

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
