import { emailSchema, hostIdSchema } from "@hookwright/domain";
import type { z } from "zod";
import type { DocumentedRoute } from "../routing/route.ts";
import type { JsonSchema } from "./json-schema.ts";
import { toJsonSchema } from "./schemas.ts";

interface PathParameter {
  readonly description: string;
  readonly example: string;
  /** The rule for a `PUT`, which may create the object. */
  readonly put?: z.ZodType;
}

const id = (of: string, example: string): PathParameter => ({ description: `Id of the ${of}.`, example });
const hostId = (of: string, example: string): PathParameter => ({ ...id(of, example), put: hostIdSchema });
const email = { description: "The e-mail address.", example: "ada@example.com", put: emailSchema };
const hex = "019a9c3f5b2e7c41a0f39d1e6b7c8d21";

/** By the part of the path before the parameter, or by both. */
const pathParameters: Readonly<Record<string, PathParameter>> = {
  accounts: hostId("account", "acc_1"),
  actions: id("job", `job_${hex}`),
  "api-keys": id("API key", `key_${hex}`),
  contacts: id("contact", `ct_${hex}`),
  "email-lists": hostId("email list", "list_1"),
  erasures: id("erasure", `ers_${hex}`),
  "event-types": { description: "An event name, from `GET /v1/event-types`.", example: "order.created" },
  "event-types/{name}": { description: "The name of an event of your own.", example: "parcel.sent" },
  orders: id("order", "ord_1001"),
  projects: hostId("site", "site_1"),
  records: {
    description:
      "The kind: `orders`, `bookings`, `rentals`, `subscribers`, `enquiries`, `reviews`, or the name of an event of the host.",
    example: "orders",
  },
  "{kind}": id("record", "ord_1001"),
  rejected: { description: "Names the rejection.", example: "42-1763631000000000" },
  resends: id("job", `rcv_${hex}`),
  subscribers: email,
  suppressions: email,
  webhooks: id("webhook", `wh_${hex}`),
};

/** No pattern for an object that must exist, so that an unknown id reaches its 404. */
export function toPathParameters({ method, path }: Pick<DocumentedRoute, "method" | "path">): object[] {
  const parts = path.split("/");
  return parts.flatMap((part, index) => {
    if (!part.startsWith("{")) return [];
    const before = parts[index - 1] ?? "";
    const known = pathParameters[`${before}/${part}`] ?? pathParameters[before];
    if (known === undefined)
      throw new Error(`${path}: ${part} has no description. Add "${before}" in openapi/path-parameters.ts.`);
    const { description, example, put } = known;
    const isNew = method === "PUT" && index === parts.length - 1 && put !== undefined;
    const rule: JsonSchema = isNew ? toJsonSchema(put, "input") : {};
    const { description: _, example: _example, ...bounds } = rule;
    const schema = { type: "string", ...bounds };
    return [{ name: part.slice(1, -1), in: "path", required: true, description, schema, example }];
  });
}
