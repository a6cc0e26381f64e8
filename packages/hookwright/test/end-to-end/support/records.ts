/** An order, complete, with what a case changes. */
export function order(id: string, changes: object = {}) {
  return {
    id,
    number: id.replace("ord_", ""),
    status: "pending",
    type: "shipping",
    customer: { name: "Ada Lovelace", email: "Ada@Example.com", phone: null },
    currency: "EUR",
    subtotal: 21,
    shipping: 4.9,
    tip: null,
    discount: null,
    tax: 1.37,
    total: 27.27,
    payment_method: "card",
    shipping_method: "Standard",
    shipping_address: { line1: "12 Byron Lane", city: "London", postcode: "SW1A 1AA", country: "GB" },
    coupon_code: null,
    note: null,
    scheduled_for: null,
    items: [{ name: "Loaf", sku: null, quantity: 2, price: 10.5, total: 21 }],
    created_at: "2026-11-20T09:30:00Z",
    ...changes,
  };
}
