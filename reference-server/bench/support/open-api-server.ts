import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface ApiServer extends AsyncDisposable {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** CPU time the process has spent so far, all of its threads. */
  cpuMicroseconds(): Promise<number>;
}

/** Starts a server process and waits until it listens. */
export async function openApiServer(kind: "bare" | "memory" | "filesystem"): Promise<ApiServer> {
  const child = fork(fileURLToPath(new URL("api-server.ts", import.meta.url)), [kind]);
  const [{ port, path, headers }] = await once(child, "message");
  return {
    port,
    path,
    headers,
    async cpuMicroseconds() {
      child.send("cpu");
      const [{ cpuMicroseconds }] = await once(child, "message");
      return cpuMicroseconds;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
