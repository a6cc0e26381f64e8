import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createCertificate } from "../../packages/delivery/test/transport/support/certificate.ts";
import { openConnectProxy } from "../../packages/delivery/test/transport/support/connect-proxy.ts";
import { readEgress } from "../src/egress-files.ts";
import type { EgressSettings } from "../src/egress-files.ts";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import { createAccount, createWebhook, hostToken, publishOrder } from "./support/host-api.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runToEnd, startServer } from "./support/server-process.ts";

const folder = await makeFolder(afterAll);

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

const none: EgressSettings = {
  proxy: undefined,
  sourceAddress: undefined,
  deliveryClientCert: undefined,
  deliveryClientKey: undefined,
  deliveryCa: undefined,
};
const { key, cert } = createCertificate({ name: "sender.example.com" });
const other = createCertificate({ name: "sender.example.com" });

it("a server delivers through the proxy that a file names, from its source address", async () => {
  await using receiver = await startCountingReceiver();
  const proxy = await openConnectProxy();
  await using server = await startServer({
    env: {
      HOOKWRIGHT_STORAGE: "memory",
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
      HOOKWRIGHT_PROXY_FILE: await write("proxy", `http://user:hidden@127.0.0.1:${proxy.port}\n`),
      HOOKWRIGHT_SOURCE_ADDRESS: "127.0.0.2",
      HOOKWRIGHT_LOG_LEVEL: "debug",
    },
  });
  const { apiKey } = await createAccount(server);
  await createWebhook(server, { token: apiKey, url: receiver.url });
  await publishOrder(server, "ord_1");
  await receiver.received(1);
  expect(proxy.tunnels).toEqual([
    {
      target: new URL(receiver.url).host,
      authorization: `Basic ${Buffer.from("user:hidden").toString("base64")}`,
    },
  ]);
  expect(proxy.clients).toEqual(["127.0.0.2"]);
  await server.stop();
  expect(server.stdout).toMatch(/THE PROXY MUST REFUSE PRIVATE ADDRESSES.*"code":"proxy_checks_addresses"/u);
  expect(server.stdout + server.stderr).not.toContain("hidden");
});

it("a proxy in the variables of Node is not used for deliveries, so their addresses stay checked", async () => {
  await using receiver = await startCountingReceiver();
  const proxy = await openConnectProxy();
  const url = `http://127.0.0.1:${proxy.port}`;
  await using server = await startServer({
    env: {
      HOOKWRIGHT_STORAGE: "memory",
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
    },
  });
  const { apiKey } = await createAccount(server);
  await createWebhook(server, { token: apiKey, url: receiver.url });
  await publishOrder(server, "ord_1");
  await receiver.received(1);
  expect(proxy.clients).toEqual([]);
});

describe("the files of a client certificate", () => {
  it("are read", async () => {
    const settings = {
      ...none,
      deliveryClientCert: await write("cert.pem", cert),
      deliveryClientKey: await write("key.pem", key),
      deliveryCa: await write("ca.pem", other.cert),
    };
    expect(await readEgress(settings)).toEqual({ clientCertificate: { cert, key }, ca: other.cert });
  });

  it("are refused at the start if one is missing, unreadable, or of another certificate", async () => {
    const deliveryClientCert = await write("cert.pem", cert);
    const refusalOf = (settings: Partial<EgressSettings>) =>
      readEgress({ ...none, ...settings }).catch((error: unknown) => String(error));
    expect(await refusalOf({ deliveryClientCert })).toMatch(/must be set together/u);
    expect(await refusalOf({ deliveryCa: path.join(folder, "missing") })).toMatch(
      /--delivery-ca .* must be the path of a PEM file; ENOENT/u,
    );
    expect(await refusalOf({ deliveryCa: await write("text", "x") })).toMatch(/is not one\.$/u);
    const deliveryClientKey = await write("other.pem", other.key);
    expect(await refusalOf({ deliveryClientCert, deliveryClientKey })).toMatch(
      /--delivery-client-key .* cannot be used: .*mismatch/u,
    );
  });
});

it("a source address that is not of this machine is refused at the start", async () => {
  const env = { HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_SOURCE_ADDRESS: "192.0.2.7" };
  const { code, stderr } = await runToEnd({ env });
  expect(code).toBe(2);
  expect(stderr).toMatch(/--source-address .* must be an IP address of this machine; .*EADDRNOTAVAIL/u);
});
