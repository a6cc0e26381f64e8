import { createCursorCodec } from "@hookwright/cursor";
import { rotateServerSecret } from "@hookwright/service";
import { partitions } from "@hookwright/storage";
import type { Commit, Entry, Key, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { createHookwright } from "../../src/create-hookwright.ts";
import type { HookwrightOptions } from "../../src/options/options.ts";
import { storages } from "./support/storages.ts";

useQuickScrypt();

const oldSecret = "the old secret of these tests, 32+";
const newSecret = "the new secret of these tests, 32+";
const both = { secret: newSecret, previousSecrets: [oldSecret] };
const checkKey: Key = ["p00", "server-secret-check"];
const webhook = { event: "order.created", target_url: "https://hooks.example.com/a" };
const consoleOf = (accountId: string) => ({ accountId, credential: { type: "console" } }) as const;

function open(store: Store, secrets: Pick<HookwrightOptions, "secret" | "previousSecrets">) {
  return createHookwright({ store, role: "api", ...secrets });
}

function rotate(store: Store, options: Partial<Parameters<typeof rotateServerSecret>[0]> = {}) {
  return rotateServerSecret({ store, settle: async () => {}, ...both, ...options });
}

/** Whether a start with these secrets is accepted. */
async function starts(store: Store, secrets: Pick<HookwrightOptions, "secret" | "previousSecrets">) {
  return open(store, secrets).then(
    async (hookwright) => (await hookwright.close(), true),
    () => false,
  );
}

/** The ids of the keys that values are encrypted with, each with the number of values. */
async function countKeyIds(store: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const partition of partitions) {
    for (const table of ["signing-secret", "listener"]) {
      for (const { value } of await store.list({ prefix: [partition, table], limit: 1_000 })) {
        for (const [, keyId = ""] of value.matchAll(/"(?:current|pending|sealed|secret)":"([^".]*)\./gu))
          counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
      }
    }
  }
  return counts;
}

async function listSecrets(store: Store): Promise<Entry[]> {
  const found = partitions.map((each) => store.list({ prefix: [each, "signing-secret"], limit: 10 }));
  return (await Promise.all(found)).flat();
}

/** The key of an account with a webhook. */
async function createKey(store: Store) {
  await fill(store, 1);
  await using hookwright = await open(store, { secret: oldSecret });
  return hookwright.apiKeys.create("acc_0", { name: "Key" });
}

/** Webhooks of several accounts, with a pending secret and own headers. @returns the number of encrypted values */
async function fill(store: Store, accounts = 3): Promise<number> {
  await using hookwright = await open(store, { secret: oldSecret });
  for (let index = 0; index < accounts; index++) {
    const accountId = `acc_${index}`;
    await hookwright.accounts.put(accountId, {
      email: `${accountId}@example.com`,
      password: "correct horse",
    });
    await hookwright.projects.put(`site_${index}`, { account_id: accountId, name: "Site" });
    const created = await hookwright.webhooks.create(consoleOf(accountId), webhook);
    await hookwright.webhooks.rotate(accountId, created.webhook.id);
    await hookwright.webhooks.update(accountId, created.webhook.id, { headers: { "X-Gateway": "token" } });
  }
  return accounts * 3;
}

describe.each(storages)("on $name, a rotation of the server secret", (storage) => {
  it("encrypts every value again, and then the new secret alone is enough", async () => {
    const { store, close } = await storage.open(Date.now);
    const values = await fill(store);
    expect([...(await countKeyIds(store)).values()]).toEqual([values]);
    const before = await countKeyIds(store);
    expect(await starts(store, { secret: newSecret })).toBe(false);

    expect(await rotate(store)).toEqual({ ok: true, rows: 3, reencrypted: 3, unreadable: [] });

    const after = await countKeyIds(store);
    expect([...after.values()]).toEqual([values]);
    expect([...after.keys()]).not.toEqual([...before.keys()]);
    expect(await starts(store, { secret: newSecret })).toBe(true);
    expect(await starts(store, { secret: oldSecret })).toBe(false);
    // Again: nothing is left to do.
    expect(await rotate(store)).toEqual({ ok: true, rows: 3, reencrypted: 0, unreadable: [] });
    await close();
  });
});

