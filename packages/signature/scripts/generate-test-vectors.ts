// Writes test-vectors.json. It does not use the package's code: signatures come from node:crypto and the
// expected results are written by hand.
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface TestVector {
  readonly name: string;
  /** `text` is set if the body is well-formed UTF-8. It represents the same bytes. */
  readonly body: { readonly base64: string; readonly text?: string };
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly toleranceSeconds: number;
  /** Absent: the verifier is called without it, so the prefix is `X-Service`. */
  readonly headerPrefix?: string;
  /** Whether signature and timestamp are valid. An authentic body may still not be an event. */
  readonly authentic: boolean;
  readonly expected: { readonly eventId: string; readonly test?: true } | { readonly error: string };
}

const sentAt = 1_760_000_000;
const secret = "whsec_ChsEoxnBAGJ8qwNSZQbrLXkJwDyWkUDqUDEJeGWTuWU";
const olderSecret = "whsec_PxqSoVqxXqRHGR4cAUZ6vbGjvE7DCbjRQKqqXPcMjLw";
const project = { id: "site_1", name: "Nordlicht Keramik", timezone: "Europe/Berlin" };
const customer = { name: "Ada Lovelace", email: "ada@example.com", phone: null };
const createdAt = "2025-10-09T08:53:20Z";

const order = {
  id: "1001",
  number: "A-1001",
  status: "paid",
  type: "shipping",
  customer,
  currency: "EUR",
  subtotal: 40,
  shipping: 4.9,
  tip: null,
  discount: null,
  tax: 7.17,
  total: 44.9,
  payment_method: "card",
  shipping_method: "Standard",
  shipping_address: { line1: "Am Hafen 3", city: "Kiel", postcode: "24103", country: "DE" },
  coupon_code: null,
  note: "Bitte klingeln – grüße 🏺",
  scheduled_for: null,
  items: [{ name: "Schale", sku: "SCH-2", quantity: 2, price: 20, total: 40 }],
  created_at: createdAt,
};
const handover = { date: "2025-10-20", time: "09:00", location: "Kiel" };
const dataByEvent: Record<string, object> = {
  "order.created": { ...order, status: "pending" },
  "order.paid": order,
  "booking.created": {
    id: "b1",
    service: "Töpferkurs",
    date: "2025-10-20",
    time: "18:30",
    status: "confirmed",
    customer,
    amount_due: 35,
    currency: "EUR",
    payment_status: "unpaid",
    address: null,
    notes: null,
    created_at: createdAt,
  },
  "rental.reserved": {
    id: "r1",
    reference: "R-7",
    item: "Töpferscheibe",
    status: "pending",
    customer,
    pickup: handover,
    return: { ...handover, date: "2025-10-22" },
    days: 2,
    total: 50,
    deposit: 100,
    currency: "EUR",
    payment_status: "unpaid",
    notes: null,
    created_at: createdAt,
  },
  "subscriber.created": {
    id: "s1",
    email: "ada@example.com",
    name: "Ada",
    status: "active",
    tags: ["news"],
    created_at: createdAt,
  },
  "property_enquiry.created": {
    id: "e1",
    type: "viewing",
    status: "new",
    customer,
    message: "Is it still free?",
    listing: { id: "l1", title: "Kontor am Hafen" },
    created_at: createdAt,
  },
  "review.submitted": {
    id: "v1",
    rating: 5,
    title: "Schön",
    content: "Sehr schön.",
    status: "pending",
    verified_purchase: true,
    customer: { name: "Ada Lovelace", email: "ada@example.com" },
    product: { id: "p1", name: "Schale" },
    created_at: createdAt,
  },
};

function toEnvelope(event: string, data: object = { id: "1" }): string {
  return JSON.stringify({ id: `${event}_1`, event, project, data });
}

const paid = toEnvelope("order.paid");
const paidId = "order.paid_1";
const standardPaid = JSON.stringify({
  type: "order.paid",
  timestamp: "2025-10-09T08:53:20.000Z",
  data: { id: "1" },
  id: paidId,
  project,
});

function toHex(body: string | Uint8Array, key: string = secret, timestamp: string | number = sentAt): string {
  return createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex");
}

type Headers = Array<readonly [string, string]>;

