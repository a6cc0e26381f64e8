import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sampleDeliveryBody } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { openBrowser } from "../test/support/open-browser.ts";
import { openSite } from "../test/support/open-site.ts";

const images = path.join(import.meta.dirname, "../../../docs/images");
const size = { width: 1_280, height: 800 };
const email = "owner@example.com";
const password = "correct horse battery";
const hostToken = "a host token for these screenshots only";

/** The receivers of the account, by path, with the status that each one returns. */
const receivers: readonly { readonly event: EventName; readonly path: string; readonly status: number }[] = [
  { event: "order.created", path: "/orders", status: 200 },
  { event: "order.paid", path: "/paid", status: 503 },
  { event: "review.submitted", path: "/reviews", status: 204 },
  { event: "booking.created", path: "/bookings", status: 204 },
  { event: "subscriber.created", path: "/news", status: 422 },
];
const events: readonly EventName[] = [
  ...(["order.created", "subscriber.created", "booking.created", "order.created", "order.paid"] as const),
  ...(["review.submitted", "order.created", "booking.created", "order.paid", "order.created"] as const),
  ...(["review.submitted", "subscriber.created", "order.created", "order.paid"] as const),
];

const receiver = createServer((request, response) => {
  request.resume();
  const { status = 404 } = receivers.find((each) => each.path === request.url) ?? {};
  response.writeHead(status).end();
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const address = receiver.address();
const receiverOrigin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;

// The events are some minutes apart.
let ago = events.length * 7 * 60_000;
const hookwright = await createHookwright({
  store: memoryStore(),
  secret: "a secret for these screenshots only",
  hostToken,
  privateTargets: true,
  now: () => Date.now() - ago,
  retryDelaysSeconds: [],
});
await hookwright.accounts.put("acc_bakery", { name: "Bakery", email, password });
await hookwright.projects.put("site_shop", {
  account_id: "acc_bakery",
  name: "Bakery",
  timezone: "Europe/Berlin",
});
for (const { event, path: target } of receivers)
  await hookwright.webhooks.create(
    { accountId: "acc_bakery", credential: { type: "console" } },
    { event, target_url: receiverOrigin + target },
  );
for (const [index, event] of events.entries()) {
  const data = { ...sampleDeliveryBody(event).data, id: `${event.split(".", 1)[0]}_${1_041 + index}` };
  const published = await hookwright.fetch(
    new Request("http://localhost/host/v1/events", {
      method: "POST",
      headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
      body: JSON.stringify({ event, project_id: "site_shop", data }),
    }),
  );
  if (!published.ok) throw new Error(`${event} was not published: ${await published.text()}`);
  await delay(200);
  ago -= 7 * 60_000;
}

const site = await openSite(hookwright);
const browser = await openBrowser();
try {
  const page = await (await browser.newContext({ viewport: size, colorScheme: "light" })).newPage();
  // In production receivers have names.
  await page.route("**/console/api/**", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(receiverOrigin, "https://shop.example");
    await route.fulfill({ response, body });
  });
  await page.goto(`${site.origin}/console`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page
    .getByRole("link", { name: /^order_/u })
    .first()
    .waitFor();
  await page.screenshot({ path: path.join(images, "console.png") });
} finally {
  await browser.close();
  await site[Symbol.asyncDispose]();
  await hookwright.close();
  receiver.close();
}