describe("a rotation of the server secret", () => {
  it("that was interrupted between two commits is continued, and meanwhile both secrets are required", async () => {
    const store = memoryStore();
    await fill(store, 8);
    for (let allowed = 1; ; allowed++) {
      let commits = 0;
      const dying: Store = {
        ...store,
        commit(partition: string, commit: Commit) {
          commits += 1;
          if (commits > allowed) throw new Error("killed");
          return store.commit(partition, commit);
        },
      };
      const ended = await rotate(dying).catch(() => undefined);
      expect(await starts(store, both)).toBe(true);
      if (ended !== undefined) break;
      expect(await starts(store, { secret: oldSecret })).toBe(false);
      expect(await starts(store, { secret: newSecret })).toBe(false);
    }
    expect((await countKeyIds(store)).size).toBe(1);
    expect(await starts(store, { secret: newSecret })).toBe(true);
  });

  it("can be taken back before it has ended", async () => {
    const store = memoryStore();
    await fill(store);
    const aborted = AbortSignal.abort(new Error("stopped"));
    await expect(rotate(store, { signal: aborted })).rejects.toThrow("stopped");
    const back = { secret: oldSecret, previousSecrets: [newSecret] };
    expect(await rotate(store, back)).toMatchObject({ ok: true });
    expect(await starts(store, { secret: oldSecret })).toBe(true);
    expect(await starts(store, { secret: newSecret })).toBe(false);
  });

  it("changes nothing if the data was written with neither secret", async () => {
    const store = memoryStore();
    await fill(store);
    const before = await store.get(checkKey);
    const refused = await rotate(store, { previousSecrets: ["a third secret of 32 characters !!"] });
    expect(refused).toEqual({ ok: false, reason: "other" });
    expect(await store.get(checkKey)).toBe(before);
    expect(await starts(store, { secret: oldSecret })).toBe(true);
  });

  it("on an empty store leaves it to the new secret", async () => {
    const store = memoryStore();
    expect(await rotate(store)).toEqual({ ok: true, rows: 0, reencrypted: 0, unreadable: [] });
    expect(await starts(store, { secret: oldSecret })).toBe(false);
  });

  it("keeps a value that neither secret decrypts, and reports its webhook", async () => {
    const store = memoryStore();
    await fill(store, 1);
    const [entry] = await listSecrets(store);
    if (entry === undefined) throw new Error("no secret was stored");
    const damaged = entry.value.replace(/"current":"[^"]+"/u, '"current":"other.AAAA"');
    await store.commit(entry.key[0], { mutations: [{ type: "set", key: entry.key, value: damaged }] });
    expect(await rotate(store)).toMatchObject({ ok: true, unreadable: [entry.key.at(-1)] });
    expect(await store.get(entry.key)).toContain('"current":"other.AAAA"');
  });

  it("also encrypts a value again that a process writes with the old secret while it runs", async () => {
    const store = memoryStore();
    await fill(store, 1);
    const [entry] = await listSecrets(store);
    if (entry === undefined) throw new Error("no secret was stored");
    const { key, value } = entry;
    // Between the first and the last pass, a commit arrives that was prepared before the rotation began.
    const settle = async (): Promise<void> => {
      await store.commit(key[0], { mutations: [{ type: "set", key, value }] });
    };
    expect(await rotate(store, { settle })).toMatchObject({ ok: true, reencrypted: 2 });
    expect(await store.get(entry.key)).not.toBe(entry.value);
    expect((await countKeyIds(store)).size).toBe(1);
  });

  it("keeps listeners", async () => {
    const store = memoryStore();
    const { api_key: token } = await createKey(store);
    await using hookwright = await open(store, both);
    const request = (method: string, path: string, body?: object): Promise<Response> =>
      hookwright.fetch(
        new Request(`http://localhost/developer/v1/${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
    const created: { data: { id: string } } = await (await request("POST", "listeners", {})).json();
    expect(await rotate(store)).toMatchObject({ ok: true, reencrypted: 2 });
    expect((await countKeyIds(store)).size).toBe(1);
    await using renewed = await open(store, { secret: newSecret });
    const stream = await renewed.fetch(
      new Request(`http://localhost/developer/v1/listeners/${created.data.id}/events`, {
        headers: { authorization: `Bearer ${token}` },
      }),
    );
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
  });

  it("gives way to a process that changes a secret at the same time", async () => {
    const store = memoryStore();
    await fill(store, 1);
    await using hookwright = await open(store, both);
    const [{ id = "" } = {}] = (await hookwright.webhooks.list("acc_0")).rows;
    let isDone = false;
    const racing: Store = {
      ...store,
      async commit(partition, commit) {
        const isOfSecret = commit.mutations.some(({ key }) => key[1] === "signing-secret");
        if (isOfSecret && !isDone) {
          isDone = true;
          await hookwright.webhooks.finishRotation("acc_0", id);
        }
        return store.commit(partition, commit);
      },
    };
    expect(await rotate(racing)).toMatchObject({ ok: true, reencrypted: 1 });
    const [entry] = await listSecrets(store);
    expect(JSON.parse(entry?.value ?? "")).toMatchObject({ pending: null });
  });
});

