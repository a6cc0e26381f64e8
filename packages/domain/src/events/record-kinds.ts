import type { Booking } from "./booking.ts";
import type { Enquiry } from "./enquiry.ts";
import { recordKinds } from "./event-names.ts";
import type { RecordKind } from "./event-names.ts";
import type { Order } from "./order.ts";
import type { RecordData } from "./read-record.ts";
import type { Rental } from "./rental.ts";
import type { Review } from "./review.ts";
import type { SubscriberRecord } from "./subscriber.ts";

/** The data of each kind of record. */
export interface KindData {
  readonly orders: Order;
  readonly bookings: Booking;
  readonly rentals: Rental;
  readonly subscribers: SubscriberRecord;
  readonly enquiries: Enquiry;
  readonly reviews: Review;
}

export function isRecordKind(kind: string): kind is RecordKind {
  return recordKinds.some((known) => known === kind);
}

/** Narrows the data of a record by its kind. */
export function isOfKind<Kind extends RecordKind>(
  record: { readonly kind: string; readonly data: RecordData },
  kind: Kind,
): record is { readonly kind: Kind; readonly data: KindData[Kind] } {
  return record.kind === kind;
}
