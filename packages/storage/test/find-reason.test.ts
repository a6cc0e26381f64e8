import { constants } from "node:os";
import { StorageError } from "@hookwright/storage";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { expect, it } from "vitest";
import { findReason } from "../src/find-reason.ts";
import { createFaultyDriver } from "./support/faulty-driver.ts";

const systemError = (code: unknown): Error => Object.assign(new Error("failed"), { code });

it.each([
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  ["EROFS", "read_only"],
  ["EACCES", "permission_denied"],
  ["EPERM", "permission_denied"],
  ["EIO", "disk_error"],
  ["ECONNREFUSED", "unreachable"],
] as const)("%s is %s, by its name and by its number", (name, reason) => {
  expect(findReason(systemError(name))).toBe(reason);
  expect(findReason(systemError(constants.errno[name]))).toBe(reason);
});

it.each([
  ["READONLY You can't write against a read only replica.", "read_only_replica"],
  ["ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write", "read_only_replica"],
  ["OOM command not allowed when used memory > 'maxmemory'.", "out_of_memory"],
  ["NOREPLICAS Not enough good replicas to write.", "not_enough_replicas"],
  ["MISCONF Redis is configured to save RDB snapshots", "snapshot_failed"],
  ["MASTERDOWN Link with MASTER is down", "no_master"],
  ["CLUSTERDOWN The cluster is down", "no_master"],
  ["LOADING Redis is loading the dataset in memory", "loading"],
  ["NOAUTH Authentication required.", "not_authorized"],
  ["WRONGPASS invalid username-password pair", "not_authorized"],
  ["NOPERM this user has no permissions", "not_authorized"],
] as const)("%s", (message, reason) => {
  expect(findReason(new Error(message))).toBe(reason);
});

it("a store on an unstorage driver reports a full disk", async () => {
  const driver = createFaultyDriver();
  await using store = await openUnstorageStore({ storage: driver.storage });
  const { setItem } = driver.storage;
  driver.storage.setItem = () => Promise.reject(systemError("ENOSPC"));
  const commit = store.commit("p00", { mutations: [{ type: "set", key: ["p00", "row"], value: "1" }] });
  await expect(commit).rejects.toMatchObject({ code: "unavailable", reason: "disk_full" });
  driver.storage.setItem = setItem;
});

it("the reason is found in the causes of an error", () => {
  const wrapped = new Error("the driver failed", { cause: systemError("ENOSPC") });
  expect(findReason(new StorageError("unavailable", "failed", { cause: wrapped }))).toBe("disk_full");
  const known = new StorageError("unavailable", "failed", { reason: "no_answer" });
  expect(findReason(new Error("outer", { cause: known }))).toBe("no_answer");
  expect(findReason(systemError("ENOENT"))).toBeUndefined();
  expect(findReason(systemError(-30_790))).toBeUndefined();
  expect(findReason(new Error("WRONGTYPE Operation against a key"))).toBeUndefined();
  expect(findReason("ENOSPC")).toBeUndefined();
});
