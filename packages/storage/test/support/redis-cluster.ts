import { spawnSync } from "node:child_process";
import { toReason } from "./service.ts";
import { startRedisServer, type RedisServer, type ServerIdentity } from "./redis-server.ts";

export interface RedisCluster extends AsyncDisposable {
  readonly url: string;
  readonly nodes: readonly RedisServer[];
}

/** Starts three masters on loopback that together have all slots. */
export async function startRedisCluster(
  extra: readonly string[] = [],
  { tls }: { readonly tls?: ServerIdentity } = {},
): Promise<RedisCluster> {
  const settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000", ...extra];
  if (tls !== undefined) settings.push("--tls-cluster", "yes");
  const started = await Promise.allSettled(
    [1, 2, 3].map(() => startRedisServer(settings, tls === undefined ? {} : { tls })),
  );
  const nodes = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  };
  const failed = started.find((each) => each.status === "rejected");
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const made = spawnSync(
    "redis-cli",
    [...(nodes[0]?.commandOptions ?? []), "--cluster", "create", ...addresses, "--cluster-yes"],
    { encoding: "utf8", timeout: 30_000 },
  );
  if (made.status !== 0) {
    await stop();
    const reason = made.error?.message ?? toReason(`${made.stdout}${made.stderr}`);
    throw new Error(`The Redis Cluster could not be created: ${reason}`);
  }
  // Each node must know all others. Otherwise it redirects clients.
  while (!nodes.every((node) => node.run("cluster", "info").includes("cluster_state:ok"))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url: `${tls === undefined ? "redis" : "rediss"}-cluster://${addresses.join(",")}`,
    nodes,
    [Symbol.asyncDispose]: stop,
  };
}
