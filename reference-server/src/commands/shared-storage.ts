import { readdirSync } from "node:fs";
import { nameOf } from "../options/option.ts";
import type { Option } from "../options/option.ts";
import { explainRefusal, options } from "../options/options.ts";
import { findTlsContradictions } from "../options/redis-tls-files.ts";
import { readSecretFiles } from "../options/secret-files.ts";
import type { RedisTlsFiles } from "../options/redis-tls-files.ts";
import type { Logger } from "hookwright";
import { createLogger } from "../logger.ts";
import { ServerError } from "../server-error.ts";
import { isMissingDirectory } from "../storage-location.ts";
import type { StorageLocation } from "../storage-location.ts";
import type { Given } from "./server-command.ts";
import type { Environment, Option as FlagOption, Program } from "@hookwright/cli";

export const storageOption: FlagOption = {
  flag: "storage",
  value: "STORAGE",
  description: `file:DIR, redis://…, postgres://… or unstorage:DRIVER?… (HOOKWRIGHT_STORAGE). Default: ${options.storage.shownDefault}`,
};

/**
 * Reads the storage of a command that runs next to servers with the same storage. `memory` is refused, because it
 * belongs to one process.
 *
 * @throws {ServerError} `invalid_option`
 */
export function readSharedStorage(
  given: Given,
  environment: Environment,
  allowed = "file:DIR, a Redis or PostgreSQL URL, or unstorage:DRIVER?…",
): Exclude<StorageLocation, { readonly type: "memory" }> {
  const text = (given["storage"] ?? readText(options.storage, environment)).trim();
  const location = text === "" ? options.storage.fallback : options.storage.parse(text);
  if (location === undefined)
    throw new ServerError("invalid_option", explainRefusal(options.storage, text, allowed));
  if (location.type === "memory") {
    throw new ServerError(
      "invalid_option",
      `${nameOf(options.storage)} must be ${allowed}. Data in memory does not outlive its process.`,
    );
  }
  return location;
}

/**
 * Reads the variables with the certificate files for Redis over TLS.
 *
 * @throws {ServerError} `invalid_option`
 */
export function readTlsFilePaths(storage: StorageLocation, environment: Environment): RedisTlsFiles {
  const files = {
    redisCa: readVariable(options.redisCa, environment),
    redisCert: readVariable(options.redisCert, environment),
    redisKey: readVariable(options.redisKey, environment),
  };
  const problems = findTlsContradictions(storage, files);
  if (problems.length > 0) throw new ServerError("invalid_option", problems.join("\n            "));
  return files;
}

/**
 * Refuses a directory that is missing or has no store, because opening it would create an empty one and hide a typing error, or
 * that a backup was not restored.
 *
 * @throws {ServerError} `storage_unavailable`
 */
export function refuseMissingStore(location: StorageLocation): void {
  const problem = describeMissingStore(location);
  if (problem !== undefined) throw new ServerError("storage_unavailable", problem);
}

/**
 * Reports all problems of a command line at once.
 *
 * @param problems of the other options
 */
export function refuseIncomplete(location: StorageLocation, problems: readonly string[]): ServerError {
  const ofStorage = describeMissingStore(location);
  const all = [...problems, ...(ofStorage === undefined ? [] : [ofStorage])];
  return new ServerError("invalid_option", all.join("\n            "));
}

function describeMissingStore(location: StorageLocation): string | undefined {
  if (location.type !== "file") return undefined;
  const about = `${nameOf(options.storage)}: the directory ${location.directory}`;
  if (isMissingDirectory(location)) return `${about} does not exist.`;
  return hasStore(location.directory)
    ? undefined
    : `${about} contains no store (store-1.mdb). Give the directory of a server, or restore its backup.`;
}

/** True also if this process may not read the directory. Opening it says why. */
function hasStore(directory: string): boolean {
  try {
    return readdirSync(directory).some((name) => /^store-\d+\.mdb$/u.test(name));
  } catch {
    return true;
  }
}

/** @throws {ServerError} `invalid_option` */
export function readSecret(environment: Environment): string | undefined {
  return readVariable(options.secret, environment);
}

/** @throws {ServerError} `invalid_option` */
export function readPreviousSecret(environment: Environment): string | undefined {
  return readVariable(options.secretPrevious, environment);
}

function readVariable(option: Option<string | undefined>, environment: Environment): string | undefined {
  const text = readText(option, environment);
  if (text === "") return undefined;
  const value = option.parse(text);
  if (value !== undefined) return value;
  throw new ServerError("invalid_option", explainRefusal(option, text));
}

/** The value of a variable, or the content of the file that its `_FILE` variable names. */
function readText(option: Option<unknown>, environment: Environment): string {
  const files = readSecretFiles([option], environment);
  if (files.problems.length > 0)
    throw new ServerError("invalid_option", files.problems.join("\n            "));
  return (files.environment[option.variable] ?? "").trim();
}

/** The log of a command that runs and exits. */
export function createToolLogger({ complain }: Pick<Program, "complain">): Logger {
  return createLogger({ form: "pretty", colours: false, write: complain, now: Date.now, secrets: [] });
}
