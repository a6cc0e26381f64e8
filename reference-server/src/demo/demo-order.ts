export interface DemoOrderOptions {
  readonly id: string;
  readonly number: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A small order with every field of the specification (section 2.8). */
export function createDemoOrder({ id, number, createdAt }: DemoOrderOptions) {
  return {
    id,
    number,
    status: "pending",
    type: "shipping",
    customer: { name: "Ada Lovelace", email: "ada@example.com", phone: null },
    currency: "EUR",
    subtotal: 21,
    shipping: 4.9,
    tip: null,
    discount: null,
    tax: 1.37,
    total: 25.9,
    payment_method: "card",
    shipping_method: "Standard delivery",
    shipping_address: { line1: "12 Byron Lane", city: "London", postcode: "SW1A 1AA", country: "GB" },
    coupon_code: null,
    note: null,
    scheduled_for: null,
    items: [
      { name: "Sourdough loaf", sku: "LOAF-1", quantity: 2, price: 4.5, total: 9 },
      { name: "Almond cake", sku: null, quantity: 1, price: 12, total: 12 },
    ],
    created_at: toTimestamp(createdAt),
  };
}

/** Whole seconds, as on the wire (specification, section 2.1). */
export function toTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
