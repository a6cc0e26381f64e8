import { spawnSync } from "node:child_process";
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
  const nodes = await Promise.all(
    [1, 2, 3].map(() => startRedisServer(settings, tls === undefined ? {} : { tls })),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  };
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const made = spawnSync(
    "redis-cli",
    [...(nodes[0]?.commandOptions ?? []), "--cluster", "create", ...addresses, "--cluster-yes"],
    { encoding: "utf8", timeout: 30_000 },
  );
  if (made.status !== 0) {
    await stop();
    throw new Error(`the Cluster could not be created:\n${made.stdout}${made.stderr}`);
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
