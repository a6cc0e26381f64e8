import type { z } from "zod";
import { bookingFields, bookingSchema, sampleBooking } from "./booking.ts";
import type { Booking, BookingInput } from "./booking.ts";
import { enquiryFields, enquirySchema, sampleEnquiry } from "./enquiry.ts";
import type { Enquiry, EnquiryInput } from "./enquiry.ts";
import { bodyId, type EventName, type OtherEventName, type RecordKind } from "./event-names.ts";
import type { Fields } from "./field.ts";
import { orderFields, orderSchema, sampleOrder } from "./order.ts";
import type { Order, OrderInput } from "./order.ts";
import type { OwnRecordData } from "./own-record.ts";
import { rentalFields, rentalSchema, sampleRental } from "./rental.ts";
import type { Rental, RentalInput } from "./rental.ts";
import { reviewFields, reviewSchema, sampleReview } from "./review.ts";
import type { Review, ReviewInput } from "./review.ts";
import { sampleSubscriber, subscriberFields, subscriberRecordSchema } from "./subscriber.ts";
import type { SubscriberRecord, SubscriberRecordInput } from "./subscriber.ts";

/** The `data` of each event. */
export interface EventData {
  readonly "order.created": Order;
  readonly "order.paid": Order;
  readonly "booking.created": Booking;
  readonly "rental.reserved": Rental;
  readonly "subscriber.created": SubscriberRecord;
  readonly "property_enquiry.created": Enquiry;
  readonly "review.submitted": Review;
}

/** The `data` of each event as a host may publish it. */
export interface EventInput {
  readonly "order.created": OrderInput;
  readonly "order.paid": OrderInput;
  readonly "booking.created": BookingInput;
  readonly "rental.reserved": RentalInput;
  readonly "subscriber.created": SubscriberRecordInput;
  readonly "property_enquiry.created": EnquiryInput;
  readonly "review.submitted": ReviewInput;
}

export interface EventDefinition<Name extends EventName> {
  readonly event: Name;
  readonly name: string;
  readonly description: string;
  readonly kind: RecordKind;
  /** Reads the data that a host publishes. */
  readonly fields: Fields;
  /** Describes the data that a webhook delivers. */
  readonly dataSchema: z.ZodType<EventData[Name]>;
  readonly sampleData: EventData[Name];
}

/** The definitions of all events (specification, section 6.1). */
export const eventCatalogue: { readonly [Name in EventName]: EventDefinition<Name> } = {
  "order.created": {
    event: "order.created",
    name: "New order",
    description: "An order is placed. Card payments may still be pending.",
    kind: "orders",
    fields: orderFields,
    dataSchema: orderSchema,
    sampleData: sampleOrder,
  },
  "order.paid": {
    event: "order.paid",
    name: "Paid order",
    description: "Payment for an order is confirmed.",
    kind: "orders",
    fields: orderFields,
    dataSchema: orderSchema,
    sampleData: { ...sampleOrder, status: "paid" },
  },
  "booking.created": {
    event: "booking.created",
    name: "New booking",
    description: "A customer books an appointment.",
    kind: "bookings",
    fields: bookingFields,
    dataSchema: bookingSchema,
    sampleData: sampleBooking,
  },
  "rental.reserved": {
    event: "rental.reserved",
    name: "New rental reservation",
    description: "A customer reserves a rental item.",
    kind: "rentals",
    fields: rentalFields,
    dataSchema: rentalSchema,
    sampleData: sampleRental,
  },
  "subscriber.created": {
    event: "subscriber.created",
    name: "New subscriber",
    description: "Someone joins the email list.",
    kind: "subscribers",
    fields: subscriberFields,
    dataSchema: subscriberRecordSchema,
    sampleData: sampleSubscriber,
  },
  "property_enquiry.created": {
    event: "property_enquiry.created",
    name: "New property enquiry",
    description: "A visitor enquires about a property listing.",
    kind: "enquiries",
    fields: enquiryFields,
    dataSchema: enquirySchema,
    sampleData: sampleEnquiry,
  },
  "review.submitted": {
    event: "review.submitted",
    name: "New review",
    description: "A customer reviews a product.",
    kind: "reviews",
    fields: reviewFields,
    dataSchema: reviewSchema,
    sampleData: sampleReview,
  },
};

/** The site of an event, as in every delivery. */
export interface DeliveryProject {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
}

/** The body of a delivery (specification, section 6.3). */
export interface DeliveryBody<Name extends EventName = EventName> {
  /** `<event>_<record_id>`, the same for every delivery of the record. */
  readonly id: string;
  readonly event: Name;
  readonly project: DeliveryProject;
  readonly data: EventData[Name];
}

/**
 * The body of a delivery of any event, also of an event of the host. Its name is not one of the specification's,
 * so that comparing `event` with one of those narrows a union.
 */
export interface OtherDeliveryBody {
  readonly id: string;
  readonly event: OtherEventName;
  readonly project: DeliveryProject;
  readonly data: OwnRecordData;
}

/** The site of every sample. */
export const sampleProject: DeliveryProject = {
  id: "site_1",
  name: "Main street shop",
  timezone: "Europe/London",
};

/** Returns a complete, fixed delivery body of an event. */
export function sampleDeliveryBody<Name extends EventName>(event: Name): DeliveryBody<Name> {
  const { sampleData } = eventCatalogue[event];
  return { id: bodyId(event, sampleData.id), event, project: sampleProject, data: sampleData };
}
