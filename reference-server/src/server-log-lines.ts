import { createLogWriter, linesOf } from "@hookwright/domain";
import type { LogLine, Logger, WriteLogLine } from "@hookwright/domain";

const server = linesOf("server");
const mail = linesOf("mail");
const storage = linesOf("storage");
const tracing = linesOf("tracing");
const demo = linesOf("demo");

/**
 * The log lines of the standalone server, in addition to those of the library. A test compares them with
 * `docs/reference/log-lines.md`.
 */
export const serverLogLines = {
  listening: server.info("listening"),
  settings_read: server.debug("The settings of the server, without secrets."),
  admin_listening: server.info("The admin port serves the operations routes."),
  stopping: server.info("stopping"),
  stopped: server.info("stopped"),
  start_cancelled: server.warn("The server was told to stop before it had started."),
  stopped_early: server.warn(
    "The server stopped before everything was closed. No data is lost: the next process continues the work.",
  ),
  service_manager_not_notified: server.warn(
    "systemd was not told the state of the server, because systemd-notify failed. Check the unit: Type=notify needs NotifyAccess=all and the program systemd-notify.",
  ),
  close_failed: server.error(
    "A component could not be closed. No data is lost: the next process continues the work.",
  ),
  host_token_missing: server.warn(
    "HOOKWRIGHT_HOST_TOKEN is not set, so there is no host API. This server cannot create accounts or publish events.",
  ),
  mails_hidden: mail.warn(
    "SMTP_URL is not set, so mails are log lines of the level info, which HOOKWRIGHT_LOG_LEVEL hides. Set SMTP_URL.",
  ),
  unknown_variable: server.warn("A HOOKWRIGHT_ variable is unknown and ignored. Check its spelling."),
  storage_may_forget: storage.warn(
    "The storage may lose data when it stops. Change its configuration as this line says.",
  ),
  storage_empty: storage.warn(
    "The storage has no account, although there is a server secret. Before the first account this is normal. After a restore it means that the backup was not read.",
  ),
  check_failed: server.warn(
    "A check of the running server has found a problem. `hookwright doctor` runs all checks.",
  ),
  storage_upkeep_failed: storage.warn(
    "Background work of the storage failed: a heartbeat, or shortening the log. It is tried again. Check the storage if this line is repeated.",
  ),
  secret_differs: server.warn("HOOKWRIGHT_SECRET differs from the secret in the data directory."),
  secret_file_readable: server.warn("Other users can read the secret in the data directory."),
  tracing_started: tracing.info("Traces are exported over OTLP."),
  tracing_not_started: tracing.warn(
    "No traces are exported, because a variable of OpenTelemetry has a value that cannot be used.",
  ),
  traces_not_exported: tracing.warn(
    "Traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT, so they are dropped. Deliveries are not affected. Check the address and the collector. This is logged once until an export succeeds.",
  ),
  demo_claim_not_renewed: demo.warn(
    "The demo could not renew its claim on the storage. It tries again in 5 s. Check the storage.",
  ),
  demo_claim_lost: demo.error(
    "Another demo has taken over this storage, so the key and the password of this demo are invalid. Stop this demo.",
  ),
  demo_not_shown: demo.error(
    "The demo could not send its first delivery. Fix the problem in `error` and start again, or start with `--storage memory`.",
  ),
  demo_history_not_written: demo.warn(
    "The demo could not write its day of history. It starts without. Start it with `--storage memory` to see one.",
  ),
  demo_traffic_failed: demo.warn(
    "The demo could not publish an order. It tries again every three seconds. Check the storage.",
  ),
} as const satisfies Readonly<Record<string, LogLine>>;

export type ServerLogCode = keyof typeof serverLogLines;

export type WriteServerLogLine = WriteLogLine<ServerLogCode>;

export function createServerLog(logger: Logger): WriteServerLogLine {
  return createLogWriter(logger, serverLogLines);
}
