import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

/** Two processes with one store. Records the reads of the first process. */
async function openTwo() {
  const store = memoryStore();
  const reads: string[] = [];
  const recorded = {
    ...store,
    get: (key: Parameters<typeof store.get>[0]) => {
      reads.push(String(key[1]));
      return store.get(key);
    },
    getMany: (keys: Parameters<typeof store.getMany>[0]) => {
      reads.push(keys.map((key) => String(key[1])).join("+"));
      return store.getMany(keys);
    },
  };
  const { service } = openService({ store: recorded });
  const other = openService({ store });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  const key = await service.apiKeys.create("acc_1", { name: "a tool" });
  const readsOf = async (act: () => Promise<unknown>): Promise<string[]> => {
    reads.length = 0;
    await act();
    return [...reads];
  };
  return { service, other: other.service, key, readsOf };
}

it("the owner of a key is read once, and the key and account rows for every request", async () => {
  const { service, key, readsOf } = await openTwo();
  const ask = () => service.authenticate(key.api_key);
  expect(await readsOf(ask)).toEqual(["key-fingerprint", "api-key+account"]);
  expect(await readsOf(ask)).toEqual(["api-key+account"]);
});

it("an unknown key, and a key that another process has revoked, is refused", async () => {
  const { service, other, key } = await openTwo();
  await expect(service.authenticate(key.api_key)).resolves.toMatchObject({ accountId: "acc_1" });
  await other.apiKeys.revoke(key.id);
  const unknown = { code: "invalid_api_key" };
  await expect(service.authenticate(key.api_key)).rejects.toMatchObject(unknown);
  await expect(service.authenticate(`${key.api_key}x`)).rejects.toMatchObject(unknown);
});
