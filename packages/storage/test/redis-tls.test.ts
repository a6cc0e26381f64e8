import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Cluster, Redis } from "ioredis";
import type { Key, Store } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { createCertificate } from "../../delivery/test/transport/support/certificate.ts";
import { createDownReason } from "../src/redis/down-reason.ts";
import { ignoreLateErrors } from "../src/redis/ignore-late-errors.ts";
import { unreachableError } from "../src/redis/redis-errors.ts";
import { startRedisCluster } from "./support/redis-cluster.ts";
import { hasRedisServer, startRedisServer, type ServerIdentity } from "./support/redis-server.ts";

const address = "127.0.0.1";
const authority = createCertificate({ name: "A private authority", isAuthority: true });
const identityOf = (name: string): ServerIdentity => {
  const { cert, key } = createCertificate({ name, issuer: authority });
  return { authority: authority.cert, cert, key };
};

/** Commits a text and returns it when a watcher, which needs its own connection, is notified. */
async function greet(store: Store): Promise<string | undefined> {
  let isNotified = false;
  store.watch(() => (isNotified = true));
  const greeting: Key = ["p07", "greeting"];
  while (!isNotified) {
    await store.commit("p07", {
      mutations: [{ type: "set", key: greeting, value: "hello" }],
      notify: [greeting],
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return await store.get(greeting);
}

describe.runIf(hasRedisServer)("over TLS", () => {
  const trusted = getCACertificates("default");
  beforeAll(() => setDefaultCACertificates([...trusted, authority.cert]));
  afterAll(() => setDefaultCACertificates(trusted));
  const onWarning = (): void => {};

  it("a server is reached by rediss:", async () => {
    await using server = await startRedisServer([], { tls: identityOf(address) });
    await using store = await openRedisStore({ url: server.url, onWarning });
    expect(await greet(store)).toBe("hello");
  });

  it("a server with a certificate for another name is rejected", async () => {
    await using server = await startRedisServer([], { tls: identityOf("redis.example") });
    await expect(openRedisStore({ url: server.url, onWarning })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("certificate"),
    });
  });

  describe("a Cluster", () => {
    it("is reached by rediss-cluster: and by the caller's client, with a password", async () => {
      await using cluster = await startRedisCluster([], { tls: identityOf(address) });
      for (const node of cluster.nodes) node.run("config", "set", "requirepass", "hunter2");
      const url = cluster.url.replace("//", "//:hunter2@");
      await using store = await openRedisStore({ url, onWarning });
      expect(await greet(store)).toBe("hello");
      const client = new Cluster(
        cluster.nodes.map(({ port }) => ({ host: address, port })),
        { redisOptions: { tls: {}, password: "hunter2" } },
      );
      onTestFinished(() => client.disconnect());
      await using ofClient = await openRedisStore({ client, onWarning });
      expect(await greet(ofClient)).toBe("hello");
    });

    it("must have certificates for the given name and for the names that it announces", async () => {
      const names = [
        "--cluster-announce-hostname",
        "localhost",
        "--cluster-preferred-endpoint-type",
        "hostname",
      ];
      await using cluster = await startRedisCluster(names, { tls: identityOf("localhost") });
      await using store = await openRedisStore({
        url: cluster.url.replaceAll(address, "localhost"),
        onWarning,
      });
      expect(await greet(store)).toBe("hello");
    });

    it("is rejected with a certificate for another name, or without TLS", async () => {
      await using cluster = await startRedisCluster([], { tls: identityOf("redis.example") });
      const refused = {
        code: "unavailable",
        message: expect.stringContaining("check the certificates"),
      };
      const opening = [cluster.url, cluster.url.replace("rediss", "redis")].map((url) =>
        expect(openRedisStore({ url, onWarning })).rejects.toMatchObject(refused),
      );
      await Promise.all(opening);
    });
  });
});

// Most of the following tests wait for the end of a time-out.
const together = { concurrent: true };

describe.runIf(hasRedisServer)("with private certificates", together, () => {
  const ca = authority.cert;
  const { cert, key } = identityOf("a client");
  const askingClients = ["--tls-auth-clients", "yes"];
  const onWarning = (): void => {};

  it("a server of a private authority is reached", async () => {
    await using server = await startRedisServer([], { tls: identityOf(address) });
    await using store = await openRedisStore({ url: server.url, tls: { ca }, onWarning });
    expect(await greet(store)).toBe("hello");
    await expect(openRedisStore({ url: server.url, onWarning })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("from an unknown authority"),
    });
  });

  it("a server that requires a client certificate is reached only with one", async () => {
    await using server = await startRedisServer(askingClients, { tls: identityOf(address) });
    await using store = await openRedisStore({ url: server.url, tls: { ca, cert, key }, onWarning });
    expect(await greet(store)).toBe("hello");
    // The alert may arrive after the reset in each attempt.
    const unexplained = "check the certificates";
    const refused = [
      [{ ca }, `It requires a client certificate|${unexplained}`],
      [
        { ca, ...createCertificate({ name: "A stranger" }) },
        `It rejects the client certificate|${unexplained}`,
      ],
    ] as const;
    await Promise.all(
      refused.map(([tls, named]) =>
        expect(openRedisStore({ url: server.url, tls, onWarning })).rejects.toMatchObject({
          code: "unavailable",
          message: expect.stringMatching(named),
        }),
      ),
    );
  });

  it("a Cluster that requires a client certificate is reached", async () => {
    await using cluster = await startRedisCluster(askingClients, { tls: identityOf(address) });
    await using store = await openRedisStore({ url: cluster.url, tls: { ca, cert, key }, onWarning });
    expect(await greet(store)).toBe("hello");
  });
});

describe.runIf(hasRedisServer)("a second error of one connection does not end the process:", together, () => {
  const alertAndReset = ({ stream }: Redis): void => {
    stream.emit("error", new Error("SSL alert number 116"));
    stream.emit("error", new Error("read ECONNRESET"));
  };

  it("a server", async () => {
    await using server = await startRedisServer([]);
    const client = new Redis(server.url, { lazyConnect: true });
    client.on("error", () => {});
    ignoreLateErrors(client);
    await client.connect();
    expect(() => alertAndReset(client)).not.toThrow();
    client.disconnect();
  });

  it("a node of a Cluster, and the duplicate that requests its slots", async () => {
    await using cluster = await startRedisCluster([]);
    const [first] = cluster.nodes;
    const client = new Cluster([{ host: address, port: first?.port ?? 0 }], { lazyConnect: true });
    client.on("error", () => {});
    ignoreLateErrors(client);
    await client.connect();
    await client.set("greeting", "hello");
    const connected = client.nodes("master").filter(({ status }) => status === "ready");
    expect(connected).not.toEqual([]);
    const [node] = connected;
    const asking = node?.duplicate();
    asking?.on("error", () => {});
    await asking?.ping();
    for (const each of [...connected, asking]) expect(() => each && alertAndReset(each)).not.toThrow();
    asking?.disconnect();
    client.disconnect();
  });
});

describe("unusable certificates are rejected before connecting:", together, () => {
  const ca = authority.cert;
  const { cert, key } = identityOf("a client");
  const url = "rediss://127.0.0.1:1";
  it.each([
    ["without TLS", { url: "redis://127.0.0.1:1", tls: { ca } }, "rediss://"],
    [
      "a Cluster without TLS",
      { url: "redis-cluster://127.0.0.1:1", tls: { cert, key } },
      "rediss-cluster://",
    ],
    ["without its key", { url, tls: { cert } }, "both"],
    ["only a key", { url, tls: { key } }, "both"],
    ["a key of another certificate", { url, tls: { cert, key: identityOf("another").key } }, "PEM"],
    ["not PEM", { url, tls: { ca: "an authority" } }, "PEM"],
  ])("%s", async (_, options, named) => {
    await expect(openRedisStore(options)).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining(named),
    });
  });

  it("certificates together with a client", async () => {
    const client = new Redis({ lazyConnect: true });
    await expect(openRedisStore({ client, tls: { ca } })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("requires a url"),
    });
    client.disconnect();
  });

  it("an empty tls option is accepted without TLS", async () => {
    await expect(openRedisStore({ url: "redis://127.0.0.1:1", tls: {} })).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});

