import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

export interface BenchRedis extends AsyncDisposable {
  readonly url: string;
}

/** The Redis of `REDIS_URL`, or a new one on a free port that stores everything in memory. */
export async function openRedis(): Promise<BenchRedis> {
  const given = process.env["REDIS_URL"];
  if (given !== undefined) return { url: given, [Symbol.asyncDispose]: async () => {} };
  const port = await findFreePort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--loglevel", "warning"];
  const server = spawn("redis-server", options, { stdio: "ignore" });
  await once(server, "spawn").catch((cause: unknown) => {
    throw new Error(
      "This bench needs redis-server on the path (apt-get install redis-server), or REDIS_URL.",
      {
        cause,
      },
    );
  });
  // A bench that ends early must not leave a server behind.
  process.once("exit", () => server.kill("SIGKILL"));
  return {
    url: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.kill("SIGKILL");
      await once(server, "exit");
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
