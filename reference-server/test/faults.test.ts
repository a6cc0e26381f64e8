import { chmod, chown, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import type { RequestListener } from "node:http";
import path from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openPostgresStore } from "@hookwright/storage/postgres";
import type { CheckResult } from "hookwright";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openConnectProxy } from "../../packages/delivery/test/transport/support/connect-proxy.ts";
import {
  mountSmallFileSystem,
  whyNoSmallFileSystem,
} from "../../packages/storage/test/support/small-file-system.ts";
import { fillStore } from "./support/filled-store.ts";
import { hostToken } from "./support/host-api.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import type { PostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";
import { runToEnd, startServer } from "./support/server-process.ts";
import type { ServerProcess, ServerProcessOptions } from "./support/server-process.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";

/** What an operator sees of a fault. A cell of the page is made of each value. */
interface Fault {
  readonly fault: string;
  readonly doctor: { readonly check: string; readonly status: "failed" | "warning" };
  /** `refuses`: with the sentence of `doctor`. Otherwise the code of its log line. */
  readonly serve: "refuses" | `logs ${string}`;
  /** Of a server in which the fault occurs while it runs. `none`: it cannot. */
  readonly readyz: "none" | "warns" | `503: ${string}`;
  readonly skip?: boolean;
  /** The test that shows what takes too long here. */
  readonly shownBy?: string;
  /** @param answer what `/readyz` says in the end */
  readonly show: (answer: string) => Promise<Shown>;
}

interface Shown {
  readonly checks: readonly CheckResult[];
  /** The output of a `serve` that ended. */
  readonly refusal?: string;
  readonly log?: string;
  /** The status of `/readyz` with the expected answer. */
  readonly readyz?: number;
}

const secret = "a secret of these tests, 32 and more";
const user = 10_001;
const isRoot = process.getuid?.() === 0;
const mayMount = (await whyNoSmallFileSystem()) === undefined;
const environment = { HOOKWRIGHT_HOST_TOKEN: hostToken, HOOKWRIGHT_SECRET: secret };

let postgres: PostgresServer | undefined;

function openDatabase(schema: string) {
  if (postgres === undefined) throw new TypeError("there is no PostgreSQL");
  const { url, run } = postgres;
  return { url: `${url}?schema=${schema}`, run };
}

/** Another program on this machine. Returns its port. */
async function openOther(listener: RequestListener): Promise<number> {
  const other = await listenLocally(createHttpServer(listener));
  onTestFinished(() => other[Symbol.asyncDispose]());
  return other.port;
}

async function makeDirectory(): Promise<string> {
  const directory = await makeFolder();
  await chmod(directory, 0o755);
  return directory;
}

/** Runs the doctor, in a process of its own only if the fault is one of its process. */
async function examine(options: ServerProcessOptions): Promise<readonly CheckResult[]> {
  const commandLine = ["doctor", "--json"];
  if (options.user === undefined && options.openFiles === undefined) {
    const { complained, printed } = await runCommand(commandLine, { PORT: "0", ...options.env });
    expect(complained).toBe("");
    return JSON.parse(printed).checks;
  }
  const { stdout, stderr } = await runToEnd({ ...options, args: commandLine });
  expect(stderr).toBe("");
  return JSON.parse(stdout).checks;
}

/** A fault that is there before a server starts. */
async function beforeStart(options: ServerProcessOptions): Promise<Shown> {
  const [checks, ended] = await Promise.all([examine(options), runToEnd(options)]);
  expect(ended.code).toBe(1);
  return { checks, refusal: ended.stderr };
}

/** A fault of a server that runs, which ends afterwards. The doctor runs beside it. */
async function whileRunning(
  options: ServerProcessOptions,
  answer: string,
  cause: () => unknown = () => {},
): Promise<Shown> {
  await using server = await startServer(options);
  await cause();
  const [checks, readyz] = await Promise.all([examine(options), waitForReadyz(server, answer)]);
  await server.kill9();
  return { checks, log: server.stdout, readyz };
}

/** The fault also keeps a server from starting. */
async function inBothCases(
  options: ServerProcessOptions,
  answer: string,
  cause: () => unknown,
): Promise<Shown> {
  await using server = await startServer(options);
  await cause();
  const [shown, readyz] = await Promise.all([beforeStart(options), waitForReadyz(server, answer)]);
  await server.kill9();
  return { ...shown, readyz };
}

