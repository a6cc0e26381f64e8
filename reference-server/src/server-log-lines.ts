import { createLogWriter } from "@hookwright/domain";
import type { LogLine, Logger, WriteLogLine } from "@hookwright/domain";

/** The lines that the standalone server adds to those of the library. `docs/reference/log-lines.md` is held to them by a test. */
export const serverLogLines = {
  listening: { level: "info", message: "listening" },
  stopping: { level: "info", message: "stopping" },
  stopped: { level: "info", message: "stopped" },
  start_cancelled: {
    level: "warn",
    message: "The server was told to stop before it had started.",
  },
  stopped_early: {
    level: "warn",
    message:
      "The server stopped before everything was closed. Nothing is lost: the next process continues its work.",
  },
  close_failed: {
    level: "error",
    message: "A part could not be closed. Nothing is lost: the next process continues its work.",
  },
  private_targets_allowed: {
    level: "warn",
    message:
      "PRIVATE TARGETS ARE ALLOWED: webhooks reach every address of this network, over plain http too. For trials only.",
  },
  host_token_missing: {
    level: "warn",
    message:
      "HOOKWRIGHT_HOST_TOKEN is not set, so there is no host API: accounts cannot be created and events cannot be published here.",
  },
  host_token_short: {
    level: "warn",
    message:
      "HOOKWRIGHT_HOST_TOKEN has fewer than 16 characters and could be guessed. `openssl rand -base64 32` makes a good one.",
  },
  unknown_variable: {
    level: "warn",
    message: "A HOOKWRIGHT_ variable is not known and is ignored. Check its spelling.",
  },
  storage_may_forget: {
    level: "warn",
    message: "The storage may lose data when it stops. Configure it as the line says.",
  },
  secret_differs: {
    level: "warn",
    message: "HOOKWRIGHT_SECRET differs from the secret in the data directory.",
  },
  secret_file_readable: {
    level: "warn",
    message: "Others can read the secret in the data directory.",
  },
  demo_claim_not_renewed: {
    level: "warn",
    message: "The demo could not renew its claim on the storage. It tries again in 5 s. Check the storage.",
  },
  demo_claim_lost: {
    level: "error",
    message:
      "Another demo has taken over this storage, so the key and the password of this one are void. Stop it.",
  },
  demo_not_shown: {
    level: "error",
    message:
      "The demo could not send its first delivery. Fix what `error` names and start again, or start with `--storage memory`.",
  },
} as const satisfies Readonly<Record<string, LogLine>>;

export type ServerLogCode = keyof typeof serverLogLines;

export type WriteServerLogLine = WriteLogLine<ServerLogCode>;

export function createServerLog(logger: Logger): WriteServerLogLine {
  return createLogWriter(logger, serverLogLines);
}
