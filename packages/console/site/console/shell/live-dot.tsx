import { useConsole } from "../state/console-context.ts";
import type { LiveStatus } from "../state/live.ts";
import { useLiveStatus } from "../state/use-live.ts";

const looks: Readonly<Record<LiveStatus, readonly [style: string, text: string]>> = {
  connecting: ["reconnecting", "Connecting"],
  live: ["on", "Live"],
  reconnecting: ["reconnecting", "Reconnecting"],
  paused: ["paused", "Paused"],
};

/** Says whether changes appear by themselves. A click pauses and resumes them. */
export function LiveDot() {
  const { live } = useConsole();
  const { status } = useLiveStatus();
  const [style, text] = looks[status];
  return (
    <button
      type="button"
      class={`live ${style}`}
      title={status === "paused" ? "Show changes as they happen" : "Pause: nothing changes by itself"}
      onClick={() => live.setPaused(status !== "paused")}
    >
      <i aria-hidden="true" />
      <span>{text}</span>
    </button>
  );
}