async function waitForReadyz(server: ServerProcess, answer: string): Promise<number> {
  let status = 0;
  await expect
    .poll(
      async () => {
        const response = await fetch(`${server.url}/readyz`);
        status = response.status;
        return response.text();
      },
      { timeout: 20_000 },
    )
    .toContain(answer);
  return status;
}

const faults: readonly Fault[] = [
  {
    fault: "Another program has the port",
    doctor: { check: "port", status: "failed" },
    serve: "refuses",
    readyz: "none",
    async show() {
      const port = await openOther((_, response) => void response.end("not Hookwright"));
      return beforeStart({ env: { ...environment, HOOKWRIGHT_STORAGE: "memory", PORT: String(port) } });
    },
  },
  {
    fault: "A low limit for open files",
    doctor: { check: "files", status: "warning" },
    serve: "logs open_files_limit_low",
    readyz: "warns",
    show: (answer) =>
      whileRunning({ env: { ...environment, HOOKWRIGHT_STORAGE: "memory" }, openFiles: 160 }, answer),
  },
  {
    fault: "The proxy of deliveries reaches private addresses",
    doctor: { check: "proxy", status: "failed" },
    serve: "logs check_failed",
    readyz: "warns",
    async show(answer) {
      const { port } = await openConnectProxy();
      const env = {
        ...environment,
        HOOKWRIGHT_STORAGE: "memory",
        HOOKWRIGHT_PROXY: `http://127.0.0.1:${port}`,
      };
      return whileRunning({ env }, answer);
    },
  },
  {
    fault: "A file of the data directory belongs to another user",
    doctor: { check: "storage", status: "failed" },
    serve: "refuses",
    readyz: "none",
    skip: !isRoot,
    async show() {
      const directory = path.join(await makeDirectory(), "data");
      await (await openFilesystemStore({ directory })).close();
      for (const name of [".", ...(await readdir(directory))])
        await chown(path.join(directory, name), name === "store-1.mdb-lock" ? 0 : user, user);
      const env = { ...environment, HOOKWRIGHT_STORAGE: `file:${directory}`, NODE_COMPILE_CACHE: "" };
      return beforeStart({ env, user, directory: path.dirname(directory) });
    },
  },
  {
    fault: "A newer version has written the data",
    doctor: { check: "storage", status: "failed" },
    serve: "refuses",
    readyz: "none",
    async show() {
      const directory = await makeDirectory();
      await writeFile(path.join(directory, "store-2.mdb"), "");
      return beforeStart({ env: { ...environment, HOOKWRIGHT_STORAGE: `file:${directory}` } });
    },
  },
  {
    fault: "The storage is empty after a restore",
    doctor: { check: "data", status: "warning" },
    serve: "logs storage_empty",
    readyz: "warns",
    async show(answer) {
      const directory = await makeDirectory();
      return whileRunning({ env: { ...environment, HOOKWRIGHT_STORAGE: `file:${directory}` } }, answer);
    },
  },
  {
    fault: "Another server secret than that of the data",
    doctor: { check: "secret", status: "failed" },
    serve: "refuses",
    readyz: "none",
    async show() {
      const directory = await makeDirectory();
      {
        await using store = await openFilesystemStore({ directory });
        await fillStore(store, { secret: "another secret of these tests, 32 long" });
      }
      return beforeStart({ env: { ...environment, HOOKWRIGHT_STORAGE: `file:${directory}` } });
    },
  },
  {
    fault: "The disk is full",
    doctor: { check: "space", status: "failed" },
    serve: "logs not_ready",
    readyz: "503: the disk is full",
    skip: !mayMount,
    async show(answer) {
      const directory = await mountSmallFileSystem(8);
      const env = { ...environment, HOOKWRIGHT_STORAGE: `file:${path.join(directory, "data")}` };
      return whileRunning({ env }, answer, () =>
        writeFile(path.join(directory, "ballast"), Buffer.alloc(8 * 2 ** 20)).catch(() => {}),
      );
    },
  },
  {
    fault: "The storage does not answer",
    doctor: { check: "storage", status: "failed" },
    serve: "refuses",
    readyz: "503: The storage cannot be reached",
    skip: !hasRedisServer,
    async show(answer) {
      await using redis = await startRedisServer();
      const env = { ...environment, HOOKWRIGHT_STORAGE: redis.url };
      return await inBothCases({ env }, answer, () => redis.kill9());
    },
  },
  {
    fault: "The role in PostgreSQL lacks rights",
    doctor: { check: "storage", status: "failed" },
    serve: "refuses",
    readyz: "503: permission denied",
    skip: !hasPostgresServer,
    async show(answer) {
      const { url, run } = openDatabase("rights");
      await (await openPostgresStore({ url })).close();
      await run(`create role app login password 'app-password';
        grant usage on schema rights to app;
        grant select, insert, update, delete on all tables in schema rights to app;
        grant execute on all functions in schema rights to app;`);
      const env = { ...environment, HOOKWRIGHT_STORAGE: url.replace(/\/\/[^@]+@/u, "//app:app-password@") };
      return inBothCases({ env }, answer, () => run("revoke all on all tables in schema rights from app"));
    },
  },
  {
    fault: "The clocks differ",
    doctor: { check: "clock", status: "failed" },
    serve: "logs check_failed",
    readyz: "warns",
    async show(answer) {
      const port = await openOther((_, response) => {
        response.setHeader("date", new Date(Date.now() + 3_600_000).toUTCString()).end();
      });
      const publicUrl = `http://127.0.0.1:${port}`;
      const env = { ...environment, HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_PUBLIC_URL: publicUrl };
      return whileRunning({ env }, answer);
    },
  },
  {
    fault: "The outbox is stuck",
    doctor: { check: "outbox", status: "failed" },
    serve: "logs outbox_stuck",
    readyz: "warns",
    skip: !hasPostgresServer,
    shownBy: "packages/hookwright/test/outbox-watch.test.ts",
    async show() {
      const { url, run } = openDatabase("stuck");
      await (await openPostgresStore({ url })).close();
      await run(`insert into stuck.outbox (event, project_id, data, created_at)
        values ('order.created', 'site_1', '{}', now() - interval '95 seconds')`);
      return { checks: await examine({ env: { ...environment, HOOKWRIGHT_STORAGE: url } }) };
    },
  },
];

