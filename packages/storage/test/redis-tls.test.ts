import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Cluster, Redis } from "ioredis";
import type { Store } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { createCertificate } from "../../delivery/test/transport/support/certificate.ts";
import { createDownReason } from "../src/redis/down-reason.ts";
import { hearLateErrors } from "../src/redis/late-errors.ts";
import { redisUnreachable } from "../src/redis/redis-fault.ts";
import { startRedisCluster } from "./support/redis-cluster.ts";
import { hasRedisServer, startRedisServer, type ServerIdentity } from "./support/redis-server.ts";

const address = "127.0.0.1";
const authority = createCertificate({ name: "An authority of ours", isAuthority: true });
const identityOf = (name: string): ServerIdentity => {
  const { cert, key } = createCertificate({ name, issuer: authority });
  return { authority: authority.cert, cert, key };
};

/** Answers what was written, once somebody who watches has heard of it: on a connection of its own. */
async function greet(store: Store): Promise<string | undefined> {
  let woken = false;
  store.watch("p07", () => (woken = true));
  await expect
    .poll(async () => {
      await store.commit("p07", {
        mutations: [{ type: "set", key: ["p07", "greeting"], value: "hello" }],
        wake: true,
      });
      return woken;
    })
    .toBe(true);
  return await store.get(["p07", "greeting"]);
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

  it("a server with a certificate for another name is refused", async () => {
    await using server = await startRedisServer([], { tls: identityOf("redis.example") });
    await expect(openRedisStore({ url: server.url, onWarning })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("certificate"),
    });
  });

  describe("a Cluster", () => {
    it("is reached by rediss-cluster:, with a password", async () => {
      await using cluster = await startRedisCluster([], { tls: identityOf(address) });
      for (const node of cluster.nodes) node.run("config", "set", "requirepass", "hunter2");
      const url = cluster.url.replace("//", "//:hunter2@");
      await using store = await openRedisStore({ url, onWarning });
      expect(await greet(store)).toBe("hello");
    });

    it("is asked for the certificate of the name that was given, and of the names that it announces", async () => {
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

    it("with a certificate for another name is refused, and so is one that is asked without TLS", async () => {
      await using cluster = await startRedisCluster([], { tls: identityOf("redis.example") });
      const refused = {
        code: "unavailable",
        message: expect.stringContaining("with a certificate for that name"),
      };
      const opening = [cluster.url, cluster.url.replace("rediss", "redis")].map((url) =>
        expect(openRedisStore({ url, onWarning })).rejects.toMatchObject(refused),
      );
      await Promise.all(opening);
    });

    it("is reached by a client of the caller's with the same settings", async () => {
      await using cluster = await startRedisCluster([], { tls: identityOf(address) });
      const client = new Cluster(
        cluster.nodes.map(({ port }) => ({ host: address, port })),
        { redisOptions: { tls: {} } },
      );
      try {
        await using store = await openRedisStore({ client, onWarning });
        expect(await greet(store)).toBe("hello");
      } finally {
        client.disconnect();
      }
    });
  });
});

