import { createServer } from "node:http";
import process from "node:process";
import { bodyLimit, H3, readBody } from "h3";
import { toNodeHandler } from "h3/node";
import { announce, hookwright, submitReview } from "./bakery.ts";

const app = new H3()
  .mount("/integrations", hookwright.app)
  .get("/", () => "The shop")
  .use("/reviews", bodyLimit(2 ** 20)) // it may be anybody who sends one
  .post("/reviews", async (event) => {
    const { status, text } = await submitReview(await readBody(event));
    event.res.status = status;
    return text;
  });

const port = Number(process.env["PORT"] ?? 3000);
const server = createServer(toNodeHandler(app)).listen(port, "127.0.0.1", () => announce(port));

const stop = () => server.close(() => void hookwright.close());
process.once("SIGTERM", stop).once("SIGINT", stop);
