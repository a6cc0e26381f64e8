import { ScreenHeader } from "../../parts/screen-header.tsx";
import { useTitle } from "../../state/use-title.ts";
import { AuditTable } from "./audit-table.tsx";
import { ChangeTarget, useKnownTargets } from "./change-target.tsx";

/** Who changed what on the account. */
export function Activity({ query }: { readonly query: Readonly<Record<string, string>> }) {
  useTitle("Activity");
  const known = useKnownTargets();
  return (
    <>
      <ScreenHeader title="Activity" />
      <AuditTable
        path="console/api/audit"
        query={{ action: query["action"] ?? "" }}
        showTarget={({ target }) => <ChangeTarget target={target} known={known} />}
      />
    </>
  );
}
