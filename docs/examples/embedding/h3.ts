import { createServer } from "node:http";
import process from "node:process";
import { bodyLimit, H3, onError, readBody } from "h3";
import { toNodeHandler } from "h3/node";
import { hardenServer } from "hookwright";
import { announce, close, hookwright, submitReview } from "./bakery.ts";

// h3 does not read the rest of a body that it refuses, so the connection cannot be used again.
const closeAfterError = onError((_error, event) => event.res.errHeaders.set("connection", "close"));

const app = new H3()
  .mount("/integrations", hookwright.app)
  .get("/", () => "The shop")
  .use("/reviews", closeAfterError)
  .use("/reviews", bodyLimit(2 ** 20))
  .post("/reviews", async (event) => {
    const { status, text } = await submitReview(await readBody(event));
    event.res.status = status;
    return text;
  });

const port = Number(process.env["PORT"] ?? 3000);
const server = hardenServer(createServer(toNodeHandler(app))).listen(port, "127.0.0.1", () => announce(port));

const stop = () => server.close(() => void close());
process.once("SIGTERM", stop).once("SIGINT", stop);
