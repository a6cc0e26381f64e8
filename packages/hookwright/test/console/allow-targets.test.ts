import { createServer } from "node:https";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it, onTestFinished, vi } from "vitest";
import { createCertificate } from "../../../delivery/test/transport/support/certificate.ts";
import { openConsole } from "../support/open-console.ts";
import { listenLocally } from "../support/listen-locally.ts";

async function openSecureReceiver(host: string, name: string) {
  const { key, cert } = createCertificate({ name });
  const { promise: arrived, resolve } = Promise.withResolvers<string | undefined>();
  const server = createServer({ key, cert }, (request, response) => {
    resolve(request.headers.host);
    response.writeHead(204).end();
  });
  const local = await listenLocally(server, host);
  return { ...local, cert, arrived, origin: `https://${name}:${local.port}` };
}

it("webhooks reach listed targets in production, and are refused for all others when created, changed and sent", async () => {
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  await using receiver = await openSecureReceiver("127.0.0.1", "localhost");
  const store = memoryStore();
  const options = { store, privateTargets: false, egress: { ca: receiver.cert } };
  const webhook = (target_url: string) => ({ event: "review.submitted", target_url });
  let path: string;
  {
    await using world = await openConsole({ ...options, allowTargets: ["localhost", "10.1.2.0/24"] });
    const create = (url: string) => world.ask("POST /console/api/webhooks", webhook(url));
    expect((await create("https://10.1.2.3/hooks")).status).toBe(201);
    const created = await create(`${receiver.origin}/hooks`);
    path = `/console/api/webhooks/${String(created.data["id"])}`;
    for (const url of [
      "https://10.1.3.3/",
      "https://127.0.0.1/",
      "https://db.internal/",
      "http://localhost:8080/",
    ]) {
      expect([url, (await create(url)).code]).toEqual([url, "invalid_target_url"]);
      const changed = await world.ask(`PATCH ${path}`, { target_url: url });
      expect([url, changed.code]).toEqual([url, "invalid_target_url"]);
    }
    await world.publish("rev_1");
    expect(await receiver.arrived).toBe(new URL(receiver.origin).host);
    expect((await world.ask(`POST ${path}/test`)).data).toMatchObject({ status: 204, error: null });
  }
  await using after = await openConsole(options);
  expect((await after.ask(`POST ${path}/test`)).data).toMatchObject({
    status: null,
    error: "blocked_address",
  });
});
