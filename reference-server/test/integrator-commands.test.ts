import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCertificate } from "../../packages/delivery/test/transport/support/certificate.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";
import { runCli } from "../src/cli.ts";
import { createTestProgram } from "../../packages/cli/test/support/test-program.ts";

/** A real server with an account. */
async function openServer() {
  const hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
  });
  await hookwright.accounts.put("acc_1", { name: "Bakery", email: "ada@example.com" });
  const server = await listenLocally(createServer(hookwright.handler));
  return {
    hookwright,
    url: server.origin,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await hookwright.close();
    },
  };
}

it.each([
  ["key is revoked", "The API key is unknown or revoked."],
  ["account is suspended", "The account is suspended."],
])("listen ends and says why when the %s", async (ending, reason) => {
  await using server = await openServer();
  const { hookwright, url } = server;
  const { id, api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "CLI" });
  const program = createTestProgram({ environment: { HOOKWRIGHT_SERVER: url, HOOKWRIGHT_API_KEY: key } });
  const ended = runCli({ ...program, commandLine: ["listen", "--json"] });
  await expect.poll(() => program.printed.length).toBe(1);
  if (ending === "key is revoked") await hookwright.apiKeys.revoke(id);
  else await hookwright.accounts.put("acc_1", { status: "suspended" });
  expect(await ended).toBe(3);
  expect(program.complained.at(-1)).toContain(reason);
  // The server would refuse that as well.
  expect(program.complained.join("\n")).not.toContain("could not be deleted");
});

it.each(["at once", "while it listens"])("Ctrl-C %s leaves no listener behind", async (when) => {
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
  });
  await hookwright.accounts.put("acc_1", { name: "Bakery", email: "ada@example.com" });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "CLI" });
  let interrupt = (): void => {};
  const server = createServer((request, response) => {
    // The listener is being created, and its response is not there yet.
    if (when === "at once" && request.url === "/developer/v1/listeners") interrupt();
    hookwright.handler(request, response);
  });
  await using local = await listenLocally(server);
  const url = local.origin;
  const program = createTestProgram({ environment: { HOOKWRIGHT_SERVER: url, HOOKWRIGHT_API_KEY: key } });
  interrupt = () => program.send("SIGINT");
  const send = (method: string, path: string): Promise<Response> =>
    fetch(`${url}/developer/v1/listeners${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(method === "POST" ? { body: "{}" } : {}),
    });
  const ended = runCli({ ...program, commandLine: ["listen", "--json"] });
  if (when === "while it listens") {
    await expect.poll(() => program.printed.length).toBe(1);
    program.send("SIGINT");
  }
  expect(await ended).toBe(0);
  expect(program.complained).toEqual([]);
  if (when === "while it listens") {
    const { id } = JSON.parse(program.printed[0] ?? "");
    expect((await send("DELETE", `/${id}`)).status).toBe(404);
  }
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await send("POST", "")).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 409]);
});

describe("a mistake", () => {
  /** Keeps the fields that it knows. `parcel` is optional. */
  const readShipment = (value: unknown) => {
    const { id, carrier, parcel }: Readonly<Record<string, unknown>> = Object(value);
    return { value: { id, carrier, ...(parcel === undefined ? {} : { parcel }) } };
  };
  const events = {
    "order.shipped": {
      schema: { "~standard": { version: 1, vendor: "test", validate: readShipment } },
      sample: { id: "shp_1", carrier: "Post" },
      description: "An order is shipped.",
    },
  } as const;
  const certificate = createCertificate({ name: "127.0.0.1" });
  let hookwright: Awaited<ReturnType<typeof createHookwright<typeof events>>>;
  let key = "";
  const servers = new AsyncDisposableStack();
  const open = async (server: Server): Promise<string> =>
    `127.0.0.1:${servers.use(await listenLocally(server)).port}`;
  let http = "";
  let https = "";

  beforeAll(async () => {
    const secret = "a test secret of 32 characters!!";
    hookwright = await createHookwright({ store: memoryStore(), secret, basePath: "/shop", events });
    await hookwright.accounts.put("acc_1", { name: "Bakery", email: "ada@example.com" });
    await hookwright.projects.put("site_1", { account_id: "acc_1", name: "One" });
    key = (await hookwright.apiKeys.create("acc_1", { name: "CLI" })).api_key;
    // The host answers everything else with a page.
    const handler: RequestListener = (request, response) => {
      if (request.url?.startsWith("/shop/") === true) return hookwright.handler(request, response);
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
    };
    http = await open(createServer(handler));
    https = await open(createHttpsServer(certificate, handler));
  });
  afterAll(async () => {
    await servers.disposeAsync();
    await hookwright.close();
  });

  const names = [
    "order.created, order.paid, booking.created, rental.reserved, subscriber.created, property_enquiry.created",
    "review.submitted, order.shipped.",
  ].join(", ");
  it.each([
    [
      "trigger order.shiped",
      2,
      `unknown event "order.shiped" (did you mean order.shipped?). The events are: ${names}`,
    ],
    [
      "listen --events order.paid,ordr.*",
      2,
      `unknown event "ordr.*" (did you mean order.*?). The events are: ${names}`,
    ],
    [
      "trigger --fields order.payed",
      2,
      'unknown event "order.payed" (did you mean order.paid?). The events are: order.created',
    ],
    [
      "listen --site site_2",
      2,
      'the account has no site "site_2" (did you mean site_1?). The sites are: site_1.',
    ],
    ["trigger order.paid --site x", 2, 'the account has no site "x". The sites are: site_1.'],
    [
      "trigger order.shipped --set carier=DHL",
      2,
      "data.carier: is not a field of order.shipped (did you mean carrier?). The fields are: id, carrier",
    ],
    [
      "deliveries --webhook wh_x",
      1,
      'there is no webhook "wh_x". `hookwright webhooks` lists those that this credential can see.',
    ],
    [
      "deliveries --webhook wh_x --follow",
      1,
      'there is no webhook "wh_x". `hookwright webhooks` lists those that this credential can see.',
    ],
    ["recover wh_x --since 1h", 1, "No such webhook on this account. `hookwright webhooks` lists"],
    ["delivery dlv_x", 1, "No such delivery on this account. `hookwright deliveries` lists the newest."],
    ["resend dlv_x", 1, "No such delivery on this account. `hookwright deliveries` lists the newest."],
    [
      "whoami --server http://HTTP",
      3,
      "If it is below a path of this host, write --server http://HTTP/PATH.",
    ],
    ["whoami --server http://HTTP/shop/v1", 3, "Without it, write --server http://HTTP/shop."],
    ["whoami --server http://HTTP/shop/console/", 3, "Without it, write --server http://HTTP/shop."],
    [
      "whoami --server http://HTTP/store",
      3,
      "Is the path /store right? Without it, write --server http://HTTP.",
    ],
    ["whoami --server https://HTTP/shop", 3, "this port does not speak TLS. Write http://HTTP/shop."],
    ["listen --server https://HTTP/shop", 3, "this port does not speak TLS. Write http://HTTP/shop."],
    ["whoami --server http://HTTPS/shop", 3, "If this port speaks TLS, write https://HTTPS/shop."],
    ["whoami --server https://HTTPS/shop", 3, "set NODE_EXTRA_CA_CERTS to the file with its certificate."],
  ] as const)("%s: the message says what to do", async (line, status, message) => {
    const fill = (text: string): string => text.replaceAll("HTTPS", https).replaceAll("HTTP", http);
    const commandLine = fill(line).split(" ");
    const given = commandLine.includes("--server") ? [] : ["--server", `http://${http}/shop`];
    const program = createTestProgram();
    const code = await runCli({ ...program, commandLine: [...commandLine, ...given, "--key", key] });
    expect({ code, printed: program.printed }).toEqual({ code: status, printed: [] });
    expect(program.complained).toEqual([expect.stringContaining(fill(message))]);
    expect(program.complained[0]).not.toMatch(/openssl|undici|:error:/u);
  });

  it.each([
    ["an optional field that the sample does not have", "parcel=P1", /^order\.shipped_shp_[0-9a-f]{32} was/u],
    [
      "an id with more digits than a number holds",
      "id=9007199254740993",
      /^order\.shipped_9007199254740993 was/u,
    ],
  ])("trigger accepts %s", async (_name, assignment, printed) => {
    const program = createTestProgram();
    const given = ["--server", `http://${http}/shop`, "--key", key];
    const commandLine = ["trigger", "order.shipped", "--set", assignment, ...given];
    expect(await runCli({ ...program, commandLine })).toBe(0);
    expect(program.printed).toEqual([expect.stringMatching(printed)]);
  });
});

