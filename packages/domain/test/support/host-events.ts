import { eventCatalogue } from "../../src/events/event-catalogue.ts";
import type { EventName } from "../../src/events/event-names.ts";

/** An event of a shop and its expected result. */
export interface HostEvent {
  readonly name: string;
  readonly event: EventName;
  readonly data: unknown;
  /** Fields of the stored record. */
  readonly becomes?: object;
  /** The exact adjusted paths. */
  readonly adjusted?: readonly string[];
  /** The complete error message. */
  readonly refused?: string;
}

/** The site's time zone in these cases. */
export const siteTimeZone = "Europe/Paris";

const { sampleData: order } = eventCatalogue["order.created"];
const { sampleData: booking } = eventCatalogue["booking.created"];
const { sampleData: rental } = eventCatalogue["rental.reserved"];
const { sampleData: subscriber } = eventCatalogue["subscriber.created"];
const { sampleData: enquiry } = eventCatalogue["property_enquiry.created"];
const { sampleData: review } = eventCatalogue["review.submitted"];
const [loaf, cake] = order.items;

function without(record: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function orderCase(name: string, changes: object, rest: Partial<HostEvent> = {}): HostEvent {
  return {
    name,
    event: "order.created",
    data: { ...order, ...changes },
    becomes: changes,
    adjusted: [],
    ...rest,
  };
}

const longNote = "Please ring twice. ".repeat(5_500);

export const hostEvents: readonly HostEvent[] = [
  { name: "an order with every field", event: "order.created", data: order, becomes: order, adjusted: [] },

  // Money
  orderCase("PKR with two decimals", { currency: "PKR", total: 199.99 }),
  orderCase("HUF with one decimal", { currency: "HUF", total: 1234.5 }),
  orderCase("IDR with decimals", { currency: "IDR", total: 150000.5 }),
  orderCase("COP with decimals", { currency: "COP", total: 42900.75 }),
  orderCase("JPY with decimals", { currency: "JPY", total: 12.5 }),
  orderCase("KWD with three decimals", { currency: "KWD", total: 0.125 }),
  orderCase("a coin with five decimals", { currency: "BTC", total: 0.00012 }),
  orderCase("points with a longer code", { currency: "POINTS", total: 1200 }),
  orderCase("a unit price of 0.0125", { items: [{ ...loaf, quantity: 800, price: 0.0125, total: 10 }] }),
  orderCase("an unrounded tax", { tax: 1.333 }),
  orderCase("a negative total, of a refund", { total: -26.27 }),
  orderCase(
    "a currency in lower case",
    { currency: "eur" },
    { becomes: { currency: "EUR" }, adjusted: ["currency"] },
  ),
  orderCase("binary noise", { total: 0.1 + 0.2 }, { becomes: { total: 0.3 }, adjusted: ["total"] }),
  orderCase("seven decimals", { tax: 1.0000005 }, { becomes: { tax: 1.000001 }, adjusted: ["tax"] }),
  orderCase("minus zero", { tip: -0 }, { becomes: { tip: 0 }, adjusted: ["tip"] }),
  orderCase(
    "amounts as text",
    { total: "9.00", tip: ".5" },
    { becomes: { total: 9, tip: 0.5 }, adjusted: ["tip", "total"] },
  ),
  orderCase(
    "an amount of a decimal library",
    { total: { toJSON: () => "12.30" } },
    { becomes: { total: 12.3 }, adjusted: ["total"] },
  ),

  // Missing parts
  orderCase(
    "a point-of-sale order without e-mail",
    { customer: { name: "Walk-in" } },
    {
      becomes: { customer: { name: "Walk-in", email: "", phone: null } },
      adjusted: ["customer.email", "customer.phone"],
    },
  ),
  {
    name: "an anonymous order without customer",
    event: "order.created",
    data: without(order, "customer"),
    becomes: { customer: { name: "", email: "", phone: null } },
    adjusted: ["customer"],
  },
  {
    name: "a pick-up order without address or shipping method",
    event: "order.created",
    data: { ...without(order, "shipping_address", "shipping_method", "shipping"), type: "pickup" },
    becomes: {
      type: "pickup",
      shipping: 0,
      shipping_method: "",
      shipping_address: { line1: "", city: "", postcode: "", country: "" },
    },
    adjusted: ["shipping", "shipping_method", "shipping_address"],
  },
  {
    name: "a free order without payment method",
    event: "order.created",
    data: { ...without(order, "payment_method"), total: 0 },
    becomes: { payment_method: "", total: 0 },
    adjusted: ["payment_method"],
  },
  orderCase("an order without items", { items: [] }),
  orderCase(
    "an order whose items are null",
    { items: null },
    { becomes: { items: [] }, adjusted: ["items"] },
  ),
  orderCase(
    "an address as an empty list, as PHP writes it",
    { shipping_address: [] },
    {
      becomes: { shipping_address: { line1: "", city: "", postcode: "", country: "" } },
      adjusted: ["shipping_address"],
    },
  ),
  {
    name: "an order of an id and a total",
    event: "order.created",
    data: { id: "ord_1", total: 12 },
    becomes: {
      id: "ord_1",
      number: "",
      status: "",
      currency: "",
      subtotal: 12,
      shipping: 0,
      tip: null,
      discount: null,
      tax: 0,
      total: 12,
      coupon_code: null,
      note: null,
      scheduled_for: null,
      items: [],
      created_at: "2026-11-27T12:00:00Z",
    },
    adjusted: [
      "number",
      "status",
      "type",
      "customer",
      "currency",
      "subtotal",
      "shipping",
      "tip",
      "discount",
      "tax",
      "payment_method",
      "shipping_method",
      "shipping_address",
      "coupon_code",
      "note",
      "scheduled_for",
      "items",
      "created_at",
    ],
  },
  orderCase(
    "an address as one text",
    { shipping_address: "12 Byron Lane" },
    {
      becomes: { shipping_address: { line1: "12 Byron Lane", city: "", postcode: "", country: "" } },
      adjusted: ["shipping_address"],
    },
  ),
  orderCase(
    "a customer that is false",
    { customer: false },
    { becomes: { customer: { name: "", email: "", phone: null } }, adjusted: ["customer"] },
  ),
  orderCase(
    "items under keys, as PHP writes a list with a gap",
    { items: { "1": loaf, "3": cake } },
    { becomes: { items: [loaf, cake] }, adjusted: ["items"] },
  ),
  orderCase("items as an empty object", { items: {} }, { becomes: { items: [] }, adjusted: ["items"] }),
  orderCase(
    "an item that is null",
    { items: [null, loaf] },
    { becomes: { items: [loaf] }, adjusted: ["items.0"] },
  ),
  orderCase(
    "an item that is only a name",
    { items: ["Gift card"] },
    {
      becomes: { items: [{ name: "Gift card", sku: null, quantity: 1, price: 0, total: 0 }] },
      adjusted: ["items.0"],
    },
  ),
  orderCase(
    "an item without price",
    { items: [without({ ...loaf }, "price")] },
    { becomes: { items: [loaf] }, adjusted: ["items.0.price"] },
  ),
  orderCase(
    "an item without line total",
    { items: [without({ ...loaf }, "total")] },
    { becomes: { items: [loaf] }, adjusted: ["items.0.total"] },
  ),
  orderCase(
    "an item without quantity",
    { items: [without({ ...cake }, "quantity")] },
    { becomes: { items: [cake] }, adjusted: ["items.0.quantity"] },
  ),
  orderCase("fields of one's own", { loyalty: 7 }, { becomes: order }),

  // Types and spelling
  orderCase("an id that is a URL", { id: "gid://shop/Order/1" }),
  orderCase("an id with a hash", { id: "#1001" }),
  orderCase("an id in other letters", { id: "заказ-№7" }),
  orderCase("an id that is a number", { id: 12345 }, { becomes: { id: "12345" }, adjusted: ["id"] }),
  orderCase(
    "numbers for texts",
    {
      number: 1001,
      customer: { ...order.customer, phone: 442079460000 },
      items: [{ ...loaf, sku: 4006381333931 }],
    },
    {
      becomes: {
        number: "1001",
        customer: { ...order.customer, phone: "442079460000" },
        items: [{ ...loaf, sku: "4006381333931" }],
      },
      adjusted: ["number", "customer.phone", "items.0.sku"],
    },
  ),
  orderCase(
    "a quantity as text",
    { items: [{ ...loaf, quantity: "2" }] },
    { becomes: { items: [loaf] }, adjusted: ["items.0.quantity"] },
  ),
  orderCase("an e-mail address that is none", { customer: { ...order.customer, email: "none" } }),
  orderCase(
    "empty text where null is meant",
    { note: "", coupon_code: " " },
    { becomes: { note: null, coupon_code: null }, adjusted: ["coupon_code", "note"] },
  ),
  orderCase(
    "half of a surrogate pair",
    { note: "a\ud83d" },
    { becomes: { note: "a\ufffd" }, adjusted: ["note"] },
  ),

  // Times, in a site of Paris: UTC+1 in November
  ...(
    [
      ["without zone", "2026-11-20T10:30:00", "2026-11-20T09:30:00Z"],
      ["with a blank for T", "2026-11-20 10:30:00", "2026-11-20T09:30:00Z"],
      [
        "with a blank, a fraction and a short offset, as PostgreSQL writes it",
        "2026-11-20 09:30:00.123456+00",
        "2026-11-20T09:30:00Z",
      ],
      ["as a date alone", "2026-11-20", "2026-11-19T23:00:00Z"],
      ["with an offset", "2026-11-20T10:30:00+01:00", "2026-11-20T09:30:00Z"],
      ["with a fraction", "2026-11-20T09:30:00.999Z", "2026-11-20T09:30:00Z"],
      ["at the end of a day", "2026-11-20T24:00:00Z", "2026-11-21T00:00:00Z"],
      ["in a leap second", "2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"],
      ["in epoch seconds", 1_795_167_000, "2026-11-20T09:30:00Z"],
      ["in epoch milliseconds", 1_795_167_000_500, "2026-11-20T09:30:00Z"],
      ["in epoch seconds as text", "1795167000", "2026-11-20T09:30:00Z"],
      ["as mails have it", "Fri, 20 Nov 2026 09:30:00 GMT", "2026-11-20T09:30:00Z"],
      ["in epoch microseconds", 1_795_167_000_500_000, "2026-11-20T09:30:00Z"],
      ["without separators", "20261120103000", "2026-11-20T09:30:00Z"],
      [
        "with the name of its zone, as Java writes it",
        "2026-11-20T10:30:00+01:00[Europe/Paris]",
        "2026-11-20T09:30:00Z",
      ],
      ["with twelve digits of a second", "2026-11-20T09:30:00.123456789012Z", "2026-11-20T09:30:00Z"],
      ["in summer time", "2026-07-01 10:30", "2026-07-01T08:30:00Z"],
      ["in the hour that clocks skip", "2026-03-29 02:30:00", "2026-03-29T01:30:00Z"],
      ["in the hour that clocks show twice", "2026-10-25 02:30:00", "2026-10-25T00:30:00Z"],
      ["that nobody can read", "yesterday", "2026-11-27T12:00:00Z"],
    ] as const
  ).map(([form, created_at, wire]) =>
    orderCase(
      `created_at ${form}`,
      { created_at },
      { becomes: { created_at: wire }, adjusted: ["created_at"] },
    ),
  ),
  orderCase(
    "created_at as a Date",
    { created_at: new Date("2026-11-20T09:30:00Z") },
    { becomes: { created_at: "2026-11-20T09:30:00Z" } },
  ),

  // Length
  orderCase("a note of 100,000 characters", { note: longNote }),
  orderCase("a product name of 600 characters", { items: [{ ...loaf, name: "n".repeat(600) }] }),
  orderCase("a number of 3,000 characters", { number: "9".repeat(3_000) }),
  orderCase("a status of 3,000 characters", { status: "s".repeat(3_000) }),
  orderCase("an order of 1,500 items", { items: Array.from({ length: 1_500 }, () => loaf) }),

  // Other events
  {
    name: "a booking with seconds and no e-mail",
    event: "booking.created",
    data: { ...booking, time: "14:30:00", customer: { name: "Ada" } },
    becomes: { time: "14:30", customer: { name: "Ada", email: "", phone: null } },
    adjusted: ["time", "customer.email", "customer.phone"],
  },
  {
    name: "a booking in the afternoon",
    event: "booking.created",
    data: { ...booking, time: "2:30 PM" },
    becomes: { time: "14:30" },
    adjusted: ["time"],
  },
  {
    name: "a booking whose date has a time",
    event: "booking.created",
    data: { ...booking, date: "2026-11-28T00:00:00" },
    becomes: { date: "2026-11-28" },
    adjusted: ["date"],
  },
  {
    name: "a booking whose date nobody can read",
    event: "booking.created",
    data: { ...booking, date: "next Friday" },
    becomes: { date: "next Friday" },
    adjusted: [],
  },
  {
    name: "a booking whose date is a midnight of Paris in UTC",
    event: "booking.created",
    data: { ...booking, date: "2026-11-27T23:00:00.000Z", time: "2026-11-28T13:30:00Z" },
    becomes: { date: "2026-11-28", time: "14:30" },
    adjusted: ["date", "time"],
  },
  {
    name: "a booking with nothing to pay",
    event: "booking.created",
    data: { id: 7, amount_due: 0 },
    becomes: { id: "7", service: "", date: "", amount_due: 0, address: null },
  },
  {
    name: "a rental without deposit and locations",
    event: "rental.reserved",
    data: { ...without(rental, "deposit"), pickup: { date: "2026-12-04" } },
    becomes: { deposit: 0, pickup: { date: "2026-12-04", time: "", location: "" } },
    adjusted: ["pickup.time", "pickup.location", "deposit"],
  },
  {
    name: "a rental with days as text",
    event: "rental.reserved",
    data: { ...rental, days: "3" },
    becomes: { days: 3 },
    adjusted: ["days"],
  },
  {
    name: "a subscriber in capitals, with tags as one text",
    event: "subscriber.created",
    data: { ...subscriber, email: " Ada@Example.com", tags: "vip, new" },
    becomes: { email: "ada@example.com", tags: ["vip", "new"] },
    adjusted: ["email", "tags"],
  },
  {
    name: "a subscriber without name and tags",
    event: "subscriber.created",
    data: { id: "sub_1", email: "ada@example.com", status: "active", created_at: subscriber.created_at },
    becomes: { name: "", tags: [] },
    adjusted: ["name", "tags"],
  },
  {
    name: "an enquiry without listing",
    event: "property_enquiry.created",
    data: without(enquiry, "listing"),
    becomes: { listing: { id: "", title: "" } },
    adjusted: ["listing"],
  },
  {
    name: "an enquiry about a listing whose id is a number",
    event: "property_enquiry.created",
    data: { ...enquiry, listing: { id: 77, title: "Two rooms" } },
    becomes: { listing: { id: "77", title: "Two rooms" } },
    adjusted: ["listing.id"],
  },
  {
    name: "a review that does not say whether it was bought",
    event: "review.submitted",
    data: without(review, "verified_purchase"),
    becomes: { verified_purchase: false },
    adjusted: ["verified_purchase"],
  },
  {
    name: "a review with 1 for true and a rating as text",
    event: "review.submitted",
    data: { ...review, verified_purchase: 1, rating: "5" },
    becomes: { verified_purchase: true, rating: 5 },
    adjusted: ["rating", "verified_purchase"],
  },
  {
    name: "a review of four and a half stars",
    event: "review.submitted",
    data: { ...review, rating: 4.5 },
    becomes: { rating: 5 },
    adjusted: ["rating"],
  },
  {
    name: "a review whose rating nobody can read",
    event: "review.submitted",
    data: { ...review, rating: "five" },
    becomes: { rating: 0 },
    adjusted: ["rating"],
  },
  {
    name: "a rental of a day and a half",
    event: "rental.reserved",
    data: { ...rental, days: 1.5 },
    becomes: { days: 2 },
    adjusted: ["days"],
  },
  {
    name: "a paid order",
    event: "order.paid",
    data: { ...order, status: "paid" },
    becomes: { status: "paid" },
    adjusted: [],
  },

  // Rejected, with the message for the host
  {
    name: "an order without id",
    event: "order.created",
    data: without(order, "id"),
    refused: "data.id: is required",
  },
  {
    name: "an id with white space",
    event: "order.created",
    data: { ...order, id: "a b" },
    refused: "data.id: must be 1 to 128 printable characters without white space",
  },
  {
    name: "an id of 129 characters",
    event: "order.created",
    data: { ...order, id: "x".repeat(129) },
    refused: "data.id: must be 1 to 128 printable characters without white space",
  },
  {
    name: "an order without total",
    event: "order.created",
    data: without(order, "total"),
    refused: "data.total: is required",
  },
  {
    name: "a total that is no number",
    event: "order.created",
    data: { ...order, total: "9,00" },
    refused: "data.total: must be a number, or decimal text such as 9.50 with at most 15 digits",
  },
  {
    name: "a booking without amount",
    event: "booking.created",
    data: without(booking, "amount_due"),
    refused: "data.amount_due: is required",
  },
  {
    name: "a rental without total",
    event: "rental.reserved",
    data: without(rental, "total"),
    refused: "data.total: is required",
  },
  {
    name: "an object for a text",
    event: "order.created",
    data: { ...order, note: { text: "x" } },
    refused: "data.note: must be text",
  },
  {
    name: "a quantity of 1.5",
    event: "order.created",
    data: { ...order, items: [{ ...loaf, quantity: 1.5 }] },
    refused:
      "data.items.0.quantity: must be an integer: for goods by weight send 1, and put the weight into the name, such as `Apples, 1.5 kg`",
  },
  {
    name: "an order of more than 256 KiB",
    event: "order.created",
    data: { ...order, note: "x".repeat(256 * 1_024) },
    refused: "data: must be at most 256 KiB as JSON",
  },
  {
    name: "several faults at once",
    event: "order.created",
    data: { ...without(order, "id"), total: null, tip: true },
    refused: "data.id: is required; data.tip: must be a number; data.total: is required",
  },
];
