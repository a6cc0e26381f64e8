/** A value of an extensible set: editors suggest the known values, and other values are not a type error. */
export type OpenSet<Known extends string> = Known | (string & {});

/** The customer of an order, a booking, a reservation or an enquiry. */
export interface Customer {
  name: string;
  email: string;
  phone: string | null;
}

/** One line of an order. `price` is for one item, `total` for the line. */
export interface OrderItem {
  name: string;
  sku: string | null;
  quantity: number;
  price: number;
  total: number;
}

/** `data` of `order.created` and `order.paid` (specification, section 2.8). Amounts are in `currency`. */
export interface Order {
  id: string;
  number: string;
  status: OpenSet<"pending" | "paid">;
  type: OpenSet<"shipping">;
  customer: Customer;
  currency: string;
  subtotal: number;
  shipping: number;
  tip: number | null;
  discount: number | null;
  tax: number;
  total: number;
  payment_method: OpenSet<"card">;
  shipping_method: string;
  shipping_address: { line1: string; city: string; postcode: string; country: string };
  coupon_code: string | null;
  note: string | null;
  scheduled_for: string | null;
  items: OrderItem[];
  /** `YYYY-MM-DDTHH:MM:SSZ`, UTC. */
  created_at: string;
}

/** `data` of `booking.created` (specification, section 2.9). */
export interface Booking {
  id: string;
  service: string;
  /** `YYYY-MM-DD` in the time zone of the site, not UTC. */
  date: string;
  /** `HH:MM` in the time zone of the site, not UTC. */
  time: string;
  status: OpenSet<"confirmed">;
  customer: Customer;
  amount_due: number;
  currency: string;
  payment_status: OpenSet<"unpaid">;
  address: string | null;
  notes: string | null;
  created_at: string;
}

/** Where and when a rented item is picked up or returned, in the time zone of the site. */
export interface RentalHandover {
  /** `YYYY-MM-DD`. */
  date: string;
  /** `HH:MM`. */
  time: string;
  location: string;
}

/** `data` of `rental.reserved` (specification, section 2.10). */
export interface Rental {
  id: string;
  reference: string;
  item: string;
  status: OpenSet<"pending">;
  customer: Customer;
  pickup: RentalHandover;
  return: RentalHandover;
  days: number;
  total: number;
  deposit: number;
  currency: string;
  payment_status: OpenSet<"unpaid">;
  notes: string | null;
  created_at: string;
}

/** `data` of `subscriber.created` (specification, section 2.11). */
export interface Subscriber {
  id: string;
  email: string;
  name: string;
  status: OpenSet<"active">;
  tags: string[];
  created_at: string;
}

/** `data` of `property_enquiry.created` (specification, section 2.12). */
export interface PropertyEnquiry {
  id: string;
  type: OpenSet<"viewing">;
  status: OpenSet<"new">;
  customer: Customer;
  message: string;
  listing: { id: string; title: string };
  created_at: string;
}

/** `data` of `review.submitted` (specification, section 2.13). */
export interface Review {
  id: string;
  rating: number;
  title: string;
  content: string;
  status: OpenSet<"pending">;
  verified_purchase: boolean;
  customer: Omit<Customer, "phone">;
  product: { id: string; name: string };
  created_at: string;
}