interface Case {
  readonly body?: string | Uint8Array;
  /** Without `signature`, the signature covers this timestamp, so only the timestamp is wrong. */
  readonly timestamp?: string | number;
  readonly signature?: string;
  /** @default the name in the body, where there is one */
  readonly event?: string;
  /** Replaces all headers. */
  readonly headers?: Headers;
  readonly secrets?: readonly string[];
  readonly now?: number;
  readonly toleranceSeconds?: number;
  readonly headerPrefix?: string;
}

function toVector(name: string, given: Case, expected: TestVector["expected"]): TestVector {
  const { body = paid, timestamp = sentAt, secrets = [secret], now = sentAt, toleranceSeconds = 300 } = given;
  const { headerPrefix } = given;
  const bytes = Buffer.from(body);
  const { signature = `v1=${toHex(bytes, secrets[0] || secret, timestamp)}` } = given;
  const event = given.event ?? /"event":"([a-z_.]+)"/.exec(bytes.toString("latin1"))?.[1] ?? "order.paid";
  const headers = given.headers ?? [
    ["X-Service-Event", event],
    ["X-Service-Delivery", "dlv_0199c7a1f0e07c5c8d0b6b5b9d3c2a10"],
    ["X-Service-Timestamp", `${timestamp}`],
    ["X-Service-Signature", signature],
  ];
  const text = bytes.toString();
  return {
    name,
    body: { base64: bytes.toString("base64"), ...(Buffer.from(text).equals(bytes) && { text }) },
    headers,
    secrets,
    now,
    toleranceSeconds,
    ...(headerPrefix !== undefined && { headerPrefix }),
    authentic:
      "eventId" in expected ||
      ["invalid_json", "invalid_envelope", "event_mismatch"].includes(expected.error),
    expected,
  };
}

const accepted = (name: string, given: Case = {}, eventId = paidId): TestVector =>
  toVector(name, given, { eventId });
const acceptedTest = (name: string, given: Case): TestVector =>
  toVector(name, given, { eventId: paidId, test: true });
const refused = (name: string, error: string, given: Case): TestVector => toVector(name, given, { error });

function withNonUtf8Name(): Uint8Array {
  const [before, after] = toEnvelope("order.paid", { id: "1", note: "?" }).split("?");
  return Buffer.concat([
    Buffer.from(`${before}`),
    Buffer.from([0xe9, 0xff, 0xc0, 0x80]),
    Buffer.from(`${after}`),
  ]);
}

const good = `v1=${toHex(paid)}`;
const wrong = `v1=${toHex(paid, "whsec_somebody_else")}`;
const flipped = `v1=${toHex(paid).replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))}`;
const timestampHeader = ["X-Service-Timestamp", `${sentAt}`] as const;
const signatureHeader = ["X-Service-Signature", good] as const;

const events = Object.entries(dataByEvent).map(([event, data]) =>
  accepted(`${event}`, { body: toEnvelope(event, data) }, `${event}_1`),
);

