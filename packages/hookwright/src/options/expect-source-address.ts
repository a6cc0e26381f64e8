import { once } from "node:events";
import { createServer } from "node:net";
import { ConfigurationError } from "@hookwright/domain";
import type { Egress } from "./read-egress.ts";

/**
 * Refuses a source address that does not belong to this machine: with it, every delivery would fail.
 *
 * @throws ConfigurationError `invalid_option`
 */
export async function expectSourceAddress({ localAddress }: Egress): Promise<void> {
  if (localAddress === undefined) return;
  const server = createServer().listen(0, localAddress);
  try {
    await once(server, "listening");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError({
      option: "egress.sourceAddress",
      message: `must be an IP address of this machine; ${reason}`,
    });
  } finally {
    server.close();
  }
}