it("login, whoami and logout work with the console sign-in and the API keys of a real server", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-cli-"));
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
  });
  await hookwright.accounts.put("acc_1", {
    name: "Bakery",
    email: "ada@example.com",
    password: "correct horse battery",
  });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "CLI" });
  await using server = await listenLocally(createServer(hookwright.handler));
  const url = server.origin;
  const home = { XDG_CONFIG_HOME: folder };
  const run = async (commandLine: readonly string[], environment = {}, answers: readonly string[] = []) => {
    const program = createTestProgram({
      environment: { ...home, ...environment },
      answers,
      hasKeyboard: answers.length > 0,
    });
    const code = await runCli({ ...program, commandLine });
    return { code, printed: program.printed.join("\n"), complained: program.complained.join("\n") };
  };
  try {
    const wrong = await run(["login", "--server", url, "--email", "ada@example.com"], {
      HOOKWRIGHT_PASSWORD: "no",
    });
    expect(wrong).toMatchObject({ code: 3, printed: "" });

    const asked = await run(["login", "--server", url], {}, ["ada@example.com", "correct horse battery"]);
    expect(asked).toMatchObject({ code: 0, complained: "E-mail or API key: \nPassword: " });
    expect(asked.printed).toContain(`Logged in to ${url} as Bakery.`);
    const stored = await readFile(path.join(folder, "hookwright", "credentials.json"), "utf8");
    expect(stored).not.toContain("correct horse battery");
    const [token = ""] = /hwc_[\w-]+/u.exec(stored) ?? [];

    const who = await run(["whoami"]);
    expect(who.code).toBe(0);
    expect(who.printed).toMatch(/^Account +Bakery \(acc_1\)\nE-mail +ada@example\.com\n/u);
    expect(who.printed).toContain(`console login from ${path.join(folder, "hookwright")}`);
    expect(who.printed).not.toContain(token);

    expect(await run(["logout"])).toMatchObject({ code: 0, complained: "" });
    // The server has forgotten the token too.
    expect((await run(["whoami", "--server", url, "--key", token])).code).toBe(3);

    expect((await run(["login", "--server", url, "--key", key])).code).toBe(0);
    expect((await run(["whoami"])).printed).toContain(`API key ${key.slice(0, 8)}… from ${folder}`);
    expect((await run(["logout"])).printed).toContain("The API key is still valid.");
    expect((await run(["whoami", "--server", url], { HOOKWRIGHT_API_KEY: key })).code).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
