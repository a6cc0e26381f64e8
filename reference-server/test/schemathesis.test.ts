import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { call, createAccount, hostToken } from "./support/host-api.ts";
import { startServer } from "./support/server-process.ts";

/** The path of Schemathesis 4. It is a Python program, so this runs only on request. */
const program = process.env["SCHEMATHESIS"] ?? "";

/**
 * Every check except `positive_data_acceptance`: a well-formed request may be refused, for an unknown site or a name that is taken.
 * One worker and one seed, so that each run sends the same requests.
 */
const options = [
  "--exclude-checks=positive_data_acceptance",
  "--max-examples=100",
  "--seed=1",
  "--workers=1",
  "--generation-database=none",
  "--warnings=off",
  "--continue-on-failure",
  "--no-color",
];

interface EventType {
  readonly event: string;
  readonly sample: { readonly data: unknown };
}

interface Finished {
  readonly code?: number;
  readonly stdout: string;
}

it.runIf(program !== "")("a server answers as its OpenAPI document says", { timeout: 600_000 }, async () => {
  await using server = await startServer({
    env: {
      HOOKWRIGHT_STORAGE: "memory",
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_RATE_LIMIT: "1000000000",
    },
  });
  const { apiKey } = await createAccount(server);
  await call(server, "/host/v1/email-lists/list_1", {
    method: "PUT",
    body: { project_id: "site_1", name: "News" },
  });
  const response = await fetch(`${server.url}/v1/event-types`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { data: events }: { readonly data: readonly EventType[] } = await response.json();
  // A record of each event, so that every operation has something to return.
  for (const { event, sample } of events)
    await call(server, "/host/v1/events", {
      method: "POST",
      body: { event, project_id: "site_1", data: sample.data },
    });
  // A document that is given by its URL is not checked itself.
  const document = join(server.directory, "openapi.json");
  await writeFile(document, await (await fetch(`${server.url}/v1/openapi.json`)).text());
  const target = [`--url=${server.url}`, `--header=Authorization: Bearer ${apiKey}`];
  const { code = 0, stdout }: Finished = await promisify(execFile)(
    program,
    ["run", document, ...target, ...options],
    {
      cwd: server.directory,
      maxBuffer: 2 ** 26,
    },
  ).catch((error: Finished) => error);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/\d+ generated/u) });
});
