import { expect, it } from "vitest";
import * as adapter from "../src/adapter.ts";
import * as contract from "../src/contract.ts";
import * as filesystem from "../src/filesystem.ts";
import * as port from "../src/index.ts";
import * as memory from "../src/memory.ts";
import * as postgres from "../src/postgres.ts";
import * as processIdentity from "../src/process-identity.ts";
import * as redis from "../src/redis.ts";
import * as sortedRuns from "../src/sorted-runs.ts";
import * as textCache from "../src/text-cache.ts";
import * as unstorage from "../src/unstorage.ts";
import manifest from "../package.json" with { type: "json" };

const entries = {
  ".": port,
  "./memory": memory,
  "./filesystem": filesystem,
  "./redis": redis,
  "./postgres": postgres,
  "./unstorage": unstorage,
  "./sorted-runs": sortedRuns,
  "./text-cache": textCache,
  "./process-identity": processIdentity,
  "./adapter": adapter,
  "./contract": contract,
};

it("this test covers every entry", () => {
  expect(Object.keys(entries)).toEqual(Object.keys(manifest.exports));
});

it("each entry exports exactly these names", () => {
  expect(
    Object.fromEntries(
      Object.entries(entries).map(([entry, names]) => [entry, Object.keys(names).toSorted()]),
    ),
  ).toMatchInlineSnapshot(`
    {
      ".": [
        "StorageError",
        "isSameKey",
        "partitionOf",
        "partitions",
      ],
      "./adapter": [
        "checkPartition",
        "closedError",
        "createMergedKeys",
        "decodeKey",
        "encodeKey",
        "judgeCommits",
        "listEntries",
        "prepareCommit",
        "toKeyRange",
      ],
      "./contract": [
        "ContractViolation",
        "checkStoreAgainstModel",
        "runStoreContract",
        "storeContractCases",
      ],
      "./filesystem": [
        "copyFilesystemStore",
        "explainFileAccess",
        "giveToOwner",
        "openFilesystemStore",
        "requireLmdb",
      ],
      "./memory": [
        "memoryStore",
      ],
      "./postgres": [
        "migratePostgresOutbox",
        "migratePostgresStore",
        "openPostgresOutbox",
        "openPostgresStore",
        "parsePostgresUrl",
        "postgresMigrationSql",
        "postgresOutboxMigrationSql",
        "readPostgresMigrationSql",
        "readPostgresOutboxMigrationSql",
        "readPostgresOutboxState",
      ],
      "./process-identity": [
        "isProcessAlive",
        "processNamespace",
      ],
      "./redis": [
        "openRedisStore",
        "parseRedisUrl",
      ],
      "./sorted-runs": [
        "countEntries",
        "createReadBudget",
        "findBeginnings",
        "findFewRuns",
        "findRuns",
        "listPages",
        "orNone",
        "readNewestOfRuns",
        "toLowerAscii",
      ],
      "./text-cache": [
        "createTextCache",
      ],
      "./unstorage": [
        "openUnstorageStore",
      ],
    }
  `);
});
