import type { Attempt } from "@hookwright/domain";
import { Answer } from "../../parts/answer.tsx";
import { Drawer } from "../../parts/drawer.tsx";
import { formatDuration } from "../../parts/format-duration.ts";
import { AttemptView } from "../deliveries/attempt-view.tsx";

export interface TestDrawerProps {
  readonly attempt: Attempt;
  readonly targetUrl: string | undefined;
  readonly onClose: () => void;
}

/** The result of a test. Screen readers announce the title when it opens. A status behind it would be inert. */
export function TestDrawer({ attempt, targetUrl, onClose }: TestDrawerProps) {
  const { status, error, duration_ms } = attempt;
  return (
    <Drawer
      title={
        <>
          Test: <Answer status={status} error={error} />, {error === null ? "accepted" : "not accepted"}
        </>
      }
      onClose={onClose}
    >
      <p class="quiet">The attempt took {formatDuration(duration_ms)}.</p>
      <AttemptView attempt={attempt} targetUrl={targetUrl} />
    </Drawer>
  );
}
