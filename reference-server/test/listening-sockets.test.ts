import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createNetServer } from "node:net";
import { expect, it } from "vitest";
import { openListeningSockets } from "../src/listening-sockets.ts";
import { findFreePort } from "../../packages/storage/test/support/free-port.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";

const host = "127.0.0.1";

// Other systems do not share connections between sockets.
it.runIf(process.platform === "linux")("accepts many connections in one turn of the event loop", async () => {
  const port = await findFreePort();
  const server = createServer();
  const sockets = await openListeningSockets(server, { port, host });
  const accepted: number[] = [0];
  const all = new Promise<void>((resolve) => {
    let count = 0;
    server.on("connection", () => {
      if (accepted.at(-1) === 0) setImmediate(() => accepted.push(0));
      accepted.push((accepted.pop() ?? 0) + 1);
      count += 1;
      if (count === clients.length) resolve();
    });
  });
  const clients = Array.from({ length: 64 }, () => connect(port, host));
  await all;
  expect(Math.max(...accepted)).toBeGreaterThan(4);

  for (const client of clients) client.destroy();
  server.close();
  await sockets.close();
  const late = connect(port, host);
  const [error] = await once(late, "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
});

it("rejects if another server listens on the port", async () => {
  await using other = await listenLocally(createNetServer());
  const { port } = other;
  await expect(openListeningSockets(createServer(), { port, host })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});
