import { createServer } from "node:net";
import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";
import { listenLocally } from "../support/listen-locally.ts";

/** A proxy that sends this text to each client. Undefined: nobody listens on its port. */
async function openProxy(answer: string | undefined) {
  const server = createServer((socket) =>
    socket
      .on("error", () => {})
      .resume()
      .end(answer ?? ""),
  );
  const local = await listenLocally(server);
  if (answer === undefined) await local[Symbol.asyncDispose]();
  return local;
}

it.each([
  ["that cannot be reached", undefined],
  ["that answers garbage", "SSH-2.0-OpenSSH_9.9\r\n\r\n"],
  ["that refuses its credentials", "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n"],
  ["that closes the connection", ""],
])("a test through a proxy %s is a failed attempt, and the log says why", async (_, answer) => {
  const lines: { readonly code?: unknown; readonly delivery_id?: unknown }[] = [];
  const write = (_message: string, fields?: object): void => void lines.push(fields ?? {});
  await using proxy = await openProxy(answer);
  await using world = await openConsole({
    egress: { proxy: proxy.origin },
    logger: { info: write, warn: write, error: write },
  });
  const { data } = await world.ask("POST /console/api/webhooks", {
    event: "review.submitted",
    target_url: "https://hooks.example.com/",
  });
  const tested = await world.ask(`POST /console/api/webhooks/${String(data["id"])}/test`);
  expect([tested.status, tested.data]).toMatchObject([
    200,
    {
      status: null,
      error: "connect",
      detail: "The proxy of the sender cannot be used. Nothing was sent. Try again later.",
    },
  ]);
  const [logged] = (await world.ask("GET /console/api/deliveries?kind=test")).rows;
  expect(logged).toMatchObject({ status: "failed", last_error: "connect" });
  expect(lines).toContainEqual(
    expect.objectContaining({ code: "proxy_unavailable", delivery_id: logged?.["id"] }),
  );
});
