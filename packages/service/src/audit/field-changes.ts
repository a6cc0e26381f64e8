import { withoutUrlSecrets } from "@hookwright/domain";
import type { FieldChange } from "@hookwright/domain";

/** A changed field. Without `old` and `new`, its values are not recorded. */
export type ChangedField = Pick<FieldChange, "field"> & Partial<FieldChange>;

const maximumValueLength = 500;
const maximumValues = 20;

/** The fields of rows whose values the audit log has. Any other field may be a secret. */
const fieldsWithValues: ReadonlySet<string> = new Set([
  "name",
  "email",
  "timezone",
  "status",
  "demo",
  "plan",
  "limits",
  "retention",
  "delivery",
  "target_url",
  "project_id",
  "events",
  "max_per_second",
  "host_max_per_second",
  "ordered",
  "body_form",
  "reason",
  "type",
  "kinds",
  "target_host",
]);

/** The fields that differ, in the order of `after`. Those of a limit or a plan are named `limits.webhooks`. */
export function findChanges(before: object | undefined, after: object): ChangedField[] {
  return differences(before, after).flatMap(([field, old, now]): ChangedField[] => {
    if (!fieldsWithValues.has(field)) return [{ field }];
    if (!isGroup(old) && !isGroup(now)) return [toChange(field, old, now)];
    return differences(isGroup(old) ? old : {}, isGroup(now) ? now : {}).map(([name, ...values]) =>
      toChange(`${field}.${name}`, ...values),
    );
  });
}

type Difference = readonly [field: string, old: unknown, now: unknown];

function differences(before: object = {}, after: object): Difference[] {
  const old = new Map(Object.entries(before));
  const present = new Map(Object.entries(after));
  return Array.from(new Set([...present.keys(), ...old.keys()]), (name): Difference => [
    name,
    old.get(name),
    present.get(name),
  ]).filter(([, one = null, other = null]) => JSON.stringify(one) !== JSON.stringify(other));
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A change of one field, with its values as texts. @example toChange("read_only", undefined, true) */
export function toChange(field: string, old: unknown, now: unknown): ChangedField {
  return { field, old: toText(field, old), new: toText(field, now) };
}

function toText(field: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const plain = Array.isArray(value)
    ? value.join(", ")
    : isGroup(value)
      ? JSON.stringify(value)
      : String(value);
  const text = field === "target_url" ? withoutUrlSecrets(plain) : plain;
  return text.length <= maximumValueLength
    ? text
    : `${text.slice(0, maximumValueLength - 1).toWellFormed()}…`;
}

/** The names and the values of changed fields, as an entry of the audit log stores them. */
export function toRecorded(changed: readonly ChangedField[]) {
  const values = changed
    .flatMap(({ field, old, new: now }): FieldChange[] =>
      old === undefined || now === undefined ? [] : [{ field, old, new: now }],
    )
    .slice(0, maximumValues);
  return {
    changed: [...new Set(changed.map(({ field }) => field.split(".", 1)[0] ?? field))],
    ...(values.length === 0 ? {} : { values }),
  };
}
