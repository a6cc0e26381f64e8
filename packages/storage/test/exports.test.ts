import { expect, it } from "vitest";
import * as adapter from "../src/adapter.ts";
import * as contract from "../src/contract.ts";
import * as filesystem from "../src/filesystem.ts";
import * as port from "../src/index.ts";
import * as memory from "../src/memory.ts";
import * as redis from "../src/redis.ts";
import * as unstorage from "../src/unstorage.ts";
import manifest from "../package.json" with { type: "json" };

const entries = {
  ".": port,
  "./memory": memory,
  "./filesystem": filesystem,
  "./redis": redis,
  "./unstorage": unstorage,
  "./adapter": adapter,
  "./contract": contract,
};

it("no entry is forgotten here", () => {
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
        "createWokenKeys",
        "decodeKey",
        "encodeKey",
        "judgeCommits",
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
        "openFilesystemStore",
      ],
      "./memory": [
        "memoryStore",
      ],
      "./redis": [
        "openRedisStore",
        "parseRedisUrl",
      ],
      "./unstorage": [
        "openUnstorageStore",
      ],
    }
  `);
});
