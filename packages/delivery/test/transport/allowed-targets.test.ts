import { parseAllowedTargets } from "@hookwright/domain";
import { expect, it } from "vitest";
import { createCertificate } from "./support/certificate.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender } from "./support/sender.ts";

const authority = createCertificate({ name: "Test authority", isAuthority: true });

/** An endpoint at an address of this machine, with a certificate for a host. */
function openEndpoint(host: string, name: string) {
  const { key, cert } = createCertificate({ name, issuer: authority });
  return openReceiver({
    host,
    tls: { key, cert },
    onRequest: (socket) => socket.end("HTTP/1.1 204 Done\r\nconnection: close\r\n\r\n"),
  });
}

/** @param answers the addresses of every name, one for each lookup */
function openAllowingSender(entries: readonly string[], ...answers: readonly string[]) {
  const verdict = parseAllowedTargets(entries);
  if (!verdict.ok) throw new Error(verdict.reason);
  let lookups = 0;
  return openSender({
    privateTargets: false,
    allowedTargets: verdict.targets,
    tls: { ca: authority.cert },
    resolve: async () => [{ address: answers[lookups++] ?? "", family: 4 }],
  });
}

const delivered = { status: 204, failure: null };
const blocked = { status: null, failure: "blocked_address" };

it("a public name is delivered to an address of a listed network, and to no other that it resolves to later", async () => {
  const listed = await openEndpoint("127.0.0.2", "hooks.example.com");
  const { send } = openAllowingSender(["127.0.0.2/32"], "127.0.0.2", "127.0.0.1", "127.0.0.3");
  const url = `https://hooks.example.com:${listed.port}/`;
  expect(await send(url)).toMatchObject(delivered);
  expect(await send(url)).toMatchObject(blocked);
  expect(await send(url)).toMatchObject(blocked);
  expect(listed.connections).toHaveLength(1);
});

it("a listed name is delivered to whichever private address it resolves to, each of them checked by TLS", async () => {
  const name = "hooks.internal";
  const first = await openEndpoint("127.0.0.2", name);
  const { send } = openAllowingSender([name], "127.0.0.2", "127.0.0.3", "169.254.169.254");
  const url = `https://${name}:${first.port}/`;
  expect(await send(url)).toMatchObject(delivered);
  // Nothing listens at the second address, but it is dialled.
  expect(await send(url)).toMatchObject({ failure: "connect", detail: expect.stringContaining("127.0.0.3") });
  expect(await send(url)).toMatchObject(blocked);
  expect(await openAllowingSender(["other.internal"], "127.0.0.2").send(url)).toMatchObject(blocked);
  const other = openAllowingSender(["other.internal"], "127.0.0.2");
  expect(await other.send(`https://other.internal:${first.port}/`)).toMatchObject({
    failure: "tls",
    detail: `The certificate is for ${name}, not for other.internal.`,
  });
});

it("an address in a URL is dialled if it is listed, and every other private one is not", async () => {
  const listed = await openEndpoint("127.0.0.2", "127.0.0.2");
  const other = await openEndpoint("127.0.0.3", "127.0.0.3");
  const { send } = openAllowingSender(["127.0.0.2"]);
  expect(await send(`https://127.0.0.2:${listed.port}/`)).toMatchObject(delivered);
  expect(await send(`https://127.0.0.3:${other.port}/`)).toMatchObject(blocked);
  expect(await send(`http://127.0.0.2:${listed.port}/`)).toMatchObject(blocked);
  expect(other.connections).toEqual([]);
});
