import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasPostgresServer, startPostgresServer } from "../../storage/test/support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "../../storage/test/support/redis-server.ts";
import { findBreachesOf } from "./simulation/find-breaches-of.ts";
import { anyOperations, calmOperations, longOperations } from "./simulation/operations.ts";
import { inDirectory, inMemory, onPostgres, onRedis, type OpenStorage } from "./simulation/storages.ts";

interface Kind {
  readonly name: string;
  readonly isCalm: boolean;
  readonly operations: typeof anyOperations;
  /** Starts the server of the storage. */
  readonly start?: () => Promise<AsyncDisposable & { readonly url: string }>;
  readonly storageAt: (url: string) => OpenStorage;
  readonly count: number;
}

/**
 * The kinds of simulation, each with the number of histories in a normal test run. Those with none play in `npm run test:long`: the
 * contract suite proves that their storage behaves as the others do.
 */
const kinds: readonly Kind[] = [
  {
    name: "while every process lives",
    isCalm: true,
    operations: calmOperations,
    storageAt: () => inMemory,
    count: 6,
  },
  {
    name: "and when processes die, pause, join and leave, and the storage becomes unavailable",
    isCalm: false,
    operations: anyOperations,
    storageAt: () => inMemory,
    count: 6,
  },
  {
    name: "and when weeks pass",
    isCalm: false,
    operations: longOperations,
    storageAt: () => inMemory,
    count: 3,
  },
  {
    name: "and when the storage is a directory",
    isCalm: false,
    operations: longOperations,
    storageAt: () => inDirectory,
    count: 0,
  },
  ...(!hasRedisServer
    ? []
    : [
        {
          name: "and when the storage is Redis",
          isCalm: false,
          operations: longOperations,
          start: () => startRedisServer(),
          storageAt: onRedis,
          count: 0,
        },
      ]),
  ...(!hasPostgresServer
    ? []
    : [
        {
          name: "and when the storage is PostgreSQL",
          isCalm: false,
          operations: longOperations,
          start: () => startPostgresServer(),
          storageAt: onPostgres,
          count: 1,
        },
      ]),
];

/** `SIMULATIONS=1000` plays 1,000 histories of each kind. */
const { SIMULATIONS } = process.env;
const timeout = 60_000 + Number(SIMULATIONS ?? 20) * 20_000;

describe("in every history, the delivery guarantees hold", () => {
  const played = SIMULATIONS === undefined ? kinds.filter(({ count }) => count > 0) : kinds;
  it.each(played)("$name", { timeout }, async ({ isCalm, operations, start, storageAt, count }) => {
    await using server = await start?.();
    const openStorage = storageAt(server?.url ?? "");
    const workers = fc.integer({ min: isCalm ? 1 : 0, max: 3 });
    await fc.assert(
      fc.asyncProperty(fc.integer(), operations, workers, async (seed, performed, begun) => {
        const run = { seed, operations: performed, workers: begun, isCalm, openStorage };
        expect(await findBreachesOf(run)).toEqual([]);
      }),
      { numRuns: Number(SIMULATIONS ?? count) },
    );
  });
});