describe("an operator sees", { tags: ["long"] }, () => {
  beforeAll(async () => {
    if (hasPostgresServer) postgres = await startPostgresServer();
  });
  afterAll(() => postgres?.[Symbol.asyncDispose]());

  it.for(faults)(
    "$fault",
    { timeout: 60_000 },
    async ({ skip, shownBy, doctor, serve, readyz, show }, { skip: skipTest }) => {
      skipTest(skip === true, "this machine cannot cause it");
      const answer = readyz === "warns" ? '"warnings":["' : readyz.replace("503: ", "");
      const { checks, refusal, log, readyz: status } = await show(answer);
      const found = checks.find(({ name }) => name === doctor.check);
      expect(found).toMatchObject({ name: doctor.check, status: doctor.status });
      if (shownBy !== undefined) return;
      if (serve === "refuses") expect(refusal).toBe(`hookwright: ${found?.message}\n`);
      else expect(log).toContain(`"code":"${serve.replace("logs ", "")}"`);
      if (readyz === "none") return;
      expect(status).toBe(readyz === "warns" ? 200 : 503);
    },
  );
});

it("the page about the doctor has all faults", async () => {
  const page = await readFile(new URL("../../docs/operations/doctor.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("\n## What shows a fault\n");
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Fault"));
  expect(rows).toEqual(faults.map(toRow));
});

function toRow({ fault, doctor, serve, readyz }: Fault): string {
  const ofReadyz = { none: "no server runs", warns: "200, with `warnings`" };
  return `| ${[
    fault,
    `\`${doctor.check}\` ${doctor.status === "failed" ? "failed" : "warning"}`,
    serve === "refuses" ? "refuses to start, in the same words" : serve.replace(/ (\w+)$/u, " `$1`"),
    readyz === "none" || readyz === "warns" ? ofReadyz[readyz] : readyz,
  ].join(" | ")} |`;
}
