import type { z } from "zod";
import { bookingSchema, sampleBooking, type Booking } from "./booking.ts";
import { enquirySchema, sampleEnquiry, type Enquiry } from "./enquiry.ts";
import { bodyId, type EventName, type RecordKind } from "./event-names.ts";
import { noMoney, type MoneyFields } from "./money-fields.ts";
import { orderSchema, sampleOrder, type Order } from "./order.ts";
import { rentalSchema, sampleRental, type Rental } from "./rental.ts";
import { reviewSchema, sampleReview, type Review } from "./review.ts";
import { sampleSubscriber, subscriberRecordSchema, type SubscriberRecord } from "./subscriber.ts";

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

export interface EventDefinition<Name extends EventName> {
  readonly event: Name;
  readonly name: string;
  readonly description: string;
  readonly kind: RecordKind;
  /** Reads what a host publishes, and describes what a webhook delivers. */
  readonly dataSchema: z.ZodType<EventData[Name]>;
  readonly sampleData: EventData[Name];
  readonly money: MoneyFields;
}

const orderMoney: MoneyFields = {
  own: ["subtotal", "shipping", "tip", "discount", "tax", "total"],
  items: ["price", "total"],
};

/** All that is known about each event (specification, section 6.1). */
export const eventCatalogue: { readonly [Name in EventName]: EventDefinition<Name> } = {
  "order.created": {
    event: "order.created",
    name: "New order",
    description: "An order is placed. Card payments may still be pending.",
    kind: "orders",
    dataSchema: orderSchema,
    sampleData: sampleOrder,
    money: orderMoney,
  },
  "order.paid": {
    event: "order.paid",
    name: "Paid order",
    description: "Payment for an order is confirmed.",
    kind: "orders",
    dataSchema: orderSchema,
    sampleData: { ...sampleOrder, status: "paid" },
    money: orderMoney,
  },
  "booking.created": {
    event: "booking.created",
    name: "New booking",
    description: "A customer books an appointment.",
    kind: "bookings",
    dataSchema: bookingSchema,
    sampleData: sampleBooking,
    money: { own: ["amount_due"], items: [] },
  },
  "rental.reserved": {
    event: "rental.reserved",
    name: "New rental reservation",
    description: "A customer reserves a rental item.",
    kind: "rentals",
    dataSchema: rentalSchema,
    sampleData: sampleRental,
    money: { own: ["total", "deposit"], items: [] },
  },
  "subscriber.created": {
    event: "subscriber.created",
    name: "New subscriber",
    description: "Someone joins the email list.",
    kind: "subscribers",
    dataSchema: subscriberRecordSchema,
    sampleData: sampleSubscriber,
    money: noMoney,
  },
  "property_enquiry.created": {
    event: "property_enquiry.created",
    name: "New property enquiry",
    description: "A visitor enquires about a property listing.",
    kind: "enquiries",
    dataSchema: enquirySchema,
    sampleData: sampleEnquiry,
    money: noMoney,
  },
  "review.submitted": {
    event: "review.submitted",
    name: "New review",
    description: "A customer reviews a product.",
    kind: "reviews",
    dataSchema: reviewSchema,
    sampleData: sampleReview,
    money: noMoney,
  },
};

/** The site on which an event happened, as every delivery names it. */
export interface DeliveryProject {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
}

/** The body of a delivery (specification, section 6.3). */
export interface DeliveryBody<Name extends EventName = EventName> {
  /** `<event>_<record_id>`, the same each time the record is sent. */
  readonly id: string;
  readonly event: Name;
  readonly project: DeliveryProject;
  readonly data: EventData[Name];
}

const sampleProject: DeliveryProject = { id: "site_1", name: "Main street shop", timezone: "Europe/London" };

/** A complete, static delivery body for an event. */
export function sampleDeliveryBody<Name extends EventName>(event: Name): DeliveryBody<Name> {
  const { sampleData } = eventCatalogue[event];
  return { id: bodyId(event, sampleData.id), event, project: sampleProject, data: sampleData };
}
