import { execFile } from "node:child_process";
import type { Environment } from "@hookwright/cli";

/** The service manager that started the process: systemd with `Type=notify`. Without one, nothing happens. */
export interface ServiceManager {
  /** Says that the server listens. */
  ready(): void;
  /** Says that the server stops. */
  stopping(): void;
  /** Ends the keep-alive messages. */
  close(): void;
}

export interface ServiceManagerOptions {
  readonly environment: Environment;
  readonly processId: number;
  /** Called once, when a message could not be sent. */
  readonly onFailure: (error: unknown) => void;
}

/** A message that takes longer is lost. The next one is sent anyway. */
const sendTimeoutMs = 5_000;

/**
 * Tells systemd the state of the process, and that its event loop runs (sd_notify(3), sd_watchdog_enabled(3)). Node has
 * no datagram sockets on paths, so `systemd-notify` sends the messages. The unit therefore needs `NotifyAccess=all`.
 */
export function connectServiceManager({
  environment,
  processId,
  onFailure,
}: ServiceManagerOptions): ServiceManager {
  let failed = false;
  const send = (state: string): void => {
    const { NOTIFY_SOCKET, PATH } = environment;
    if ((NOTIFY_SOCKET ?? "") === "") return;
    // The other variables may be secrets.
    const env = { NOTIFY_SOCKET, PATH };
    execFile("systemd-notify", [state], { env, timeout: sendTimeoutMs }, (error) => {
      // While systemd stops the unit, it ends each new process of it.
      const isStopped = error?.signal === "SIGTERM" && error.killed !== true;
      if (error === null || failed || isStopped) return;
      failed = true;
      onFailure(error);
    });
  };
  const everyMs = keepAliveMs(environment, processId);
  const keepAlive = everyMs === undefined ? undefined : setInterval(send, everyMs, "WATCHDOG=1");
  keepAlive?.unref();
  return {
    ready: () => send("READY=1"),
    stopping: () => send("STOPPING=1"),
    close: () => clearInterval(keepAlive),
  };
}

/** Half of the time after which systemd restarts the process. Undefined if it watches another process or none. */
function keepAliveMs({ WATCHDOG_USEC: micros, WATCHDOG_PID: watched }: Environment, processId: number) {
  const halfMs = Number(micros) / 2_000;
  const isWatched = watched === undefined || watched === String(processId);
  return isWatched && halfMs >= 1 ? halfMs : undefined;
}