describe.runIf(hasRedisServer)("with certificates of one's own", () => {
  const ca = authority.cert;
  const { cert, key } = identityOf("a client of ours");
  const askingClients = ["--tls-auth-clients", "yes"];
  const onWarning = (): void => {};

  it("a server is reached whose authority Node does not know", async () => {
    await using server = await startRedisServer([], { tls: identityOf(address) });
    await using store = await openRedisStore({ url: server.url, tls: { ca }, onWarning });
    expect(await greet(store)).toBe("hello");
    await expect(openRedisStore({ url: server.url, onWarning })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("of no authority that is trusted here"),
    });
  });

  it("a server is reached that asks for one, and refuses whoever shows none", async () => {
    await using server = await startRedisServer(askingClients, { tls: identityOf(address) });
    await using store = await openRedisStore({ url: server.url, tls: { ca, cert, key }, onWarning });
    expect(await greet(store)).toBe("hello");
    // Whether the alert comes ahead of the reset nobody can promise, in any of the tries.
    const unexplained = "and shown one where it asks for one";
    const refused = [
      [{ ca }, `it asks its clients for a certificate|${unexplained}`],
      [
        { ca, ...createCertificate({ name: "A stranger" }) },
        `it does not take the certificate|${unexplained}`,
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

  it("a Cluster is reached that asks for one", async () => {
    await using cluster = await startRedisCluster(askingClients, { tls: identityOf(address) });
    await using store = await openRedisStore({ url: cluster.url, tls: { ca, cert, key }, onWarning });
    expect(await greet(store)).toBe("hello");
  });
});

describe.runIf(hasRedisServer)("a second error of one connection is heard", () => {
  const alertAndReset = ({ stream }: Redis): void => {
    stream.emit("error", new Error("SSL alert number 116"));
    stream.emit("error", new Error("read ECONNRESET"));
  };

  it("of a server", async () => {
    await using server = await startRedisServer([]);
    const client = new Redis(server.url, { lazyConnect: true });
    client.on("error", () => {});
    hearLateErrors(client);
    await client.connect();
    expect(() => alertAndReset(client)).not.toThrow();
    client.disconnect();
  });

  it("of a node of a Cluster, and of the copy that is asked for its slots", async () => {
    await using cluster = await startRedisCluster([]);
    const [first] = cluster.nodes;
    const client = new Cluster([{ host: address, port: first?.port ?? 0 }], { lazyConnect: true });
    client.on("error", () => {});
    hearLateErrors(client);
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

describe("certificates that cannot be used are refused before anything is asked:", () => {
  const ca = authority.cert;
  const { cert, key } = identityOf("a client of ours");
  const url = "rediss://127.0.0.1:1";
  it.each([
    ["without TLS", { url: "redis://127.0.0.1:1", tls: { ca } }, "rediss://"],
    [
      "a Cluster without TLS",
      { url: "redis-cluster://127.0.0.1:1", tls: { cert, key } },
      "rediss-cluster://",
    ],
    ["without its key", { url, tls: { cert } }, "both"],
    ["a key alone", { url, tls: { key } }, "both"],
    ["the key of another", { url, tls: { cert, key: identityOf("another").key } }, "PEM"],
    ["no PEM", { url, tls: { ca: "an authority" } }, "PEM"],
  ])("%s", async (_, options, named) => {
    await expect(openRedisStore(options)).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining(named),
    });
  });

  it("beside a client, whose settings are used", async () => {
    const client = new Redis({ lazyConnect: true });
    await expect(openRedisStore({ client, tls: { ca } })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("goes with a url"),
    });
    client.disconnect();
  });

  it("without TLS nothing is asked for where nothing is given", async () => {
    await expect(openRedisStore({ url: "redis://127.0.0.1:1", tls: {} })).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});

describe("of a refused certificate", () => {
  const opensslSays = (said: string): Error =>
    new Error(
      `4003:error:0A00045C:SSL routines:ssl3_read_bytes:${said}:../rec_layer_s3.c:918:SSL alert number 116\n`,
    );
  const alert = opensslSays("tlsv13 alert certificate required");

  it.each([
    ["tlsv13 alert certificate required", "it asks its clients for a certificate"],
    ["tlsv1 alert unknown ca", "it does not take the certificate that it was shown"],
    ["ssl/tls alert bad certificate", "it does not take the certificate that it was shown"],
    ["ssl/tls alert certificate expired", "it does not take the certificate that it was shown"],
  ])("an error says what OpenSSL said, and what to do: %s", (said, advice) => {
    expect(redisUnreachable("127.0.0.1:6379", opensslSays(said)).message).toMatch(
      `Redis at 127.0.0.1:6379 cannot be reached (${said}): nothing was written; ${advice}`,
    );
  });

  it("the alert tells more than the reset that follows it, until there is a connection again", () => {
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