const bodies = [
  accepted("event name newer than the receiver", { body: toEnvelope("quote.sent") }, "quote.sent_1"),
  accepted("additional fields in the envelope", { body: paid.replace("{", '{"api_version":2,') }),
  accepted("white space and line ends around the JSON", { body: `\r\n ${paid}\n` }),
  accepted("byte order mark before the JSON", { body: `\uFEFF${paid}` }),
  accepted("bytes in a string that are no UTF-8", { body: withNonUtf8Name() }),
  accepted("body of more than 16 KiB", {
    body: toEnvelope("order.paid", { id: "1", note: "é".repeat(8_200) }),
  }),
  refused("empty body", "invalid_json", { body: "" }),
  refused("empty body in place of the signed one", "signature_mismatch", { body: "", signature: good }),
  refused("base64 of the body in place of the body", "signature_mismatch", {
    body: Buffer.from(paid).toString("base64"),
    signature: good,
  }),
  refused("body of random bytes", "invalid_json", { body: Buffer.from("00ff10fe80c3", "hex") }),
  refused("JSON cut short", "invalid_json", { body: paid.slice(0, -1) }),
  refused("form instead of JSON", "invalid_json", { body: "id=1&event=order.paid" }),
  accepted("body of the form {type, timestamp, data, id, project}", { body: standardPaid }),
  refused("that form with the event header of another event", "event_mismatch", {
    body: standardPaid,
    event: "order.created",
  }),
  refused("that form without type", "invalid_envelope", { body: standardPaid.replace('"type"', '"kind"') }),
  refused("that form whose timestamp is a number", "invalid_envelope", {
    body: standardPaid.replace('"2025-10-09T08:53:20.000Z"', "1"),
  }),
  refused("JSON null", "invalid_envelope", { body: "null" }),
  refused("JSON array", "invalid_envelope", { body: `[${paid}]` }),
  refused("JSON string", "invalid_envelope", { body: '"order.paid"' }),
  refused("envelope without id", "invalid_envelope", { body: paid.replace('"id":"order.paid_1",', "") }),
  refused("envelope whose id is a number", "invalid_envelope", {
    body: paid.replace('"id":"order.paid_1"', '"id":1'),
  }),
  refused("envelope without event", "invalid_envelope", { body: paid.replace('"event"', '"type"') }),
  refused("envelope without project", "invalid_envelope", { body: paid.replace('"project"', '"site"') }),
  refused("envelope whose data is null", "invalid_envelope", {
    body: paid.replace('"data":{"id":"1"}', '"data":null'),
  }),
  refused("one byte of the body changed", "signature_mismatch", {
    body: paid.replace("Nordlicht", "Nordlucht"),
    signature: good,
  }),
  refused("body parsed and serialised again with spaces", "signature_mismatch", {
    body: JSON.stringify(JSON.parse(paid), null, 2),
    signature: good,
  }),
  refused("byte order mark lost on the way", "signature_mismatch", {
    signature: `v1=${toHex(`\uFEFF${paid}`)}`,
  }),
  refused("bytes decoded and encoded again on the way", "signature_mismatch", {
    body: Buffer.from(withNonUtf8Name()).toString(),
    signature: `v1=${toHex(withNonUtf8Name())}`,
  }),
];

const secrets = [
  accepted("two secrets, signed with the first", { secrets: [secret, olderSecret], signature: good }),
  accepted("two secrets, signed with the second", { secrets: [olderSecret, secret], signature: good }),
  accepted("rotated: signed with the new secret while both are held", {
    secrets: [olderSecret, secret],
    signature: `v1=${toHex(paid, secret)}`,
  }),
  accepted("secret without the usual prefix", { secrets: ["plain-text"] }),
  accepted("secret that is not ASCII", { secrets: ["whsec_schlüssel_🔑"] }),
  accepted("secret of exactly one hash block", { secrets: ["k".repeat(64)] }),
  accepted("secret longer than a hash block", { secrets: ["k".repeat(65)] }),
  refused("rotated: the old secret alone is held", "signature_mismatch", {
    secrets: [olderSecret],
    signature: good,
  }),
  refused("neither of two secrets", "signature_mismatch", {
    secrets: ["whsec_a", "whsec_b"],
    signature: good,
  }),
  refused("prefix of the secret stripped by the receiver", "signature_mismatch", {
    secrets: [secret.slice("whsec_".length)],
    signature: good,
  }),
  refused("line end read with the secret", "signature_mismatch", {
    secrets: [`${secret}\n`],
    signature: good,
  }),
  refused("no secret", "no_secret", { secrets: [] }),
  refused("empty secret", "no_secret", { secrets: [""], signature: `v1=${toHex(paid, "")}` }),
  refused("empty secret behind a good one", "no_secret", { secrets: [secret, ""] }),
];

