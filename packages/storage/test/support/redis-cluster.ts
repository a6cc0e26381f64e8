import { execFile } from "node:child_process";
import { promisify } from "node:util";
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
  const create = [...(nodes[0]?.commandOptions ?? []), "--cluster", "create", ...addresses, "--cluster-yes"];
  try {
    await promisify(execFile)("redis-cli", create, { timeout: 30_000 });
  } catch (error) {
    await stop();
    const { stdout = "", stderr = "", message }: Partial<Record<string, string>> = Object(error);
    const reason = toReason(`${message}\n${stdout}${stderr}`);
    throw new Error(`The Redis Cluster could not be created: ${reason}`, { cause: error });
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
