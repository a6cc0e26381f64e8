import { expect, it } from "vitest";
import * as contract from "../src/contract.ts";
import * as filesystem from "../src/filesystem.ts";
import * as port from "../src/index.ts";
import * as memory from "../src/memory.ts";
import * as redis from "../src/redis.ts";

it("each entry exports exactly these names", () => {
  expect({
    ".": Object.keys(port).toSorted(),
    "./memory": Object.keys(memory).toSorted(),
    "./filesystem": Object.keys(filesystem).toSorted(),
    "./redis": Object.keys(redis).toSorted(),
    "./contract": Object.keys(contract).toSorted(),
  }).toMatchInlineSnapshot(`
    {
      ".": [
        "StorageError",
        "partitionOf",
        "partitions",
      ],
      "./contract": [
        "ContractViolation",
        "checkStoreAgainstModel",
        "runStoreContract",
        "storeContractCases",
      ],
      "./filesystem": [
        "openFilesystemStore",
      ],
      "./memory": [
        "memoryStore",
      ],
      "./redis": [
        "openRedisStore",
      ],
    }
  `);
});
