import { startProgram } from "./program.ts";

export interface ApiServer extends AsyncDisposable {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The CPU time of the process so far, with all its threads. */
  cpuMicroseconds(): Promise<number>;
}

/** Starts a server process and waits until it listens. */
export async function openApiServer(kind: "bare" | "memory" | "filesystem"): Promise<ApiServer> {
  const program = startProgram(new URL("api-server.ts", import.meta.url), { args: [kind] });
  const { port, path, headers } = await program.nextMessage();
  return {
    port,
    path,
    headers,
    async cpuMicroseconds() {
      const { cpuMicroseconds } = await program.request("cpu");
      return cpuMicroseconds;
    },
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
