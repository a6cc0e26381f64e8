import { readFile } from "node:fs/promises";
import type { RedisTls } from "@hookwright/storage/redis";
import { ServerError } from "../server-error.ts";
import type { StorageLocation } from "../storage-location.ts";
import { nameOf } from "./option.ts";
import type { Option } from "./option.ts";
import { options } from "./options.ts";

/** PEM files for Redis over TLS. */
export interface RedisTlsFiles {
  /** The certificate authority of the Redis server. */
  readonly redisCa: string | undefined;
  /** The client certificate. */
  readonly redisCert: string | undefined;
  /** The private key of the client certificate. */
  readonly redisKey: string | undefined;
}

/** Finds problems of the files with this storage. Other storages ignore the files. */
export function findTlsContradictions(storage: StorageLocation, files: RedisTlsFiles): string[] {
  if (storage.type !== "redis") return [];
  const named = [
    ...(files.redisCa === undefined ? [] : [options.redisCa]),
    ...(files.redisCert === undefined ? [] : [options.redisCert]),
    ...(files.redisKey === undefined ? [] : [options.redisKey]),
  ];
  const problems: string[] = [];
  if (named.length > 0 && !storage.url.startsWith("rediss")) {
    problems.push(
      `${nameOf(options.storage)} must be rediss://… or rediss-cluster://… if ${named.map(nameOf).join(" and ")} is set, because other connections are not encrypted.`,
    );
  }
  if ((files.redisCert === undefined) !== (files.redisKey === undefined)) {
    problems.push(
      `${nameOf(options.redisCert)} and ${nameOf(options.redisKey)} must be set together, because Redis checks the certificate with its key.`,
    );
  }
  return problems;
}

/**
 * Reads the files once. A renewed certificate needs a restart of the server.
 *
 * @throws {ServerError} `invalid_option` for a file that cannot be read
 */
export async function readTlsFiles(files: RedisTlsFiles): Promise<RedisTls> {
  const [ca, cert, key] = await Promise.all([
    readNamed(options.redisCa, files.redisCa),
    readNamed(options.redisCert, files.redisCert),
    readNamed(options.redisKey, files.redisKey),
  ]);
  return { ca, cert, key };
}

async function readNamed(option: Option<unknown>, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ServerError("invalid_option", `${nameOf(option)} must be ${option.allowed}; ${reason}.`, {
      cause,
    });
  }
}
