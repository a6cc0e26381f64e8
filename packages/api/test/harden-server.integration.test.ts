import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createCertificate } from "../../delivery/test/transport/support/certificate.ts";
import { defaultConnections } from "../src/node-server/server-limits.ts";
import { hardenServer } from "../src/index.ts";
import type { HardenServerOptions } from "../src/index.ts";

const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const answer: RequestListener = (_, response) => void response.end("The shop");

async function open(
  listener: RequestListener,
  options: HardenServerOptions,
  change?: (server: Server) => void,
) {
  const server = hardenServer(createServer(listener), options);
  change?.(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

interface Client {
  readonly socket: Socket;
  readonly received: () => string;
  /** Waits until the server closes the connection, and returns all received data. */
  readonly closed: Promise<string>;
}

function openClient(port: number, { sent = "", localAddress = "127.0.0.1" } = {}): Client {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => (received += text));
  if (sent !== "") socket.write(sent);
  return {
    socket,
    received: () => received,
    closed: new Promise((resolve) => {
      socket.on("error", () => {}).once("close", () => resolve(received));
    }),
  };
}

async function connected(clients: readonly Client[]): Promise<void> {
  await Promise.all(clients.map(({ socket }) => (socket.connecting ? once(socket, "connect") : undefined)));
}

async function ask(port: number, localAddress?: string): Promise<string> {
  const sent = get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
  return openClient(port, { sent, ...(localAddress === undefined ? {} : { localAddress }) }).closed;
}

describe("the limit of connections", () => {
  it("closes idle connections of the network with the most, and serves a new client immediately", async () => {
    const { port } = await open(answer, { maxConnections: 20, headersTimeoutSeconds: 30 });
    const other = openClient(port, { localAddress: "127.0.0.2" });
    const silent = Array.from({ length: 60 }, () => openClient(port));
    await connected([other, ...silent]);
    await expect.poll(() => silent.filter(({ socket }) => socket.closed)).toHaveLength(41);
    expect(await ask(port, "127.0.0.3")).toContain("The shop");
    other.socket.write(get);
    await expect.poll(() => other.received()).toContain("The shop");
  });

  it("closes the connection that has waited longest, even in the middle of a body", async () => {
    const { port } = await open(
      (request, response) => void request.resume().on("end", () => response.end("read")),
      { maxConnections: 2 },
    );
    const sent = `${get.replace("GET", "POST").trimEnd()}\r\nContent-Length: 5\r\n\r\n`;
    const stalled = openClient(port, { sent: `${sent}ab` });
    await connected([stalled]);
    const used = openClient(port, { sent: `${sent}abcde` });
    await expect.poll(() => used.received()).toContain("read");
    await connected([openClient(port)]);
    expect(await stalled.closed).toBe("");
    expect(used.socket.closed).toBe(false);
  });

  it("serves a new client while another network is busy with all connections", async () => {
    const waiting: ServerResponse[] = [];
    const { port } = await open(
      ({ socket }, response) => {
        if (socket.remoteAddress === "127.0.0.2") response.end("The shop");
        else waiting.push(response);
      },
      { maxConnections: 3 },
    );
    const busy: Client[] = [];
    for (let count = 1; count <= 3; count++) {
      busy.push(openClient(port, { sent: get }));
      await expect.poll(() => waiting).toHaveLength(count);
    }
    expect(await ask(port, "127.0.0.2")).toContain("The shop");
    expect(await busy[0]?.closed).toBe("");
    expect(busy.map(({ socket }) => socket.closed)).toEqual([true, false, false]);
  });

  it("refuses a new client if its own network is busy with all connections", async () => {
    const responses: ServerResponse[] = [];
    const { port } = await open((_, response) => void responses.push(response), { maxConnections: 2 });
    const busy = [openClient(port, { sent: get }), openClient(port, { sent: get })];
    await expect.poll(() => responses).toHaveLength(2);
    expect(await openClient(port).closed).toBe("");
    for (const response of responses) response.end("done");
    await expect
      .poll(() => busy.map((client) => client.received()))
      .toEqual([expect.stringContaining("done"), expect.stringContaining("done")]);
  });

  it("is a quarter of the open-files limit, and at most 10,000", () => {
    expect([1_024, 20_000, 1_048_576, undefined, 2].map(defaultConnections)).toEqual([
      256, 5_000, 10_000, 10_000, 1,
    ]);
  });
});

describe("time limits", () => {
  it("close a connection without a request, and one whose body stalls", async () => {
    const { port } = await open((request) => void request.resume(), {
      headersTimeoutSeconds: 0.2,
      requestTimeoutSeconds: 0.4,
    });
    const silent = openClient(port);
    const slow = openClient(port, { sent: "GET / HTTP/1.1\r\nHost" });
    const body = openClient(port, { sent: `${get.trimEnd()}\r\nContent-Length: 5\r\n\r\nab` });
    const received = await Promise.all([silent.closed, slow.closed, body.closed]);
    for (const text of received) expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/u);
  });

  it("close a connection whose client does not read", async () => {
    let written: Socket | undefined;
    const { port } = await open(
      ({ socket }, response) => {
        written = socket;
        response.end(Buffer.alloc(32 * 2 ** 20));
      },
      { stalledWriteSeconds: 0.2 },
    );
    const client = openClient(port, { sent: get });
    client.socket.pause();
    await expect.poll(() => written?.destroyed).toBe(true);
  });

  it("do not affect a handler that works longer, or a stream that is idle longer", async () => {
    const { port } = await open(
      ({ url }, response) => {
        if (url === "/") return void setTimeout(() => response.end("late"), 1_500);
        response.write("begin;");
        setTimeout(() => response.end("end"), 1_500);
      },
      { headersTimeoutSeconds: 0.6, requestTimeoutSeconds: 0.6, stalledWriteSeconds: 0.6 },
    );
    const stream = fetch(`http://127.0.0.1:${port}/stream`).then((response) => response.text());
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("late");
    expect(await stream).toBe("begin;end");
  });
});

