import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Cluster } from "ioredis";
import type { Store } from "@hookwright/storage";
import { openRedisStore } from "@hookwright/storage/redis";
import { createCertificate } from "../../delivery/test/transport/support/certificate.ts";
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
