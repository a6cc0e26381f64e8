import { StorageError } from "@hookwright/storage";
import type { Commit } from "@hookwright/storage";
import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

/** A store with an outbox from which the rows `gone…` were taken. */
async function openShop() {
  const commits: Commit[] = [];
  const { service } = openService({
    wrap: (store) => ({
      ...store,
      async commit(partition, commit) {
        if (commit.takes?.some((id) => id.startsWith("gone")) === true)
          throw new StorageError("already_taken", "A row is gone.");
        commits.push(commit);
        return store.commit(partition, { ...commit, takes: undefined });
      },
    }),
  });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  // From now on the site is known, so that publications share commits.
  await service.publish(order("first"));
  commits.length = 0;
  return { service, commits };
}

const order = (id: string) => ({ event: "order.created", project_id: "site_1", data: { id, total: 1 } });

it("publications of rows share a commit, which takes all of them", async () => {
  const { service, commits } = await openShop();
  await Promise.all([
    service.publishRow(order("a"), "1"),
    service.publish(order("b")),
    service.publishRow(order("c"), "3"),
  ]);
  expect(commits.map(({ takes }) => takes)).toEqual([["1", "3"]]);
});

it("an event that was published before takes its row too", async () => {
  const { service, commits } = await openShop();
  expect(await service.publishRow(order("first"), "1")).toMatchObject({ duplicate: true });
  expect(commits.map(({ takes }) => takes)).toEqual([["1"]]);
});

it("a row that is gone publishes nothing, and fails no other publication of its commit", async () => {
  const { service, commits } = await openShop();
  const settled = await Promise.allSettled([
    service.publishRow(order("a"), "1"),
    service.publishRow(order("b"), "gone"),
    service.publish(order("c")),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(settled[1]).toMatchObject({ reason: { code: "already_taken" } });
  expect(commits.map(({ takes }) => takes)).toEqual([["1"], undefined]);
  await expect(service.orders.get("acc_1", "b")).rejects.toMatchObject({ code: "resource_not_found" });
});

it("an invalid event takes nothing", async () => {
  const { service, commits } = await openShop();
  await expect(service.publishRow({ ...order("a"), project_id: "site_2" }, "1")).rejects.toMatchObject({
    code: "validation_failed",
  });
  expect(commits).toEqual([]);
});
