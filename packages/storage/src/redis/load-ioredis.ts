import type * as Ioredis from "ioredis";
import { StorageError } from "../storage-error.ts";

/** @throws {StorageError} `missing_dependency` */
export async function loadIoredis(
  load: () => Promise<typeof Ioredis> = () => import("ioredis"),
): Promise<typeof Ioredis> {
  try {
    return await load();
  } catch (cause) {
    throw new StorageError(
      "missing_dependency",
      'The Redis store needs the package "ioredis": install it beside @hookwright/storage (npm install ioredis@5, or the like).',
      { cause },
    );
  }
}
