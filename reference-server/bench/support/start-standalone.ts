import { startServer } from "../../test/support/server-process.ts";
import type { ServerProcess } from "../../test/support/server-process.ts";

export const hostToken = "host-token-of-the-bench";

/** Starts the built standalone server, which delivers to this machine. `storage` is the value of `HOOKWRIGHT_STORAGE`. */
export function startStandalone(storage: string, directory: string): Promise<ServerProcess> {
  return startServer({
    directory,
    env: {
      HOOKWRIGHT_STORAGE: storage,
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_SECRET: "a secret that only this bench uses",
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
    },
  });
}