const times = [
  accepted("300 s old", { now: sentAt + 300 }),
  accepted("300 s ahead", { now: sentAt - 300 }),
  accepted("299.5 s old", { now: sentAt + 299.5 }),
  accepted("600 s old with a tolerance of 600", { now: sentAt + 600, toleranceSeconds: 600 }),
  accepted("no tolerance, the same second", { toleranceSeconds: 0 }),
  accepted("timestamp 0 at second 0", { timestamp: 0, now: 0 }),
  refused("301 s old", "timestamp_outside_tolerance", { now: sentAt + 301 }),
  refused("301 s ahead", "timestamp_outside_tolerance", { now: sentAt - 301 }),
  refused("300.001 s old", "timestamp_outside_tolerance", { now: sentAt + 300.001 }),
  refused("300.001 s ahead", "timestamp_outside_tolerance", { now: sentAt - 300.001 }),
  refused("no tolerance, half a second old", "timestamp_outside_tolerance", {
    now: sentAt + 0.5,
    toleranceSeconds: 0,
  }),
  refused("clock in milliseconds", "timestamp_outside_tolerance", { now: sentAt * 1000 }),
  refused("timestamp in milliseconds", "timestamp_outside_tolerance", { timestamp: sentAt * 1000 }),
  refused("replay with a fresh timestamp", "signature_mismatch", {
    timestamp: sentAt + 900,
    now: sentAt + 900,
    signature: good,
  }),
  ...["12abc", " 12", "1e3", "+1", "-1", "1.0", "1_0", "0x10", "Infinity", "NaN"].map((timestamp) =>
    refused(`timestamp ${JSON.stringify(timestamp)}`, "malformed_header", { timestamp, now: 12 }),
  ),
  refused("two timestamps in one header", "malformed_header", { timestamp: `${sentAt}, ${sentAt}` }),
  refused("timestamp header repeated with the same value", "malformed_header", {
    headers: [timestampHeader, timestampHeader, signatureHeader],
  }),
  refused("timestamp header repeated with another value", "malformed_header", {
    headers: [timestampHeader, ["X-Service-Timestamp", `${sentAt + 1}`], signatureHeader],
  }),
  refused("timestamp header missing", "missing_header", { headers: [signatureHeader] }),
  refused("timestamp header empty", "missing_header", {
    headers: [["X-Service-Timestamp", ""], signatureHeader],
  }),
];

const signatures = [
  accepted("right value behind a wrong one", { signature: `${wrong},${good}` }),
  accepted("right value before a wrong one", { signature: `${good},${wrong}` }),
  accepted("values joined with comma and space", { signature: `${wrong}, ${good}` }),
  accepted("unknown scheme beside v1", { signature: `v2=${"0".repeat(64)},${good}` }),
  accepted("value without a scheme beside v1", { signature: `abc,${good},` }),
  accepted("signature header repeated", {
    headers: [timestampHeader, ["X-Service-Signature", wrong], signatureHeader],
  }),
  refused("wrong signature", "signature_mismatch", { signature: wrong }),
  refused("last digit of the signature changed", "signature_mismatch", { signature: flipped }),
  refused("two wrong signatures", "signature_mismatch", { signature: `${wrong},${flipped}` }),
  refused("signature over the body alone", "signature_mismatch", {
    signature: `v1=${createHmac("sha256", secret).update(paid).digest("hex")}`,
  }),
  refused("unknown scheme alone", "malformed_header", { signature: good.replace("v1", "v2") }),
  refused("scheme in upper case", "malformed_header", { signature: good.replace("v1", "V1") }),
  refused("hex in upper case", "malformed_header", { signature: `v1=${toHex(paid).toUpperCase()}` }),
  refused("no scheme", "malformed_header", { signature: toHex(paid) }),
  refused("hex cut short", "malformed_header", { signature: good.slice(0, -2) }),
  refused("hex too long", "malformed_header", { signature: `${good}00` }),
  refused("base64 instead of hex", "malformed_header", {
    signature: `v1=${Buffer.from(toHex(paid), "hex").toString("base64")}`,
  }),
  refused("letters beyond f", "malformed_header", { signature: `v1=${"g".repeat(64)}` }),
  refused("values joined with a semicolon", "malformed_header", { signature: `${good};${good}` }),
  refused("signature header missing", "missing_header", { headers: [timestampHeader] }),
  refused("signature header empty", "missing_header", { signature: "" }),
  refused("no headers", "missing_header", { headers: [] }),
];

