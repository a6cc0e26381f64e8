import type { OnUnreadable } from "@hookwright/delivery";
import type { OnError } from "@hookwright/domain";

export interface UnreadableRows {
  readonly add: OnUnreadable;
  /** Reports what was added as one error, if there is anything. */
  report(what: string, to: { readonly accountId: string; readonly onError: OnError }): void;
}

/** Collects rows that cannot be read, each once. They are left out, and do not stop the others. */
export function collectUnreadable(): UnreadableRows {
  const causes = new Map<string, unknown>();
  return {
    add: (id, cause) => void causes.set(id, cause),
    report(what, { accountId, onError }) {
      const [first] = causes;
      if (first === undefined) return;
      const [id, cause] = first;
      const error = new Error(`${what}: ${causes.size}, the first ${id}`, { cause });
      onError(error, { account_id: accountId, count: causes.size, code: "deliveries_unreadable" });
    },
  };
}
