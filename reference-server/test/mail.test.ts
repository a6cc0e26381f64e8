import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { createLogger } from "../src/logger.ts";
import { createMailer } from "../src/mail/create-mailer.ts";

const mail = { to: "owner@example.com", subject: "Your webhook is failing", text: "First line\nSecond line" };

describe("a mail", () => {
  it("without a mail server is one log line", async () => {
    const lines: string[] = [];
    const logger = createLogger({
      form: "json",
      colours: false,
      write: (line) => lines.push(line),
      now: () => 0,
      secrets: [],
    });
    await (await createMailer({ smtpUrl: undefined, mailFrom: undefined, logger })).send(mail);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: "mail", ...mail }),
    ]);
  });

  it.each([
    ["Hooks <hooks@example.com>", "hooks@example.com"],
    [undefined, "hookwright@127.0.0.1"],
  ])("goes to the mail server, from %s", async (mailFrom, sender) => {
    await using server = await startMailServer();
    const logger = createLogger({ form: "json", colours: false, write: () => {}, now: () => 0, secrets: [] });
    const mailer = await createMailer({ smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom, logger });
    await mailer.send(mail);
    const said = server.heard();
    expect(said).toContain(`MAIL FROM:<${sender}>`);
    expect(said).toContain(`RCPT TO:<${mail.to}>`);
    expect(said).toContain(`Subject: ${mail.subject}`);
    expect(said).toContain("First line\r\nSecond line");
  });

  it("can be sent with a malformed percent-encoded user name", async () => {
    const logger = createLogger({ form: "json", colours: false, write: () => {}, now: () => 0, secrets: [] });
    const smtpUrl = "smtp://100%sure:password@127.0.0.1:9";
    await expect(createMailer({ smtpUrl, mailFrom: undefined, logger })).resolves.toBeDefined();
  });

  it("to an address with a comma has at most one recipient", async () => {
    await using server = await startMailServer();
    const logger = createLogger({ form: "json", colours: false, write: () => {}, now: () => 0, secrets: [] });
    const mailer = await createMailer({
      smtpUrl: `smtp://127.0.0.1:${server.port}`,
      mailFrom: undefined,
      logger,
    });
    await mailer.send({ ...mail, to: "a@example.com,b@example.com" }).catch(() => {});
    expect(server.heard().match(/RCPT TO/gu)?.length ?? 0).toBeLessThanOrEqual(1);
  });
});

/** The part of SMTP (RFC 5321) that a plain mail needs. */
async function startMailServer() {
  let heard = "";
  const server = createServer((socket) => {
    let inData = false;
    socket.setEncoding("utf8");
    socket.write("220 test\r\n");
    socket.on("data", (text: string) => {
      heard += text;
      for (const line of text.split("\r\n").filter((each) => each !== "")) {
        if (inData) {
          if (line !== ".") continue;
          inData = false;
          socket.write("250 kept\r\n");
        } else if (line === "DATA") {
          inData = true;
          socket.write("354 go on\r\n");
        } else if (line === "QUIT") socket.end("221 bye\r\n");
        else socket.write("250 ok\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the mail server has no port");
  return {
    port: address.port,
    heard: () => heard,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