const signed: Headers = [timestampHeader, signatureHeader];
const headerNames = [
  accepted("header names in lower case", {
    headers: signed.map(([name, value]) => [name.toLowerCase(), value]),
  }),
  accepted("header names in upper case", {
    headers: signed.map(([name, value]) => [name.toUpperCase(), value]),
  }),
  accepted("no event header", { headers: signed }),
  acceptedTest("test of the console", { headers: [...signed, ["X-Service-Test", "1"]] }),
  acceptedTest("test header in lower case", { headers: [...signed, ["x-service-test", "1"]] }),
  accepted("test header with another value", { headers: [...signed, ["X-Service-Test", "true"]] }),
  accepted("test header repeated", {
    headers: [...signed, ["X-Service-Test", "1"], ["X-Service-Test", "1"]],
  }),
  refused("event header of another event", "event_mismatch", { event: "order.created" }),
  refused("event header in another case", "event_mismatch", { event: "Order.Paid" }),
  refused("event header repeated", "event_mismatch", {
    headers: [...signed, ["X-Service-Event", "order.paid"], ["X-Service-Event", "order.paid"]],
  }),
  refused("event header wrong and signature wrong", "signature_mismatch", {
    event: "order.created",
    signature: wrong,
  }),
];

const withPrefix = (prefix: string, ...more: Headers): Headers =>
  [...signed, ["X-Service-Event", "order.paid"] as const, ...more].map(([name, value]) => [
    name.replace("X-Service", prefix),
    value,
  ]);
const headerPrefix = "X-Acme";
const prefixes = [
  accepted("own prefix", { headerPrefix, headers: withPrefix("X-Acme") }),
  accepted("own prefix, header names in lower case", { headerPrefix, headers: withPrefix("x-acme") }),
  accepted("own prefix, given in upper case", { headerPrefix: "X-ACME", headers: withPrefix("X-Acme") }),
  accepted("own prefix of one word", { headerPrefix: "acme2", headers: withPrefix("Acme2") }),
  acceptedTest("own prefix, test of the console", {
    headerPrefix,
    headers: withPrefix("X-Acme", ["X-Service-Test", "1"]),
  }),
  accepted("own prefix, test header of the usual one", {
    headerPrefix,
    headers: [...withPrefix("X-Acme"), ["X-Service-Test", "1"]],
  }),
  refused("own prefix, event header of another event", "event_mismatch", {
    headerPrefix,
    headers: [...withPrefix("X-Acme").slice(0, 2), ["X-Acme-Event", "order.created"]],
  }),
  refused("own prefix, headers of the usual one", "missing_header", { headerPrefix }),
  refused("headers of another prefix", "missing_header", { headers: withPrefix("X-Acme") }),
  refused("own prefix, wrong signature", "signature_mismatch", {
    headerPrefix,
    headers: withPrefix("X-Acme"),
    secrets: [olderSecret],
  }),
  ...["", "X Acme", "X_Acme", "X-Acme:", "X-Acme\n", "x".repeat(41)].map((prefix) =>
    refused(`prefix ${JSON.stringify(prefix)}`, "invalid_option", { headerPrefix: prefix }),
  ),
];

const options = [
  refused("negative tolerance", "invalid_option", { toleranceSeconds: -1 }),
  refused("timestamp of 40 digits", "timestamp_outside_tolerance", { timestamp: "9".repeat(40) }),
  accepted("timestamp with leading zeros", { timestamp: `0${sentAt}` }),
];

export const testVectors: readonly TestVector[] = [
  ...events,
  ...bodies,
  ...secrets,
  ...times,
  ...signatures,
  ...headerNames,
  ...prefixes,
  ...options,
];

const description = [
  "Each vector is one request and the result that a verifier must reach.",
  "Signed is {timestamp}.{body}: the header text, a full stop, the bytes of the body. The key is the whole secret as UTF-8.",
  "body.base64 holds the bytes. body.text is the same if they are UTF-8.",
  "headers are name and value pairs in the order received. Names may differ in case and may repeat.",
  "headerPrefix is the prefix that the verifier is told. Without it, it is called without one.",
  "authentic tells whether signature and timestamp are right.",
  "expected is the id of the event (with test: true for a test from the console), or the error code.",
];

export function generateTestVectors(): string {
  const head = JSON.stringify({ version: 1, description }, null, 2).replace(/\n}$/, "");
  // One line for each vector, for readable diffs.
  return `${head},\n  "vectors": [\n${testVectors.map((vector) => JSON.stringify(vector)).join(",\n")}\n  ]\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL("../test-vectors.json", import.meta.url), generateTestVectors());
