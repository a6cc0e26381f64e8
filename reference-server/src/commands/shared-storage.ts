import { existsSync } from "node:fs";
import { nameOf } from "../options/option.ts";
import { options } from "../options/options.ts";
import type { Environment } from "../program.ts";
import { ServerError } from "../server-error.ts";
import type { StorageLocation } from "../storage-location.ts";
import type { ToolOption } from "./tool-command.ts";

export const storageOption: ToolOption = {
  flag: "storage",
  value: "STORAGE",
  description: "file:DIR or redis://… (HOOKWRIGHT_STORAGE)",
};

/**
 * The storage that a command works on beside the servers that have it open. One in the memory of a process has nothing.
 *
 * @throws {ServerError} `invalid_option`
 */
export function readSharedStorage(
  given: Readonly<Record<string, string | undefined>>,
  environment: Environment,
  allowed = "file:DIR or a Redis URL",
): Exclude<StorageLocation, { readonly type: "memory" }> {
  const text = (given["storage"] ?? environment[options.storage.variable] ?? "").trim();
  const location = text === "" ? options.storage.fallback : options.storage.parse(text);
  if (location === undefined || location.type === "memory") {
    throw new ServerError(
      "invalid_option",
      `${nameOf(options.storage)} must be ${allowed}; what is in memory is gone with its process.`,
    );
  }
  return location;
}

/**
 * Opening a directory makes it; a command that reads must not make one of a name that was mistyped.
 *
 * @throws {ServerError} `storage_unavailable`
 */
export function refuseMissingDirectory(location: StorageLocation): void {
  if (location.type !== "file" || existsSync(location.directory)) return;
  throw new ServerError(
    "storage_unavailable",
    `${nameOf(options.storage)}: there is no directory ${location.directory}.`,
  );
}

/** @throws {ServerError} `invalid_option` */
export function readSecret(environment: Environment): string | undefined {
  const text = (environment[options.secret.variable] ?? "").trim();
  if (text === "") return undefined;
  const secret = options.secret.parse(text);
  if (secret !== undefined) return secret;
  throw new ServerError("invalid_option", `${nameOf(options.secret)} must be ${options.secret.allowed}.`);
}
