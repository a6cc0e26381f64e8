import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/transport/answer.ts";
import type { TransportOptions } from "../../src/transport/transport.ts";
import { createCertificate } from "./support/certificate.ts";
import type { Certificate } from "./support/certificate.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import type { ReceiverOptions } from "./support/hostile-receiver.ts";
import { openSender } from "./support/sender.ts";

const name = "hooks.example.com";
const authority = createCertificate({ name: "Test authority", isAuthority: true });
const good = createCertificate({ name, issuer: authority });
const pemOf = ({ key, cert }: Certificate) => ({ key, cert });

/** Sends to a receiver over TLS, several times: TLS 1.2 sends its session before the host name has been checked. */
const toTls = async (certificate: Certificate, maxVersion: "TLSv1.2" | "TLSv1.3"): Promise<Answer[]> => {
  const receiver = await openReceiver({ tls: { ...pemOf(certificate), maxVersion } });
  const { send } = openSender({ tls: { ca: authority.cert } });
  const answers: Answer[] = [];
  for (let attempt = 0; attempt < 3; attempt++) answers.push(await send(`https://${name}:${receiver.port}/`));
  expect(receiver.requests).toEqual([]);
  return answers;
};

/** Sends to a receiver without TLS. */
const toPlain = async (options: ReceiverOptions, timeoutMs = 5_000): Promise<Answer> => {
  const receiver = await openReceiver(options);
  return openSender().send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs });
};

const answering = (text: string): ReceiverOptions => ({
  onRequest: (socket) => socket.end(Buffer.from(text, "latin1")),
});

/** Sends to a name that resolves like this. */
const toName = (resolve: NonNullable<TransportOptions["resolve"]>): Promise<Answer> =>
  openSender({ privateTargets: false, resolve }).send(`https://${name}/`);

const failWith = (code: string) => async () => {
  throw Object.assign(new Error(`query failed at 10.0.0.53: ${code}`), { code });
};

async function findClosedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe.each(["TLSv1.2", "TLSv1.3"] as const)("class tls, %s", (version) => {
  it.each<[string, () => Certificate, string]>([
    [
      "an expired certificate",
      () =>
        createCertificate({
          name,
          issuer: authority,
          notBefore: new Date("2024-01-01T00:00:00Z"),
          notAfter: new Date("2024-11-03T10:20:30Z"),
        }),
      "The certificate expired on 3 Nov 2024. Renew it.",
    ],
    [
      "a certificate that is not valid yet",
      () =>
        createCertificate({
          name,
          issuer: authority,
          notBefore: new Date("2091-02-14T00:00:00Z"),
          notAfter: new Date("2092-02-14T00:00:00Z"),
        }),
      "The certificate is not valid before 14 Feb 2091. Check its dates.",
    ],
    [
      "a certificate for another name",
      () => createCertificate({ name: "example.org", issuer: authority }),
      "The certificate is for example.org, not for hooks.example.com.",
    ],
    [
      "a self-signed certificate",
      () => createCertificate({ name }),
      "The certificate is self-signed. Use a certificate from a public authority.",
    ],
    [
      "an authority that is not trusted",
      () =>
        createCertificate({
          name,
          issuer: createCertificate({ name: "Unknown authority", isAuthority: true }),
        }),
      "The certificate was issued by an authority that is not trusted (an intermediate certificate may be missing). Send the whole chain.",
    ],
    [
      "a certificate with a name that imitates another text",
      () => createCertificate({ name: "a.example\u202e.\n<script>", issuer: authority }),
      "The certificate is for a.example\\u00e2\\u0080\\u00ae.\\u000a<scrip…, not for hooks.example.com.",
    ],
  ])("%s, on the first attempt and on later ones", async (_, create, detail) => {
    const expected = { status: null, failure: "tls", detail };
    expect(await toTls(create(), version)).toMatchObject([expected, expected, expected]);
  });
});

