import type { AuditEntry, FieldChange } from "@hookwright/domain";
import type { Export } from "./export-response.ts";

/** An entry as a row of CSV. */
export const auditColumns: Export<AuditEntry>["columns"] = [
  "id",
  "at",
  "action",
  ["target_kind", ({ target }) => target.kind],
  ["target_id", ({ target }) => target.id],
  ["changed", ({ changed }) => changed.join(" ")],
  ["changes", ({ changes }) => changes.map(describeChange).join("; ")],
  ["actor_kind", ({ actor }) => actor.kind],
  ["actor_id", ({ actor }) => actor.id],
  ["actor_name", ({ actor }) => actor.name],
  "request_id",
];

function describeChange({ field, old, new: now }: FieldChange): string {
  return `${field}: ${old ?? "none"} → ${now ?? "none"}`;
}
