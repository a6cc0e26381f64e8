import type { StandardResult, StandardSchema } from "@hookwright/domain";

function schemaOf<Input, Output = Input>(
  read: (value: object) => StandardResult<Output>,
): StandardSchema<Input, Output> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => read(typeof value === "object" && value !== null ? value : {}),
    },
  };
}

interface Membership {
  readonly id: string;
  readonly plan: string;
}

/** What is published has `email` and an expiry in milliseconds, what is delivered a text, as with a schema that converts. */
const membership = schemaOf<Membership & { readonly until: number }, Membership & { readonly until: string }>(
  (value) => {
    const { id, plan, until, email }: Readonly<Record<string, unknown>> = { ...value };
    if (typeof id !== "string" || typeof plan !== "string")
      return { issues: [{ message: "must be text", path: [typeof id === "string" ? "plan" : "id"] }] };
    if (typeof until !== "number") return { issues: [{ message: "must be a number", path: ["until"] }] };
    return {
      value: { id, plan, until: new Date(until).toISOString(), ...(email === undefined ? {} : { email }) },
    };
  },
);

const shipped = schemaOf<{ readonly id: string; readonly carrier: string }>((value) => {
  const { id, carrier }: Readonly<Record<string, unknown>> = { ...value };
  if (typeof id === "string" && typeof carrier === "string") return { value: { id, carrier } };
  return { issues: [{ message: "must be text", path: ["carrier"] }] };
});

/** An event with its own kind, and one about orders. */
export const ownEvents = {
  "membership.expired": {
    schema: membership,
    sample: { id: "m_1", plan: "Gold", until: Date.UTC(2026, 10, 20) },
    description: "A membership has expired.",
  },
  "order.shipped": {
    schema: shipped,
    sample: { id: "ord_1", total: 12.5, carrier: "Penny Post" },
    description: "An order is shipped.",
    record: "orders",
  },
} as const;