it("an expired intermediate certificate has its own sentence", async () => {
  const old = createCertificate({
    name: "Old authority",
    issuer: authority,
    isAuthority: true,
    notBefore: new Date("2024-01-01T00:00:00Z"),
    notAfter: new Date("2024-11-03T00:00:00Z"),
  });
  const { key, cert } = createCertificate({ name, issuer: old });
  const receiver = await openReceiver({ tls: { key, cert: cert + old.cert } });
  const answer = await openSender({ tls: { ca: authority.cert } }).send(`https://${name}:${receiver.port}/`);
  expect(answer).toMatchObject({
    failure: "tls",
    detail: "A certificate of the chain has expired. Renew the whole chain.",
  });
});

const reset = (socket: Socket): void => void socket.resetAndDestroy();

const sentences: [string, () => Promise<Answer>, Partial<Answer>][] = [
  [
    "a name that does not exist",
    () => toName(failWith("ENOTFOUND")),
    {
      failure: "dns",
      detail:
        "The name hooks.example.com does not exist, or has no address (ENOTFOUND). Check its DNS records.",
    },
  ],
  [
    "a name without addresses",
    () => toName(async () => []),
    { failure: "dns", detail: "The name hooks.example.com has no address. Check its DNS records." },
  ],
  [
    "name servers that do not answer",
    () => toName(failWith("EAI_AGAIN")),
    {
      failure: "dns",
      detail:
        "The name hooks.example.com could not be resolved: the name servers did not answer (EAI_AGAIN). Check its DNS records.",
    },
  ],
  [
    "another error of the name servers, without its message",
    () => toName(failWith("EBADRESP")),
    {
      failure: "dns",
      detail: "The name hooks.example.com could not be resolved (EBADRESP). Check its DNS records.",
    },
  ],
  [
    "a name that leads to a private address, without the address",
    () => toName(async () => [{ address: "10.0.0.5", family: 4 }]),
    {
      failure: "blocked_address",
      detail: "hooks.example.com resolves to an address that is not public. Nothing was sent.",
    },
  ],
  [
    "a private address",
    () => openSender({ privateTargets: false }).send("https://10.0.0.5/"),
    {
      failure: "blocked_address",
      detail: expect.stringMatching(
        /^The webhook's URL must point to a public address, and 10\.0\.0\.5 is not one; .*\. Nothing was sent\.$/u,
      ),
    },
  ],
  [
    "a closed port",
    async () => {
      const port = await findClosedPort();
      const answer = await openSender().send(`http://127.0.0.1:${port}/`);
      return { ...answer, detail: answer.detail?.replaceAll(String(port), "PORT") ?? null };
    },
    { failure: "connect", detail: "Connection refused by 127.0.0.1:PORT." },
  ],
  [
    "a name whose addresses all refuse",
    async () => {
      const port = await findClosedPort();
      const resolve = async () => ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
      const answer = await openSender({ resolve }).send(`http://${name}:${port}/`);
      return { ...answer, detail: answer.detail?.replaceAll(String(port), "PORT") ?? null };
    },
    {
      failure: "connect",
      detail: "Connection refused by 127.0.0.1:PORT. Connection refused by 127.0.0.2:PORT.",
    },
  ],
  [
    "a connection that is closed in the handshake",
    async () => {
      const receiver = await openReceiver({
        onConnection: (socket) => socket.once("data", () => socket.end()),
      });
      return openSender().send(`https://${name}:${receiver.port}/`);
    },
    { failure: "tls", detail: "The connection was closed during the TLS handshake." },
  ],
  [
    "a connection that is reset in the handshake",
    async () => {
      const receiver = await openReceiver({
        onConnection: (socket) => socket.once("data", () => reset(socket)),
      });
      return openSender().send(`https://${name}:${receiver.port}/`);
    },
    { failure: "tls", detail: "The connection was reset during the TLS handshake." },
  ],
  [
    "plain HTTP where TLS was expected",
    async () => {
      const receiver = await openReceiver({
        onConnection: (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      });
      return openSender().send(`https://${name}:${receiver.port}/`);
    },
    { failure: "tls", detail: "The endpoint does not speak TLS on this port." },
  ],
  [
    "an endpoint that speaks only HTTP/2",
    async () => {
      const receiver = await openReceiver({ tls: { ...pemOf(good), ALPNProtocols: ["h2"] } });
      return openSender({ tls: { ca: authority.cert } }).send(`https://${name}:${receiver.port}/`);
    },
    { failure: "tls", detail: "The endpoint must speak HTTP/1.1. It offers another protocol." },
  ],
  [
    "an endpoint that asks for a client certificate",
    async () => {
      const tls = { ...pemOf(good), requestCert: true, rejectUnauthorized: true, ca: authority.cert };
      const receiver = await openReceiver({ tls });
      return openSender({ tls: { ca: authority.cert } }).send(`https://${name}:${receiver.port}/`);
    },
    { failure: "tls", detail: "The endpoint asks for a client certificate. It must ask for none." },
  ],
  [
    "a connection that is closed instead of a response",
    () => toPlain({ onRequest: (socket) => socket.end() }),
    { failure: "reset", detail: "The connection was closed before a response." },
  ],
  [
    "a connection that is reset instead of a response",
    () => toPlain({ onRequest: reset }),
    { failure: "reset", detail: "The connection was reset before a response." },
  ],
  [
    "a response that does not come in time on a connection that was open already",
    async () => {
      const receiver = await openReceiver({
        onRequest: (socket, number) => number === 1 && socket.write("HTTP/1.1 204 Done\r\n\r\n"),
      });
      const { send } = openSender();
      await send(`http://127.0.0.1:${receiver.port}/`);
      return send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: 200 });
    },
    {
      failure: "timeout",
      detail:
        "No response within 200 ms (the connection was open already, waiting for the response headers).",
    },
  ],
  [
    "bytes that are not text",
    () => toPlain(answering(`\x00\x1b[31m"\\\x85${"é".repeat(60)}\n`)),
    {
      failure: "protocol",
      detail: `The response is not HTTP/1.x: it began with "\\x00\\x1b[31m"\\\\x85${"\\xe9".repeat(31)}…".`,
    },
  ],
  [
    "an error of the endpoint",
    () => toPlain(answering("HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n")),
    { status: 500, failure: "status", detail: "The endpoint answered 500." },
  ],
  [
    "an endpoint that is gone",
    () => toPlain(answering("HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n")),
    { status: 410, failure: "status", detail: "The endpoint answered 410 (Gone): its webhook is removed." },
  ],
  [
    "a redirect",
    () =>
      toPlain(
        answering(
          "HTTP/1.1 301 Moved\r\nlocation: https://www.example.com/hooks\r\ncontent-length: 0\r\n\r\n",
        ),
      ),
    {
      status: 301,
      failure: "status",
      detail:
        "The endpoint answered 301 with Location https://www.example.com/hooks: redirects are not followed. Set the webhook's URL to the new address.",
    },
  ],
  [
    "a redirect without a target",
    () => toPlain(answering("HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n")),
    { status: 302, failure: "status", detail: "The endpoint answered 302." },
  ],
  [
    "an accepted delivery",
    () => toPlain(answering("HTTP/1.1 204 Done\r\n\r\n")),
    { status: 204, failure: null, detail: null },
  ],
];

describe("the reason of a failed attempt", () => {
  it.each(sentences)("%s", async (_, send, expected) => {
    expect(await send()).toMatchObject(expected);
  });

  it("has at most 300 characters, all of them printable, whatever a receiver writes", async () => {
    const hostile = "\x00\u0085é".repeat(2_000);
    const answers = await Promise.all([
      toPlain(answering(`${hostile}\n`)),
      toPlain(answering(`HTTP/1.1 301 Moved\r\nlocation: ${hostile.replaceAll("\x00", "\x7f")}\r\n\r\n`)),
      toTls(
        createCertificate({ name: `${"x".repeat(60)}.\n${"y.".repeat(3_000)}example`, issuer: authority }),
        "TLSv1.3",
      ),
    ]);
    for (const { detail } of answers.flat()) expect(detail).toMatch(/^[ -~…]{20,300}$/u);
  });
});
