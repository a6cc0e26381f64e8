import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Webhook } from "svix";
import { expect, it } from "vitest";
import { importText } from "../support/import-text.ts";
import { openConsole } from "../support/open-console.ts";

/** A Python with the packages `svix` and `standardwebhooks`. They are not of Debian, so this runs only on request. */
const python = process.env["RECEIVER_PYTHON"] ?? "";
if (python === "")
  process.stderr.write("The migration of receivers in Python did not run: RECEIVER_PYTHON is not set.\n");

const program = fileURLToPath(new URL("../support/standard_receiver.py", import.meta.url));
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const hostToken = "support:manage+read:a-token-of-the-host";

async function openReceiver(library: string) {
  const receiver = spawn(python, ["-B", program, library], {
    env: { WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  return {
    nextLine,
    url: `http://127.0.0.1:${await nextLine()}/webhooks`,
    async [Symbol.asyncDispose]() {
      receiver.kill();
      await once(receiver, "exit");
    },
  };
}

/** What the other sender sends, with headers of its own name or of Standard Webhooks. */
async function sendAsBefore(url: string, { prefix, body }: { prefix: string; body: string }) {
  const at = new Date();
  return fetch(url, {
    method: "POST",
    headers: {
      [`${prefix}-id`]: "msg_1",
      [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1_000)),
      [`${prefix}-signature`]: new Webhook(secret).sign("msg_1", at, body),
    },
    body,
  });
}

it.runIf(python !== "").each([
  { library: "svix", prefix: "svix" },
  { library: "svix", prefix: "webhook" },
  { library: "standardwebhooks", prefix: "webhook" },
])(
  "a receiver in Python with $library, which got headers $prefix-…, goes on without a change",
  async ({ library, prefix }) => {
    await using receiver = await openReceiver(library);
    const before = JSON.stringify({ type: "review.submitted", timestamp: "2026-11-30T16:00:00Z", data: {} });
    expect((await sendAsBefore(receiver.url, { prefix, body: before })).status).toBe(204);
    expect(await receiver.nextLine()).toBe("review.submitted");

    await using world = await openConsole({ hostToken, standardWebhooks: true, bodyForm: "standard" });
    const text = `url,events,secret\n${receiver.url},review.submitted,${secret}\n`;
    const commandLine = ["--account", world.account];
    expect(await importText(world, text, { hostToken, commandLine })).toMatchObject({
      status: 0,
      printed: "1 created, 0 unchanged, 0 refused.",
    });
    const [delivery = ""] = await world.publish("rev_1");
    expect(await receiver.nextLine()).toBe("review.submitted");
    await expect.poll(() => world.statusOf(delivery)).toBe("delivered");

    const { attempts } = await world.hookwright.deliveries.get(world.account, delivery);
    const sent = attempts[0]?.request;
    const resent = { method: "POST", headers: { ...sent?.headers }, body: `${sent?.body} ` };
    expect((await fetch(receiver.url, resent)).status).toBe(401);
    expect(await receiver.nextLine()).toMatch(/^refused: /u);
  },
);
