import { once } from "node:events";
import { createServer } from "node:http";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { createHookwright } from "../../src/create-hookwright.ts";
import { openBakery, secret } from "../support/bakery.ts";
import { listenLocally } from "../support/listen-locally.ts";
import { openSession } from "../support/open-session.ts";

/** A receiver that delays its responses until the test releases them. */
async function openHangingReceiver() {
  const answers: (() => void)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    answers.push(() => void response.writeHead(204).end());
    server.emit("waiting");
  });
  const local = await listenLocally(server);
  return {
    ...local,
    answers,
    async waiting(count: number) {
      while (answers.length < count) await once(server, "waiting");
    },
  };
}

/** A webhook for such a receiver, and a function that tests it through the console. */
async function openTests(receiver: { readonly origin: string }) {
  const hookwright = await createHookwright({
    store: memoryStore(),
    secret,
    trustedOrigins: [receiver.origin],
  });
  const { webhook } = await openBakery(hookwright, `${receiver.origin}/hooks`);
  const token = await openSession(hookwright, "acc_bakery");
  const sendTest = (): Promise<Response> =>
    hookwright.fetch(
      new Request(`http://localhost/console/api/webhooks/${webhook.id}/test`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      }),
    );
  return { hookwright, sendTest };
}

it("a fifth concurrent test of an account is refused, and allowed after the others end", async () => {
  await using receiver = await openHangingReceiver();
  const { hookwright, sendTest } = await openTests(receiver);
  await using _ = hookwright;

  const four = Array.from({ length: 4 }, sendTest);
  await receiver.waiting(4);
  const refused = await sendTest();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await refused.json()).toMatchObject({ success: false, error: { code: "rate_limited" } });
  expect(receiver.answers).toHaveLength(4);

  receiver.answers.forEach((answer) => answer());
  expect((await Promise.all(four)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const fifth = sendTest();
  await receiver.waiting(5);
  receiver.answers[4]?.();
  expect((await fifth).status).toBe(200);
});

it("close() waits for a test in progress, and the test is in the log", async () => {
  await using receiver = await openHangingReceiver();
  const { hookwright, sendTest } = await openTests(receiver);
  const sent = sendTest();
  await receiver.waiting(1);
  let closed = false;
  const closing = hookwright.close().then(() => (closed = true));
  // All other parts are closed long before.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(closed).toBe(false);
  receiver.answers[0]?.();
  const answer = await sent;
  expect([answer.status, (await answer.json()).data.error]).toEqual([200, null]);
  await closing;
  const { rows } = await hookwright.deliveries.list("acc_bakery", {}, { limit: 10 });
  expect(rows).toMatchObject([{ kind: "test", status: "delivered" }]);
});
