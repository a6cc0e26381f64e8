import { execFileSync } from "node:child_process";
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runCli } from "../src/run-cli.ts";
import { openDeveloperServer } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { createTestProgram } from "./support/test-program.ts";

let server: DeveloperServer;
let folder: string;
beforeAll(async () => {
  server = await openDeveloperServer();
  folder = await mkdtemp(path.join(tmpdir(), "hookwright-types-"));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(() => serve("order.paid", "stock.changed"));

const text = { type: "string" };
function serve(...events: readonly string[]): void {
  const describe = (event: string) => {
    const properties = {
      id: text,
      event: { const: event },
      project: { type: "object" },
      data: { type: "object" },
    };
    const content = { "application/json": { schema: { type: "object", properties } } };
    return [event, { post: { parameters: [], requestBody: { content } } }];
  };
  const body = { openapi: "3.1.1", webhooks: Object.fromEntries(events.map(describe)) };
  server.overrides.set("GET /v1/openapi.json", { status: 200, body });
}

async function run(...commandLine: string[]) {
  const program = createTestProgram({ environment: { HOOKWRIGHT_SERVER: server.url } });
  const status = await runCli({ ...program, commandLine: ["types", ...commandLine] });
  return { status, printed: program.printed.join("\n"), complained: program.complained.join("\n") };
}

it("types needs no key, sends none, and says how the file was made", async () => {
  const { status, printed } = await run("--key", "hwk_1");
  expect(status).toBe(0);
  expect(printed).toMatch(
    new RegExp(`^// The events of ${server.url}, written by .hookwright types --server ${server.url}.\\.`),
  );
  expect(server.requested("GET", /openapi/u).at(-1)?.headers).not.toHaveProperty("authorization");
  const { $comment } = JSON.parse((await run("--format", "json-schema", "--body-form", "standard")).printed);
  expect($comment).toContain("--format json-schema --body-form standard");
  expect(JSON.parse((await run("--json")).printed)).toMatchObject({
    format: "typescript",
    events: ["order.paid", "stock.changed"],
    file: null,
    content: printed,
  });
});

it("a file is written whole, and --check compares it", async () => {
  const file = path.join(folder, "events.d.ts");
  expect(await run("--out", file, "--check")).toMatchObject({
    status: 1,
    printed: `${file} is not current. Write it again without --check.`,
  });
  expect(await run("--out", file)).toMatchObject({
    status: 0,
    printed: `${file} has 2 events of ${server.url}.`,
  });
  expect((await stat(file)).mode & 0o600).toBe(0o600);
  const written = await readFile(file, "utf8");
  await writeFile(file, written.replaceAll("\n", "\r\n"));
  expect(await run("--out", file, "--check")).toMatchObject({ status: 0, printed: `${file} is current.` });
  serve("stock.changed", "order.paid");
  expect(await run("--out", file, "--check")).toMatchObject({ status: 0 });
  // It may have been made from another address of the server, and only this line may differ.
  await writeFile(file, written.replace(`events of ${server.url}`, "events of https://hooks.example.com"));
  expect(await run("--out", file, "--check")).toMatchObject({ status: 0 });
  await writeFile(file, written.replace("interface EventData", "interface EventDate"));
  expect(await run("--out", file, "--check")).toMatchObject({ status: 1 });
  await writeFile(file, written);
  serve("stock.changed");
  const { status, printed } = await run("--out", file, "--check", "--json");
  expect([status, JSON.parse(printed)]).toEqual([1, expect.objectContaining({ is_current: false, file })]);
  expect(await readdir(folder)).toEqual(["events.d.ts"]);
});

it.skipIf(process.platform === "win32")("--out keeps a link, and writes to a pipe", async () => {
  const target = path.join(folder, "target.d.ts");
  const link = path.join(folder, "link.d.ts");
  const pipe = path.join(folder, "pipe");
  await writeFile(target, "old");
  await symlink(target, link);
  expect(await run("--out", link)).toMatchObject({ status: 0 });
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  const written = await readFile(target, "utf8");
  expect(written).toContain("interface EventData");
  execFileSync("mkfifo", [pipe]);
  const [read, { status }] = await Promise.all([readFile(pipe, "utf8"), run("--out", pipe)]);
  expect([read, status]).toEqual([written, 0]);
  expect((await lstat(pipe)).isFIFO()).toBe(true);
  for (const each of [target, link, pipe]) await rm(each);
});

it("types of a server without events are an error that says so, and leaves the file", async () => {
  serve();
  const file = path.join(folder, "none.d.ts");
  for (const given of [
    ["--out", file],
    ["--format", "json-schema"],
    ["--out", file, "--check"],
  ])
    expect(await run(...given)).toEqual({
      status: 1,
      printed: "",
      complained: `hookwright: ${server.url} has no events yet, so there are no types. Its operator declares them with PUT /host/v1/event-types/{name}.`,
    });
  expect(await readdir(folder)).not.toContain("none.d.ts");
});

const missing = path.join(tmpdir(), "hookwright-no-folder", "events.d.ts");

it.each([
  [["--check"], 2, "Name it with --out FILE"],
  [
    ["--format", "typescipt"],
    2,
    '--format must be typescript or json-schema, but is "typescipt" (did you mean typescript?).',
  ],
  [["--body-form", "svix"], 2, "--body-form must be hookwright or standard"],
  [["--out", missing], 2, `--out: ${missing} cannot be written: ENOENT: no such file or directory.`],
  [["--out", tmpdir()], 2, `--out: ${tmpdir()} cannot be written: `],
  [
    ["--out", tmpdir(), "--check"],
    2,
    `--out: ${tmpdir()} cannot be read: EISDIR: illegal operation on a directory`,
  ],
  [["--server", "http://127.0.0.1:1"], 3, "cannot reach http://127.0.0.1:1"],
])("types %j is refused", async (commandLine, status, message) => {
  const result = await run(...commandLine);
  expect(result).toMatchObject({ status, printed: "", complained: expect.stringContaining(message) });
  expect(result.complained).not.toMatch(/[\da-f]{8}-[\da-f]{4}/u);
});

it.each([
  [{ status: 200, body: "<html>" }, "is not a Hookwright server"],
  [{ status: 200, body: { openapi: "3.1.1", paths: {} } }, "/v1/openapi.json describes no events"],
  [
    { status: 404, body: { success: false, error: { code: "not_found", message: "No." } } },
    "has no such route",
  ],
  [{ status: 503, body: { success: false, error: { code: "internal_error", message: "Busy." } } }, "Busy."],
])("of a server that answers %j, nothing is written", async (answer, message) => {
  const file = path.join(folder, "kept.d.ts");
  await writeFile(file, "kept");
  server.overrides.set("GET /v1/openapi.json", answer);
  expect(await run("--out", file)).toMatchObject({ status: 3, complained: expect.stringContaining(message) });
  expect(await readFile(file, "utf8")).toBe("kept");
  await rm(file);
});