describe("a client that does not read its response", () => {
  const large = "x".repeat(8 * 1_048_576);
  const answerLarge: RequestListener = (_, response) => void response.end(large);

  it("blocks no new client at the limit of connections", async () => {
    const { port } = await open(
      (request, response) => (request.url === "/large" ? answerLarge : answer)(request, response),
      {
        maxConnections: 4,
      },
    );
    const sent = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const unread = Array.from({ length: 4 }, () => openClient(port, { sent }));
    for (const { socket } of unread) socket.pause();
    await connected(unread);
    await expect.poll(() => ask(port, "127.0.0.2")).toContain("The shop");
  });

  it("is disconnected after the stall time, even if it keeps sending", async () => {
    const { port } = await open(answerLarge, { stalledWriteSeconds: 0.5 });
    const { socket, closed } = openClient(port, { sent: get });
    socket.pause();
    const sending = setInterval(() => socket.write("\r\n"), 50);
    onTestFinished(() => clearInterval(sending));
    socket.once("error", () => socket.destroy());
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  it("is disconnected after a CONNECT too", async () => {
    const { server, port } = await open(answerLarge, { stalledWriteSeconds: 0.5 }, (each) =>
      each.on("connect", () => {}),
    );
    const { socket } = openClient(port, {
      sent: `${get}CONNECT example.com:1 HTTP/1.1\r\nHost: example.com\r\n\r\n`,
    });
    socket.pause();
    const countOpen = (): Promise<number> =>
      new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
    await expect.poll(() => countOpen()).toBe(1);
    await expect.poll(() => countOpen()).toBe(0);
  });
});

it("if unread responses exceed their limit, the oldest are dropped", async () => {
  const sockets: Socket[] = [];
  const mebibyte = 2 ** 20;
  const { port } = await open(
    ({ socket }, response) => {
      sockets.push(socket);
      response.end(Buffer.alloc(20 * mebibyte));
    },
    { pendingResponseBytes: 50 * mebibyte },
  );
  for (let count = 1; count <= 6; count += 1) {
    openClient(port, { sent: get }).socket.pause();
    await expect.poll(() => sockets).toHaveLength(count);
  }
  await expect.poll(() => sockets.slice(0, 3).map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  expect(sockets.at(-1)?.destroyed).toBe(false);
  const pending = sockets.filter(({ destroyed }) => !destroyed).map(({ writableLength }) => writableLength);
  expect(pending.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(50 * mebibyte);
});

it("a client with more than 17 pending requests is disconnected", async () => {
  const listener = vi.fn<RequestListener>();
  const { port } = await open(listener, {});
  expect(await openClient(port, { sent: get.repeat(500) }).closed).toBe("");
  expect(listener.mock.calls.length).toBeLessThanOrEqual(18);
});

describe("an upgraded connection", () => {
  const upgrade = `${get.trimEnd()}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`;

  it("is not affected", async () => {
    const { port } = await open(answer, { maxConnections: 1, stalledWriteSeconds: 0.1 }, (server) => {
      server.on("upgrade", (_request, socket) => {
        socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
        socket.pipe(socket);
      });
    });
    const client = openClient(port, { sent: upgrade });
    await expect.poll(() => client.received()).toContain("101");
    // Longer than the time limit, and with more connections than the limit.
    await new Promise((resolve) => setTimeout(resolve, 400));
    for (let round = 0; round < 3; round += 1) expect(await ask(port)).toContain("The shop");
    client.socket.write("hello");
    await expect.poll(() => client.received()).toContain("hello");
  });

  it("is not created on a server without WebSockets: the request is served", async () => {
    const { server, port } = await open(answer, {});
    const listener = (): void => {};
    server.on("upgrade", listener).off("upgrade", listener);
    const client = openClient(port, { sent: upgrade });
    await expect.poll(() => client.received()).toContain("The shop");
  });
});

describe("a node:https server", () => {
  async function openHttps(options: HardenServerOptions) {
    const { key, cert } = createCertificate({ name: "localhost" });
    const server = hardenServer(
      createHttpsServer({ key, cert }, ({ socket, url }, response) => {
        if (url === "/large") response.end(Buffer.alloc(32 * 2 ** 20));
        else response.end(`encrypted ${Reflect.get(socket, "encrypted")}`);
      }),
      options,
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    const openTls = (sent: string) => {
      // `localAddress` is passed to `net.connect`. Node's types do not list it here.
      const options = { port, host: "127.0.0.1", localAddress: "127.0.0.2", rejectUnauthorized: false };
      const socket = connectTls(options);
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => {}).write(sent);
      return socket;
    };
    return { port, openTls };
  }

  it("closes connections that do not start TLS, at the limit and after the time for headers", async () => {
    const { port, openTls } = await openHttps({ maxConnections: 5, headersTimeoutSeconds: 0.5 });
    const silent = Array.from({ length: 10 }, () => openClient(port));
    await connected(silent);
    const [answered] = await once(openTls(get).setEncoding("latin1"), "data");
    expect(answered).toContain("200 OK");
    await Promise.all(silent.map(({ closed }) => closed));
  });

  it("closes connections without a request after the handshake, and those that do not read", async () => {
    const { openTls } = await openHttps({ maxConnections: 2, stalledWriteSeconds: 0.2 });
    const [idle, used] = [openTls(""), openTls(get).setEncoding("latin1")];
    await Promise.all([once(idle, "secureConnect"), once(used, "data")]);
    idle.resume();
    const closed = once(idle, "close");
    expect((await once(openTls(get), "data"))[0].toString()).toContain("200 OK");
    await closed;
    const stalled = openTls(get.replace("/", "/large")).pause();
    await once(stalled, "secureConnect");
    // Read only after the server gave up. The data sent by then is less than the response.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    let received = 0;
    stalled.on("data", (piece: Uint8Array) => (received += piece.byteLength)).resume();
    await once(stalled, "close");
    expect(received).toBeLessThan(32 * 2 ** 20);
  });
});

describe("hardenServer", () => {
  it("returns the server and sets Node's limits", () => {
    const server = createServer();
    expect(hardenServer(server)).toBe(server);
    expect(server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      timeout: 30_000,
      connectionsCheckingInterval: 1_000,
    });
  });

  it("limits a server that already listens", async () => {
    const server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    hardenServer(server, { headersTimeoutSeconds: 0.2, requestTimeoutSeconds: 0.2 });
    const { port } = server.address() as AddressInfo;
    const silent = openClient(port);
    const startedAt = performance.now();
    await silent.closed;
    // Without new checks, Node would check after 30 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it("names every invalid option", () => {
    const options = {
      maxConnections: 0,
      headersTimeoutSeconds: 5,
      requestTimeoutSeconds: 4,
      stalledWriteSeconds: Number.NaN,
      pendingResponseBytes: 0.5,
    };
    expect(() => hardenServer(createServer(), options)).toThrow(
      expect.objectContaining({
        code: "invalid_option",
        options: ["maxConnections", "stalledWriteSeconds", "headersTimeoutSeconds", "pendingResponseBytes"],
      }),
    );
    expect(() => Reflect.apply(hardenServer, undefined, [{}])).toThrow("must be a server of node:http");
  });
});
