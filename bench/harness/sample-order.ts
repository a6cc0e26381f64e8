/**
 * Customers repeat, and their addresses are flat strings, as from a database. V8 writes concatenated strings to JSON
 * more slowly.
 */
const emails = Array.from({ length: 1_000 }, (_, number) => ["customer", number, "@example.com"].join(""));

/** An order whose delivery body is about 1 KiB. */
export function sampleOrder(number: number) {
  return {
    id: `ord_${number}`,
    number: String(1_000 + number),
    status: "pending",
    type: "shipping",
    customer: { name: "Ada Lovelace", email: emails[number % emails.length], phone: null },
    currency: "EUR",
    subtotal: 49.8,
    shipping: 4.9,
    tip: null,
    discount: null,
    tax: 9.46,
    total: 64.16,
    payment_method: "card",
    shipping_method: "Standard delivery, three to five working days",
    shipping_address: { line1: "12 St James's Square", city: "London", postcode: "SW1Y 4JH", country: "GB" },
    coupon_code: null,
    note: "Please leave it with the neighbour at number 14 if nobody answers the door.",
    scheduled_for: null,
    items: [
      {
        name: "Sourdough loaf, 1 kg, stone-milled flour",
        sku: "BREAD-SD-1000",
        quantity: 2,
        price: 8.9,
        total: 17.8,
      },
      { name: "Cinnamon buns, box of eight", sku: "BUN-CIN-8", quantity: 2, price: 16, total: 32 },
    ],
    created_at: "2026-11-20T09:30:00Z",
  };
}

export function sampleBody(): string {
  const data = sampleOrder(1);
  return JSON.stringify({
    id: `order.created_${data.id}`,
    event: "order.created",
    project: { id: "site_bench", name: "Bench", timezone: "UTC" },
    data,
  });
}