describe("for a rejected certificate", () => {
  const opensslError = (text: string): Error =>
    new Error(
      `4003:error:0A00045C:SSL routines:ssl3_read_bytes:${text}:../rec_layer_s3.c:918:SSL alert number 116\n`,
    );
  const alert = opensslError("tlsv13 alert certificate required");

  it.each([
    ["tlsv13 alert certificate required", "It requires a client certificate"],
    ["tlsv1 alert unknown ca", "It rejects the client certificate"],
    ["ssl/tls alert bad certificate", "It rejects the client certificate"],
    ["ssl/tls alert certificate expired", "It rejects the client certificate"],
  ])("the error contains OpenSSL's reason and advice: %s", (said, advice) => {
    expect(unreachableError("127.0.0.1:6379", opensslError(said)).message).toMatch(
      `Redis at 127.0.0.1:6379 is unreachable (${said}). Nothing was written. ${advice}`,
    );
  });

  it("the alert is reported instead of the reset, until the next connection", () => {
    const client = new Redis({ lazyConnect: true });
    const reason = createDownReason(client);
    const reset = new Error("write ECONNRESET");
    client.emit("error", reset);
    expect(reason.last).toBe(reset);
    client.emit("error", alert);
    client.emit("error", reset);
    expect(reason.last).toBe(alert);
    client.emit("ready");
    client.emit("error", reset);
    expect(reason.last).toBe(reset);
    client.disconnect();
  });
});
