import { readFile } from "node:fs/promises";
import type { RedisTls } from "@hookwright/storage/redis";
import { ServerError } from "../server-error.ts";
import type { StorageLocation } from "../storage-location.ts";
import { nameOf } from "./option.ts";
import { options } from "./options.ts";

/** Files in PEM for a Redis over TLS. */
export interface RedisTlsFiles {
  /** The authority of the certificate that Redis shows. */
  readonly redisCa: string | undefined;
  /** The certificate that Redis asks of its clients. */
  readonly redisCert: string | undefined;
  /** Its private key. */
  readonly redisKey: string | undefined;
}

/** What is wrong with the files that are named for this storage, in sentences. Other storages have no use for them, and take no harm. */
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
      `${nameOf(options.storage)} must be rediss://… or rediss-cluster://… where ${named.map(nameOf).join(" and ")} is set: no other connection is encrypted.`,
    );
  }
  if ((files.redisCert === undefined) !== (files.redisKey === undefined)) {
    problems.push(
      `${nameOf(options.redisCert)} and ${nameOf(options.redisKey)} must be set together: Redis wants to see the certificate, and proof that it is ours.`,
    );
  }
  return problems;
}

/**
 * Reads the files once: whoever renews a certificate restarts the server.
 *
 * @throws {ServerError} `invalid_option` for one that cannot be read
 */
export async function readTlsFiles(files: RedisTlsFiles): Promise<RedisTls> {
  const [ca, cert, key] = await Promise.all([
    readNamed(options.redisCa, files.redisCa),
    readNamed(options.redisCert, files.redisCert),
    readNamed(options.redisKey, files.redisKey),
  ]);
  return { ca, cert, key };
}

async function readNamed(
  option: typeof options.redisCa,
  file: string | undefined,
): Promise<string | undefined> {
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
