import {
  accountInputSchema,
  blogPostInputSchema,
  contactInputSchema,
  emailListInputSchema,
  hostSubscriberInputSchema,
  planInputSchema,
  projectInputSchema,
  webhookInputSchema,
} from "@hookwright/domain";
import type { OwnEvents } from "@hookwright/domain";
import { MockError } from "./mock-error.ts";
import type { Seed } from "./seed.ts";

const fieldsOf = ({ shape }: { readonly shape: object }): readonly string[] => Object.keys(shape);

const accountFields = ["id", ...fieldsOf(accountInputSchema)];
const planFields = fieldsOf(planInputSchema);

/** The fields of the rows of each list. `undefined` if the rows are texts. */
const lists: { readonly [Name in Exclude<keyof Seed, "account">]-?: readonly string[] | undefined } = {
  projects: ["id", ...fieldsOf(projectInputSchema)],
  emailLists: ["id", ...fieldsOf(emailListInputSchema)],
  contacts: fieldsOf(contactInputSchema),
  subscribers: ["project_id", "email", "list_ids", ...fieldsOf(hostSubscriberInputSchema)],
  blogPosts: fieldsOf(blogPostInputSchema),
  webhooks: ["status", ...fieldsOf(webhookInputSchema)],
  events: ["event", "project_id", "data"],
  suppressions: undefined,
};
const rowFields: ReadonlyMap<string, readonly string[] | undefined> = new Map(Object.entries(lists));

/**
 * Rejects unknown fields. The service ignores them, but in a seed they are mistakes.
 *
 * @throws MockError `invalid_seed`, naming the field
 */
export function checkSeed<Own extends OwnEvents>(seed: Seed<Own>): void {
  expectFields("seed", seed, ["account", ...rowFields.keys()]);
  const { account } = seed;
  if (account !== undefined) {
    expectFields("account", account, accountFields);
    if (account.plan) expectFields("account.plan", account.plan, planFields);
  }
  const given: readonly (readonly [string, unknown])[] = Object.entries(seed);
  for (const [name, rows] of given) {
    if (!rowFields.has(name) || rows === undefined) continue;
    if (!Array.isArray(rows)) throw refuse(`${name}: must be a list`);
    const fields = rowFields.get(name);
    if (fields !== undefined)
      rows.forEach((row: unknown, index) => expectFields(`${name}.${index}`, row, fields));
  }
}

function expectFields(root: string, value: unknown, fields: readonly string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuse(`${root}: must be an object`);
  const unknown = Object.keys(value).find((name) => !fields.includes(name));
  if (unknown !== undefined)
    throw refuse(`${root}.${unknown}: unknown field. Known fields are ${fields.join(", ")}`);
}

function refuse(problem: string): MockError {
  return new MockError("invalid_seed", `${problem}.`);
}
