import { startProgram } from "./program.ts";

export interface ApiServer extends AsyncDisposable {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** CPU time the process has spent so far, all of its threads. */
  cpuMicroseconds(): Promise<number>;
}

/** Starts a server process and waits until it listens. */
export async function openApiServer(kind: "bare" | "memory" | "filesystem"): Promise<ApiServer> {
  const program = startProgram(new URL("api-server.ts", import.meta.url), { args: [kind] });
  const { port, path, headers } = await program.said();
  return {
    port,
    path,
    headers,
    async cpuMicroseconds() {
      const { cpuMicroseconds } = await program.ask("cpu");
      return cpuMicroseconds;
    },
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
