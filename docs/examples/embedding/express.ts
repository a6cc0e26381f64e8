import { createServer } from "node:http";
import process from "node:process";
import express from "express";
import type { ErrorRequestHandler } from "express";
import { hardenServer } from "hookwright";
import { announce, close, hookwright, submitReview } from "./bakery.ts";

const app = express();

// Before express.json(): the API reads its request bodies itself.
app.use("/integrations", hookwright.handler);

app.use(express.json());
app.get("/", (_request, response) => {
  response.send("The shop");
});
app.post("/reviews", async (request, response) => {
  const { status, text } = await submitReview(request.body);
  response.status(status).type("text").send(text);
});

// Bodies that express.json() refuses. Without this, Express answers with a page that shows a stack trace.
const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  if (!error.expose) return next(error);
  response.status(error.status).type("text").send(error.message);
};
app.use(refuse);

const port = Number(process.env["PORT"] ?? 3000);
const server = hardenServer(createServer(app)).listen(port, "127.0.0.1", () => announce(port));

const stop = () => server.close(() => void close());
process.once("SIGTERM", stop).once("SIGINT", stop);
