import { eventCatalogue, eventNames } from "@hookwright/domain";
import type { EventName, Field, Fields } from "@hookwright/domain";

const introduction = `# Events

A host publishes these events with [\`publish\`](functions.md) or \`POST /host/v1/events\`.
This page is generated from the schemas.
Webhooks and the API answer each field in the type that is given here.

## What a host may send

The host states what has happened, so its events are read leniently.

- A field that is missing, \`null\`, an empty text, white space or an empty list becomes what the column *When missing* says.
- A number is accepted for a text, and a decimal text such as \`"9.50"\` for a number, if nothing is lost.
- Amounts have any currency and sign, and at most 6 decimals; more are rounded, half away from zero.
- \`created_at\` is read from any usual form: ISO 8601 with or without zone, a blank for \`T\`, a date alone, epoch seconds or milliseconds, a \`Date\`.
  Without a zone it is in the site's time.
  A form that nobody can read counts as missing.
- Single fields have no length limits; a record has at most 256 KiB as JSON.
- Fields that are not listed here are dropped and named.
- A text where an object is expected becomes its main field: an address its \`line1\`, a customer its \`name\`.
- An object where a list is expected is a list of its values.
- \`days\` and \`rating\` with decimals are rounded.
- Half of a surrogate pair becomes U+FFFD.

The answer lists under \`adjusted\` the path of each field that was filled or changed, such as \`items.0.price\`, up to 1,000 of them.
Under \`dropped\` it lists the path of each field that was sent and is not part of the event, such as \`shipping_address.street\`.
\`validateEvent()\` answers the same without publishing.

These are refused with \`validation_failed\`, and the message names the field:

- a missing \`id\`, or one that is not 1 to 128 printable characters without white space;
- a missing \`total\` or \`amount_due\`;
- an amount that is not a number;
- a \`quantity\` that is not an integer;
- an object where text is expected;
- a number that has lost digits: an amount with more digits than JavaScript can hold, or an id beyond 2^53 from a program in JavaScript.

An id or a text that is a number in JSON keeps all its digits.

Beside \`event\`, \`project_id\` and \`data\`, an event may have \`as_of\`: the time at which the host read \`data\`.
An older snapshot never replaces a newer one.
The default is the time at which this event of this record was first published, so that a repeated \`order.created\` leaves a paid order paid.
`;

const adds = "The customer is added to the site's contacts if there is an e-mail address.";

/** Renders `docs/reference/events.md` from the event catalogue. */
export function renderEventsPage(): string {
  return `${introduction}${eventNames.map(renderEvent).join("")}`;
}

function renderEvent(event: EventName): string {
  const { description, fields, kind, sampleData } = eventCatalogue[event];
  const contacts = ["orders", "bookings", "rentals", "enquiries"].includes(kind) ? `\n${adds}` : "";
  const rows = rowsOf(fields, "").map((cells) => `| ${cells.join(" | ")} |`);
  return `
## \`${event}\`

${description}
Records of this event are \`${kind}\`.${contacts}

| Field | Type | Presence | When missing | Example | What it is |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

\`\`\`json
${JSON.stringify(sampleData, null, 2)}
\`\`\`
`;
}

function rowsOf(fields: Fields, prefix: string): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const inner = field.type === "list of objects" ? `${prefix}${name}[].` : `${prefix}${name}.`;
    return [rowOf(prefix + name, field), ...rowsOf(field.fields ?? {}, inner)];
  });
}

function rowOf(path: string, { schema, type, required, whenMissing }: Field): string[] {
  const { description = "", example } = schema.meta() ?? {};
  const shown = example === undefined ? "" : `\`${JSON.stringify(example)}\``;
  return [
    `\`${path}\``,
    type,
    required ? "required" : "optional",
    required ? "refused" : whenMissing,
    shown,
    description,
  ];
}
