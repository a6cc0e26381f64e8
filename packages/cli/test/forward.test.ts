import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createStandardSigner, signSync, verifySync } from "@hookwright/signature/node";
import { expect, it } from "vitest";
import { createQueue } from "../src/listen/forward-queue.ts";
import { forward } from "../src/listen/forward.ts";
import { signAgain } from "../src/listen/received-delivery.ts";
import { createCertificate } from "../../delivery/test/transport/support/certificate.ts";
import { orderBody } from "./support/rows.ts";

const secret = "whsec_dGhlIHNlY3JldA==";

it("a full queue makes its caller wait until a place is free", async () => {
  const queue = createQueue({ running: 1, waiting: 2 });
  const open: (() => void)[] = [];
  const task = (): Promise<void> =>
    new Promise((resolve) => {
      open.push(resolve);
    });
  await queue.add(task);
  await queue.add(task);
  let isFree = false;
  const added = queue.add(task).then(() => (isFree = true));
  await Promise.resolve();
  expect({ isFree, isFull: queue.isFull, running: open.length }).toEqual({
    isFree: false,
    isFull: true,
    running: 1,
  });
  open[0]?.();
  await added;
  expect(queue.isFull).toBe(false);
  open[1]?.();
  await expect.poll(() => open.length).toBe(3);
  open[2]?.();
  await queue.finished();
});

it("a delivery that is signed again has only fresh signatures, and its old ids", () => {
  const old = 1_700_000_000;
  const headers = {
    "X-Service-Event": "order.created",
    "X-Service-Delivery": "dlv_1",
    "X-Service-Timestamp": String(old),
    "X-Service-Signature": signSync({ body: orderBody, secret, timestamp: old }),
    "webhook-id": "order.created_ord_1",
    "webhook-timestamp": String(old),
    "webhook-signature": createStandardSigner(secret)({
      id: "order.created_ord_1",
      body: orderBody,
      timestamp: old,
    }),
  };
  const now = old + 3_600;
  const again = signAgain({ id: "dlv_1", headers, body: orderBody }, { secret, now: now * 1_000 + 999 });
  expect(Object.keys(again.headers)).toEqual(Object.keys(headers));
  verifySync({ headers: again.headers, body: again.body, secrets: secret, now });
  const digest = createHmac("sha256", secret)
    .update(`order.created_ord_1.${now}.${orderBody}`)
    .digest("base64");
  expect(again.headers).toMatchObject({
    "X-Service-Delivery": "dlv_1",
    "webhook-id": "order.created_ord_1",
    "webhook-timestamp": String(now),
    "webhook-signature": `v1,${digest}`,
  });
});

it("an unknown certificate is accepted only if it is not checked", async () => {
  const { key, cert } = createCertificate({ name: "0.0.0.0" });
  const server = createServer({ key, cert }, (_, response) => response.end());
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    // This machine, but not by a name whose certificate is never checked.
    const target = new URL(`https://0.0.0.0:${port}/`);
    const delivery = { id: "dlv_1", headers: {}, body: orderBody };
    expect((await forward(delivery, { target })).error).toContain("its certificate is not accepted");
    expect((await forward(delivery, { target, skipVerify: true })).status).toBe(200);
  } finally {
    server.close();
  }
});
