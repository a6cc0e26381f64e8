import "./bootstrap/require-node-18.mjs";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";

const { BootstrapError } = await import("./bootstrap/bootstrap-error.mjs");
const { main } = await import("./bootstrap/main.mjs");
const { prepare } = await import("./bootstrap/prepare.mjs");
const { createProgress } = await import("./bootstrap/progress.mjs");
const { isHelpShown } = await import("./bootstrap/read-arguments.mjs");
const { ROOT } = await import("./bootstrap/root.mjs");
const { runCommand } = await import("./bootstrap/run-command.mjs");
const { startServer } = await import("./servers/start-server.mjs");

const usage = `node scripts/check-api.mjs SCHEMATHESIS [its options]

Starts the server, and lets Schemathesis 4 hold it against its OpenAPI document: SCHEMATHESIS is the path of that program.`;

const HOST_TOKEN = "host-token-of-the-api-check";
const ACCOUNT = { name: "Bakery", email: "owner@example.com" };

/**
 * Every check but `positive_data_acceptance`: what is well-formed may still be refused, for an unknown site or a taken name. One worker
 * and one seed, so that each run sends the same requests.
 */
const OPTIONS = [
  "--exclude-checks=positive_data_acceptance",
  "--max-examples=100",
  "--seed=1",
  "--workers=1",
  "--generation-database=none",
  "--warnings=off",
  "--continue-on-failure",
  "--no-color",
];

await main(async () => {
  const [program, ...more] = process.argv.slice(2);
  if (isHelpShown({ args: process.argv.slice(2, 3), usage })) return;
  if (program === undefined) throw new BootstrapError(usage);
  const progress = createProgress();
  const { node, env } = await prepare({
    root: ROOT,
    build: { of: "@hookwright/reference-server", kind: "javascript" },
    progress,
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), "hookwright-api-"));
  const server = await startServer({
    node,
    args: [path.join(ROOT, "reference-server", "dist", "main.js"), "serve"],
    cwd: folder,
    env: {
      ...env,
      HOOKWRIGHT_STORAGE: "memory",
      HOOKWRIGHT_HOST_TOKEN: HOST_TOKEN,
      HOOKWRIGHT_RATE_LIMIT: "1000000000",
      HOOKWRIGHT_LOG: "json",
    },
  });
  try {
    const apiKey = await fillAccount(server.origin);
    const document = path.join(folder, "openapi.json");
    // Asked for by its address, the document would not be checked itself.
    writeFileSync(document, await (await fetch(`${server.origin}/v1/openapi.json`)).text());
    const target = [`--url=${server.origin}`, `--header=Authorization: Bearer ${apiKey}`];
    const args = ["run", document, ...target, ...OPTIONS, ...more];
    let failed = false;
    await progress
      .step("the API, held against its OpenAPI document", async () => {
        const { code, output } = await runCommand(program, args, { cwd: folder, env });
        const [, sent = ""] = /^\s*(\d+ generated, .*)$/m.exec(output) ?? [];
        if (code === 0) return sent;
        process.stdout.write(`${output}\n`);
        throw new BootstrapError("Schemathesis found differences.");
      })
      .catch((error) => {
        if (!(error instanceof BootstrapError)) throw error;
        failed = true;
      });
    return failed ? 1 : 0;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** An account with a record of each event, so that every operation has something to answer with. @param {string} origin */
async function fillAccount(origin) {
  await call(origin, "PUT /host/v1/accounts/acc_bakery", HOST_TOKEN, ACCOUNT);
  await call(origin, "PUT /host/v1/projects/site_1", HOST_TOKEN, { account_id: "acc_bakery", name: "Shop" });
  await call(origin, "PUT /host/v1/email-lists/list_1", HOST_TOKEN, { project_id: "site_1", name: "News" });
  const created = await call(origin, "POST /host/v1/accounts/acc_bakery/api-keys", HOST_TOKEN, {
    name: "Schemathesis",
  });
  const apiKey = String(Object(created)["api_key"]);
  const events = await call(origin, "GET /v1/event-types", apiKey);
  for (const { event, sample } of /** @type {{ event: string, sample: { data: unknown } }[]} */ (events))
    await call(origin, "POST /host/v1/events", HOST_TOKEN, {
      event,
      project_id: "site_1",
      data: sample.data,
    });
  return apiKey;
}

/** @param {string} origin @param {string} route @param {string} token @param {unknown} [body] @returns {Promise<unknown>} `data` of the answer. */
async function call(origin, route, token, body) {
  const [method = "", place = ""] = route.split(" ");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(origin + place, { method, headers, ...sent });
  const text = await response.text();
  if (!response.ok) throw new BootstrapError(`${route} was answered ${response.status}.`, { output: text });
  return JSON.parse(text).data;
}
