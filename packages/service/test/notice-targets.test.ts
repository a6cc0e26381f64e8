import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import type { Mail } from "../src/index.ts";
import { keys } from "../src/rows/keys.ts";
import { parseNoticeTargets } from "../src/rows/notice-targets-row.ts";
import { openService } from "./support/open-service.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const ops = { type: "email", to: "Ops@example.com" };

async function openTargets(send = async (): Promise<void> => {}) {
  let at = Date.parse("2026-11-20T09:30:00Z");
  const store = memoryStore({ now: () => at });
  const mails: Mail[] = [];
  const mailer = {
    send: async (mail: Mail): Promise<void> => {
      mails.push(mail);
      await send();
    },
  };
  const { service, errors } = openService({
    store,
    now: () => at,
    mailer,
    consoleUrl: "https://hooks.example.com/console",
  });
  await service.accounts.put("acc_1", { email: "owner@example.com", name: "<b>Evil</b>" });
  return {
    targets: service.noticeTargets,
    service,
    mails,
    errors,
    advance: (ms: number) => void (at += ms),
    toldOnes: async () =>
      parseNoticeTargets(await store.get(keys.noticeTargets("acc_1"))).map(({ to }) => to),
    tokenOf: ({ text }: Mail) => /\/confirm\/(\S+)/u.exec(text)?.[1] ?? "",
  };
}

const limited = { code: "invalid_state", message: expect.stringContaining("in 24 hours") };

it("the audit log says what became of a target, without addresses and paths", async () => {
  const { targets, service, mails, tokenOf } = await openTargets();
  const mail = await targets.create("acc_1", { ...ops, kinds: ["webhook.failing"] });
  await targets.update("acc_1", mail.id, { kinds: ["webhook.removed"] });
  await targets.confirm(tokenOf(mails[0] ?? { to: "", subject: "", text: "" }));
  const to = "https://hooks.example.com:8443/s3cret?token=s3cret";
  const chat = await targets.create("acc_1", { type: "chat", to, kinds: ["webhook.removed"] });
  await targets.remove("acc_1", chat.id);
  const { rows } = await service.audit.list({ action: "notice_targets.updated" }, { limit: 10 });
  const ofChat = [
    ["type", "chat"],
    ["kinds", "webhook.removed"],
    ["status", "active"],
    ["target_host", "hooks.example.com:8443"],
  ] as const;
  expect(rows.map(({ changes }) => changes)).toEqual([
    ofChat.map(([field, old]) => ({ field, old, new: null })),
    ofChat.map(([field, now]) => ({ field, old: null, new: now })),
    [{ field: "status", old: "unconfirmed", new: "active" }],
    [{ field: "kinds", old: "webhook.failing", new: "webhook.removed" }],
    [
      { field: "type", old: null, new: "email" },
      { field: "kinds", old: null, new: "webhook.failing" },
      { field: "status", old: null, new: "unconfirmed" },
    ],
  ]);
  expect(rows[0]?.account_name).toBe("<b>Evil</b>");
});

describe("a new address", () => {
  it("gets a link in a mail without words of the customer, and nothing else until somebody confirms", async () => {
    const { targets, mails, toldOnes, tokenOf } = await openTargets();
    const target = await targets.create("acc_1", ops);
    expect(target).toMatchObject({ to: "ops@example.com", status: "unconfirmed" });
    const [mail] = mails;
    if (mail === undefined) throw new Error("no mail was sent");
    expect(mail.to).toBe("ops@example.com");
    expect(mail.text).toContain("\nhttps://hooks.example.com/console#/confirm/hws_");
    expect(mail.text).not.toContain("Evil");
    expect(await toldOnes()).toEqual([null]);
    await expect(targets.test("acc_1", target.id)).rejects.toMatchObject({ code: "invalid_state" });
    const shown = { account_name: "<b>Evil</b>", to: "ops@example.com" };
    const token = tokenOf(mail);
    expect(await targets.describeConfirmation(token)).toEqual(shown);
    expect(await toldOnes()).toEqual([null]);
    await expect(targets.stop(token)).rejects.toMatchObject({ code: "resource_not_found" });
    for (let click = 0; click < 2; click++) expect(await targets.confirm(token)).toEqual(shown);
    expect(await toldOnes()).toEqual([null, "ops@example.com"]);
    expect(await targets.list("acc_1")).toMatchObject([{ status: "active" }, { status: "active" }]);
    expect(await targets.test("acc_1", target.id)).toEqual({ id: target.id, sent: true });
    await targets.remove("acc_1", target.id);
    await expect(targets.confirm(token)).rejects.toMatchObject({ code: "resource_not_found" });
  });

  it("gets the link again, at most three times in 24 hours", async () => {
    const { targets, mails, advance, toldOnes, tokenOf } = await openTargets();
    const { id } = await targets.create("acc_1", ops);
    for (let time = 0; time < 2; time++) await targets.resendConfirmation("acc_1", id);
    await expect(targets.resendConfirmation("acc_1", id)).rejects.toMatchObject(limited);
    await targets.remove("acc_1", id);
    await expect(targets.create("acc_1", ops)).rejects.toMatchObject(limited);
    advance(dayMs);
    const anew = await targets.create("acc_1", ops);
    expect(mails).toHaveLength(4);
    for (const mail of mails.slice(0, 3))
      await expect(targets.confirm(tokenOf(mail))).rejects.toMatchObject({ code: "resource_not_found" });
    for (const mail of mails.slice(3)) await targets.confirm(tokenOf(mail));
    expect(await toldOnes()).toEqual([null, "ops@example.com"]);
    await expect(targets.resendConfirmation("acc_1", anew.id)).rejects.toMatchObject({
      code: "invalid_state",
    });
  });

  it("is one of at most ten in 24 hours, those that were removed included", async () => {
    const { targets, mails } = await openTargets();
    for (let number = 0; number < 10; number++) {
      const { id } = await targets.create("acc_1", { type: "email", to: `${number}@example.com` });
      await targets.remove("acc_1", id);
    }
    await expect(targets.create("acc_1", ops)).rejects.toMatchObject(limited);
    expect(mails).toHaveLength(10);
    expect(await targets.list("acc_1")).toHaveLength(1);
  });

  it("waits for its link if the mail could not be sent", async () => {
    const { targets, errors } = await openTargets(() => Promise.reject(new Error("421 come back later")));
    expect(await targets.create("acc_1", ops)).toMatchObject({ status: "unconfirmed" });
    expect(errors).toEqual([new Error("421 come back later")]);
  });

  it("is refused if nobody can send it a link", async () => {
    const { service } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    await expect(service.noticeTargets.create("acc_1", ops)).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining("public URL"),
    });
  });
});

it("the address of the account needs no confirmation, and is in the list once", async () => {
  const { targets, mails } = await openTargets();
  const own = { type: "email", to: "Owner@example.com" };
  await expect(targets.create("acc_1", own)).rejects.toMatchObject({ code: "invalid_state" });
  await targets.remove("acc_1", "account");
  expect(await targets.create("acc_1", own)).toMatchObject({ to: "owner@example.com", status: "active" });
  expect(mails).toEqual([]);
});
