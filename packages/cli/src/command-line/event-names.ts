import type { EventName } from "@hookwright/domain";

/**
 * The events of the specification, for completion. They are repeated here because the domain package takes longer to
 * load than most commands take to run. The type makes sure that none is missing or wrong.
 */
const names: Readonly<Record<EventName, true>> = {
  "order.created": true,
  "order.paid": true,
  "booking.created": true,
  "rental.reserved": true,
  "subscriber.created": true,
  "property_enquiry.created": true,
  "review.submitted": true,
};

export const eventNames: readonly string[] = Object.keys(names);
