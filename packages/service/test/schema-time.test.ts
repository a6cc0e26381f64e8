import { createEventRegistry } from "@hookwright/domain";
import type { StandardSchema } from "@hookwright/domain";
import { expect, it } from "vitest";
import { callerOf } from "./support/caller-of.ts";
import { openService } from "./support/open-service.ts";

/** Each further `a` doubles the time of a text that does not match. */
const nickname = /^(?:a+)+$/u;
const schema: StandardSchema = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) =>
      typeof value === "object" &&
      value !== null &&
      "nickname" in value &&
      nickname.test(String(value.nickname))
        ? { value }
        : { issues: [{ message: "has no nickname" }] },
  },
};

it("a text of a client that keeps the schema of the host busy is refused, and only its account waits", async () => {
  let time = Date.UTC(2026, 0, 1);
  const creation = createEventRegistry({
    "member.joined": { schema, sample: { id: "m_1", nickname: "aa" }, description: "A member has joined." },
  });
  if (!creation.ok) throw new Error("the event is refused");
  const { service } = openService({ events: creation.registry, now: () => time });
  for (const account of ["acc_1", "acc_2"]) {
    await service.accounts.put(account, { email: "owner@example.com" });
    await service.projects.put(`site_${account}`, { account_id: account });
  }
  const trigger = (account: string, nickname: string) =>
    service.listeners.trigger(callerOf(account), { event: "member.joined", data: { nickname } });
  // It would take longer than this test may run.
  const hostile = `${"a".repeat(60)}!`;
  await expect(trigger("acc_1", hostile)).rejects.toMatchObject({ code: "validation_failed" });
  await expect(trigger("acc_1", "aaa")).rejects.toMatchObject({
    code: "rate_limited",
    retryAfterSeconds: 10,
  });
  expect(await trigger("acc_2", "aaa")).toMatchObject({ event: "member.joined" });
  await expect(trigger("acc_2", "b")).rejects.toMatchObject({ code: "validation_failed" });
  time += 10_000;
  expect(await trigger("acc_1", "aaa")).toMatchObject({ event: "member.joined" });
});
