import type { LogFields } from "@hookwright/domain";
import type { AuditRow } from "@hookwright/service";

/** The fields of the log line of an audited change. */
export function toAuditFields({
  id,
  action,
  actor,
  account_id,
  target,
  changed,
  request_id,
}: AuditRow): LogFields {
  return {
    audit_id: id,
    action,
    actor: actor.kind,
    ...(actor.id === null ? {} : { actor_id: actor.id }),
    ...(actor.name === null ? {} : { actor_name: actor.name }),
    ...(account_id === null ? {} : { account_id }),
    target: target.kind,
    ...(target.id === null ? {} : { target_id: target.id }),
    ...(changed.length === 0 ? {} : { changed }),
    ...(request_id === null ? {} : { request_id }),
  };
}
