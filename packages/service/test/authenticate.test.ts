import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

/** Two processes on one store, and what the first of them reads. */
async function openTwo() {
  const store = memoryStore();
  const reads: string[] = [];
  const noted = {
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
  const { service } = openService({ store: noted });
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

it("a key is looked up once; whether it is in force is read each time, with its account", async () => {
  const { service, key, readsOf } = await openTwo();
  const ask = () => service.authenticate(key.api_key);
  expect(await readsOf(ask)).toEqual(["key-fingerprint", "api-key+account"]);
  expect(await readsOf(ask)).toEqual(["api-key+account"]);
});

it("a key that another process revokes is unknown at the next request, and so is one nobody has made", async () => {
  const { service, other, key } = await openTwo();
  await expect(service.authenticate(key.api_key)).resolves.toMatchObject({ accountId: "acc_1" });
  await other.apiKeys.revoke(key.id);
  const unknown = { code: "invalid_api_key" };
  await expect(service.authenticate(key.api_key)).rejects.toMatchObject(unknown);
  await expect(service.authenticate(`${key.api_key}x`)).rejects.toMatchObject(unknown);
});
