import { describe, expect, it } from "vitest";
import { createLogger } from "../src/logger.ts";
import { createMailer } from "../src/mail/create-mailer.ts";
import { startMailServer } from "./support/mail-server.ts";

const mail = { to: "owner@example.com", subject: "Your webhook is failing", text: "First line\nSecond line" };

function open(smtpUrl?: string, mailFrom?: string, write: (line: string) => void = () => {}) {
  const logger = createLogger({ form: "json", colours: false, write, now: () => 0, secrets: [] });
  return createMailer({ smtpUrl, mailFrom, logger });
}

describe("a mail", () => {
  it("without a mail server is one log line", async () => {
    const lines: string[] = [];
    await (await open(undefined, undefined, (line) => lines.push(line))).send(mail);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: "mail", ...mail }),
    ]);
  });

  it.each([
    ["Hooks <hooks@example.com>", "Hooks <hooks@example.com>"],
    [undefined, "hookwright@127.0.0.1"],
  ])("goes to the mail server, from %s", async (mailFrom, sender) => {
    await using server = await startMailServer();
    // Without credentials, which would name a sender.
    await (await open(server.url.replace(/\/\/.*@/u, "//"), mailFrom)).send(mail);
    const [{ to, message } = { to: [], message: "" }] = server.mails;
    expect(to).toEqual([mail.to]);
    for (const line of [`From: ${sender}`, `Subject: ${mail.subject}`, "First line\r\nSecond line"])
      expect(message).toContain(line);
  });

  it("can be sent with a malformed percent-encoded user name", async () => {
    await expect(open("smtp://100%sure:password@127.0.0.1:9")).resolves.toBeDefined();
  });

  it("to an address with a comma has at most one recipient", async () => {
    await using server = await startMailServer();
    const mailer = await open(server.url);
    await mailer.send({ ...mail, to: "a@example.com,b@example.com" }).catch(() => {});
    expect(server.mails.flatMap(({ to }) => to).length).toBeLessThanOrEqual(1);
  });
});
