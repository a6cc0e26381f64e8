import type { RequestLogEntry } from "@hookwright/domain";
import { Answer } from "../../parts/answer.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Drawer } from "../../parts/drawer.tsx";
import { Facts } from "../../parts/facts.tsx";
import { formatDuration } from "../../parts/format-duration.ts";
import { ReferenceLink } from "../../parts/reference-link.tsx";
import { Time } from "../../parts/time.tsx";
import { useResource } from "../../state/use-resource.ts";
import { explainError } from "./explain-error.ts";
import { findOperation, readOperations } from "./find-operation.ts";

export interface RequestDrawerProps {
  readonly entry: RequestLogEntry;
  readonly onClose: () => void;
}

/** One request, and what its error means. */
export function RequestDrawer({ entry, onClose }: RequestDrawerProps) {
  const { id, method, path, status, error_code, key_name, duration_ms, created_at } = entry;
  // Without it, the link leads to the reference as a whole.
  const operations = useResource("operations", readOperations).data;
  return (
    <Drawer title="Request" onClose={onClose}>
      <h2 class="url">
        <Answer status={status} error={null} /> <code>{`${method} ${path}`}</code>
      </h2>
      {error_code === null ? null : (
        <p class="note bad">
          <span>
            <code>{error_code}</code> {explainError(error_code)}
          </span>
        </p>
      )}
      <Facts
        facts={[
          ["Key", <bdi key="key">{key_name}</bdi>],
          ["Time", <Time key="time" at={created_at} />],
          ["Duration", formatDuration(duration_ms)],
          ["Request id", <code key="id">{id}</code>],
        ]}
      />
      <div class="actions">
        <CopyButton text={id} shortcut="c">
          Copy request id
        </CopyButton>
        <ReferenceLink operation={operations && findOperation(operations, entry)} />
      </div>
    </Drawer>
  );
}