describe("a process with both secrets", () => {
  it("writes what a process with the old secret can read, until the rotation begins", async () => {
    const store = memoryStore();
    await fill(store, 1);
    await using hookwright = await open(store, both);
    await hookwright.webhooks.create(consoleOf("acc_0"), { ...webhook, event: "order.paid" });
    expect((await countKeyIds(store)).size).toBe(1);
    expect(await starts(store, { secret: oldSecret })).toBe(true);
  });

  it("accepts cursors of both, and its new ones are those of the secret that the store is written with", async () => {
    const store = memoryStore();
    await fill(store, 1);
    async function pageWith(secrets: Parameters<typeof open>[1], cursor?: string) {
      await using hookwright = await open(store, secrets);
      const created = await hookwright.apiKeys.create("acc_0", { name: "Key" });
      await hookwright.projects.put("site_b", { account_id: "acc_0", name: "B" });
      const query = cursor === undefined ? "" : `&cursor=${cursor}`;
      const response = await hookwright.fetch(
        new Request(`http://localhost/v1/projects?limit=1${query}`, {
          headers: { authorization: `Bearer ${created.api_key}` },
        }),
      );
      const body: { meta?: { next_cursor: string | null } } = await response.json();
      return { status: response.status, next: body.meta?.next_cursor ?? undefined };
    }
    const ofOld = await pageWith({ secret: oldSecret });
    expect(ofOld.next).toBeDefined();
    expect((await pageWith(both)).next).toBe(ofOld.next);
    expect((await pageWith(both, ofOld.next)).status).toBe(200);
    await rotate(store);
    expect((await pageWith(both, ofOld.next)).status).toBe(200);
    const ofNew = await pageWith(both);
    expect(ofNew.next).not.toBe(ofOld.next);
    expect((await pageWith({ secret: newSecret }, ofNew.next)).status).toBe(200);
    expect((await pageWith({ secret: newSecret }, ofOld.next)).status).toBe(400);
    const third = createCursorCodec({ secret: "a third secret of 32 characters !!" });
    const foreign = third.encode({ scope: ["acc_0"], position: ["site_0"] });
    expect((await pageWith(both, foreign)).status).toBe(400);
  });

  it("keeps passwords: they outlive the secret", async () => {
    const store = memoryStore();
    await fill(store, 1);
    await rotate(store);
    await using hookwright = await open(store, { secret: newSecret });
    const signIn = () =>
      hookwright.sessions.create({ email: "acc_0@example.com", password: "correct horse" });
    expect(await signIn()).toMatchObject({ account: { id: "acc_0" } });
    // The first sign-in has hashed it again.
    expect(await signIn()).toMatchObject({ account: { id: "acc_0" } });
  });
});
