import type * as Pg from "pg";
import type { ClientConfig, Pool, PoolClient, PoolConfig } from "pg";
import { ReadOnlyHostError } from "./postgres-errors.ts";
import type { PostgresAddress } from "./postgres-url.ts";
import { runStatement } from "./statement.ts";

/** Opens a pool. With several hosts, its new connections go to the first one that takes writes. */
export function createPoolOfHosts(
  pg: Pick<typeof Pg, "Client" | "Pool">,
  address: Pick<PostgresAddress, "connectionStrings" | "needsWritable">,
  settings: PoolConfig & { readonly connectionTimeoutMillis: number },
): Pool {
  const { connectionStrings, needsWritable } = address;
  const { connectionTimeoutMillis } = settings;
  let [connectionString = ""] = connectionStrings;
  const urls = new WeakMap<object, string>();

  /** Later connections go to the next host. */
  function skip(failed: string): void {
    if (failed !== connectionString) return;
    connectionString =
      connectionStrings[(connectionStrings.indexOf(failed) + 1) % connectionStrings.length] ?? failed;
  }

  async function verify(client: PoolClient, done: (error?: Error) => void): Promise<void> {
    try {
      // Read-only settings of the database or the role count too.
      const [[isReadOnly] = []] = await runStatement(
        client,
        "show transaction_read_only",
        [],
        connectionTimeoutMillis,
      );
      if (isReadOnly !== "on") return done();
      skip(urls.get(client) ?? "");
      return done(new ReadOnlyHostError());
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)));
    }
  }

  const shared: PoolConfig = needsWritable
    ? { ...settings, verify: (client, done) => void verify(client, done) }
    : settings;
  if (connectionStrings.length === 1) return new pg.Pool({ ...shared, connectionString });

  /** A host that does not reply leaves time for the others. */
  const clientSettings: ClientConfig = {
    ...settings,
    connectionTimeoutMillis: connectionTimeoutMillis / connectionStrings.length,
  };
  class ClientOfHost extends pg.Client {
    constructor() {
      const used = connectionString;
      super({ ...clientSettings, connectionString: used });
      urls.set(this, used);
      let isConnected = false;
      this.once("connect", () => (isConnected = true));
      this.once("end", () => {
        if (!isConnected) skip(used);
      });
    }
  }
  return new pg.Pool({ ...shared, Client: ClientOfHost });
}
