import type { AuditActor } from "@hookwright/domain";
import { toSessionActor } from "@hookwright/service";
import type { Caller, ChangeOrigin } from "@hookwright/service";

interface Identified {
  /** The id of the request. */
  readonly id: string;
  readonly caller: Caller | undefined;
  readonly hostToken: { readonly name: string } | undefined;
}

/** Who makes a request, for the audit log. */
export function toOrigin({ id, caller, hostToken }: Identified): ChangeOrigin {
  return { actor: caller === undefined ? hostActor(hostToken?.name) : actorOf(caller), requestId: id };
}

function hostActor(name: string | undefined): AuditActor {
  return { kind: "host", id: null, name: name ?? null };
}

function actorOf({ credential, person }: Caller): AuditActor {
  if (credential.type === "key") return { kind: "api_key", id: credential.keyId, name: credential.name };
  return toSessionActor(person, credential.link);
}
