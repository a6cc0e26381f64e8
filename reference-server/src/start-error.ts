import { ConfigurationError, hidePassword } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import { nameOf } from "./options/option.ts";
import { options } from "./options/options.ts";
import type { Settings } from "./options/read-settings.ts";
import { ServerError } from "./server-error.ts";
import { describeStorage } from "./storage-location.ts";

/**
 * The error of a server whose storage or outbox failed after it was opened and before the server started, or whose source address the
 * library refuses. Others stay as they are.
 */
export function toStartError(
  { storage, outbox }: Pick<Settings, "storage" | "outbox">,
  cause: unknown,
): unknown {
  if (cause instanceof ConfigurationError && cause.option === "egress.sourceAddress")
    return new ServerError(
      "invalid_option",
      `${cause.message.replace(`${cause.option}:`, nameOf(options.sourceAddress))}.`,
      { cause },
    );
  if (!(cause instanceof StorageError)) return cause;
  const withOutbox = outbox === undefined ? "" : ` with the outbox ${hidePassword(outbox)}`;
  return new ServerError(
    "storage_unavailable",
    `cannot start on ${describeStorage(storage)}${withOutbox}. ${cause.message}`,
    { cause },
  );
}
