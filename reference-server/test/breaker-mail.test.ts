import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import { until } from "./support/fleet.ts";
import { call, createAccount, createWebhook, hostToken, publishOrder } from "./support/host-api.ts";
import { startMailServer } from "./support/mail-server.ts";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

function start(env: Readonly<Record<string, string>>, storage = "memory"): Promise<ServerProcess> {
  return startServer({
    args: ["serve", "--storage", storage],
    env: {
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
      HOOKWRIGHT_RETRY_DELAYS: "0.05,0.05,0.05,0.05,0.05",
      HOOKWRIGHT_ENDPOINT_BACKOFF: "0",
      ...env,
    },
  });
}

const startRefusingReceiver = () => startCountingReceiver({ status: 500 });

async function subscribe(server: ServerProcess, url: string): Promise<{ apiKey: string; path: string }> {
  const { apiKey } = await createAccount(server);
  const { id } = await createWebhook(server, { token: apiKey, url });
  return { apiKey, path: `/v1/webhooks/${String(id)}` };
}

it("the owner gets a mail at the sixth failure, and another at the thirtieth, which switches the webhook off", async () => {
  await using mailServer = await startMailServer();
  await using receiver = await startRefusingReceiver();
  await using server = await start({ SMTP_URL: mailServer.url });
  const { apiKey, path } = await subscribe(server, receiver.url);
  // One event after the other. Each has six attempts.
  for (let number = 1; number <= 5; number++) {
    await publishOrder(server, `ord_${number}`);
    await until(() => receiver.requests >= number * 6);
  }
  await until(() => mailServer.mails.length === 2);
  expect(await call(server, path, { token: apiKey })).toMatchObject({
    status: "switched_off",
    consecutive_failures: 30,
  });
  const [warning, switchedOff] = mailServer.mails;
  expect(mailServer.users).toEqual(["hooks@example.com", "hooks@example.com"]);
  for (const mail of [warning, switchedOff]) {
    expect(mail?.to).toEqual(["one@example.com"]);
    expect(mail?.message).toContain("From: hooks@example.com");
    expect(mail?.message).toContain(receiver.url);
    expect(mail?.message).toContain("The last failure: The endpoint answered 500.");
    expect(mail?.message).not.toMatch(/whsec_|hwk_/);
  }
  expect(warning?.message).toMatch(/^Subject: Your webhook is failing: 6 attempts in a row/m);
  expect(switchedOff?.message).toMatch(/^Subject: Your webhook was disabled/m);
  // Nothing is sent afterwards.
  expect(await publishOrder(server, "ord_6")).toMatchObject({ deliveries: [] });
});

it("a mail that the mail server defers arrives a few seconds later", async () => {
  await using mailServer = await startMailServer({ putsOff: 1 });
  await using receiver = await startRefusingReceiver();
  await using server = await start({ SMTP_URL: mailServer.url });
  await subscribe(server, receiver.url);
  await publishOrder(server, "ord_1");
  await server.waitFor(/"level":"warn".*"code":"mail_retried".*come back later/u);
  expect(mailServer.mails).toEqual([]);
  await until(() => mailServer.mails.length === 1);
  expect(mailServer.mails[0]?.message).toContain("Your webhook is failing");
  expect((await server.stop()).code).toBe(0);
  expect(server.stdout).not.toContain("given up");
});

it("a mail server that hangs or is unavailable delays no delivery, and the log says so", async () => {
  await using hanging = await startMailServer({ hangs: true });
  const hangingUrl = hanging.url;
  const urls = { hanging: hangingUrl, away: "smtp://127.0.0.1:1" };
  for (const [name, smtpUrl] of Object.entries(urls)) {
    await using receiver = await startRefusingReceiver();
    await using server = await start({ SMTP_URL: smtpUrl });
    await subscribe(server, receiver.url);
    for (let number = 1; number <= 3; number++) await publishOrder(server, `ord_${number}`);
    await until(() => receiver.requests === 18);
    if (name === "away") await server.waitFor(/"level":"warn".*"code":"mail_retried".*ECONNREFUSED/u);
    expect((await server.stop()).code).toBe(0);
  }
});

it("a server that is killed while a mail waits loses none: the next one sends it, once", async () => {
  await using mailServer = await startMailServer();
  await using receiver = await startRefusingReceiver();
  const directory = await mkdtemp(path.join(tmpdir(), "hookwright-mails-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const storage = `file:${directory}`;
  await using killed = await start({ SMTP_URL: "smtp://127.0.0.1:1" }, storage);
  await subscribe(killed, receiver.url);
  await publishOrder(killed, "ord_1");
  await killed.waitFor(/"code":"mail_retried"/u);
  await killed.kill9();
  await using next = await start({ SMTP_URL: mailServer.url }, storage);
  await until(() => mailServer.mails.length === 1);
  expect(mailServer.mails[0]?.message).toContain("Your webhook is failing");
  expect((await next.stop()).code).toBe(0);
  expect(mailServer.mails).toHaveLength(1);
});
