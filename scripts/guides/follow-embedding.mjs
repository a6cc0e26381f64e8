import { createServer } from "node:http";
import { BootstrapError } from "../bootstrap/bootstrap-error.mjs";
import { runCommand } from "../bootstrap/run-command.mjs";
import { programOf } from "./read-guide.mjs";
import { saveGuideFiles, startGuideServer } from "./start-guide-server.mjs";

const DELIVERY_MS = 30_000;

/**
 * Starts a shop of the guide, and types what the guide tells its reader to type: the command that the shop prints, and every `curl`
 * of the page, in its order. Then starts the shop a second time in the same folder.
 *
 * @param {import("./start-guide-server.mjs").StartOptions} options
 * @returns {Promise<string>} What it did.
 */
export async function followEmbedding(options) {
  await saveGuideFiles(options);
  const first = await useServer(options, async (server) => {
    const key = await findApiKey(server);
    if (key === undefined) throw new Error("it printed no API key");
    return { key, done: await typeCommands(options, server, key) };
  });
  await useServer(options, async (server) => {
    // A store that lives in memory has forgotten the first key, and then the server prints another.
    const isKept = (await askApi(server, first.key, "/v1/me")).status === 200;
    const key = isKept ? first.key : await findApiKey(server);
    const { status } = await askApi(server, key ?? "", "/v1/me");
    if (status !== 200) throw new Error(`after a second start, an API key was answered ${status}`);
  });
  return first.done;
}

/**
 * @template T
 * @param {import("./start-guide-server.mjs").StartOptions} options
 * @param {(server: import("./start-guide-server.mjs").StartedServer) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function useServer(options, use) {
  const server = await startGuideServer(options);
  try {
    return await use(server);
  } catch (error) {
    const message = `${options.server}: ${error instanceof Error ? error.message : String(error)}`;
    throw new BootstrapError(message, { output: server.printed().trim() });
  } finally {
    await server.stop();
  }
}

/**
 * @param {import("./start-guide-server.mjs").StartOptions} options
 * @param {import("./start-guide-server.mjs").StartedServer} server
 * @param {string} key
 */
async function typeCommands({ guide, folder, env }, server, key) {
  const receiver = await openReceiver();
  try {
    const printed = /\bcurl\b.*/.exec(server.printed())?.[0];
    const commands = [
      ...(printed === undefined ? [] : [printed]),
      ...guide.commands.filter((each) => programOf(each) === "curl"),
    ];
    let isListening = false;
    for (const command of commands) {
      const typed = command
        .replaceAll(/\bhwk_[^\s"']*/g, key)
        .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):3000/g, server.origin)
        .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):8080/g, receiver.origin);
      const { status, text } = await runCurl(typed, { folder, env });
      // There the reader has to change an option first, which no command does.
      const isLeftOut =
        text.includes('"invalid_target_url"') && guide.prose.includes("`privateTargets: true`");
      if (!isLeftOut && (status < 200 || status > 299))
        throw new Error(`${command}\nwas answered ${status}: ${text}`);
      isListening ||= status === 201 && text.includes('"signing_secret"');
    }
    const { data = [] } = await askApi(server, key, "/v1/event-types/review.submitted/samples");
    if (data.length === 0)
      throw new Error("no review was published: the guide has no command that sends one");
    if (!isListening) return `${commands.length} commands work, and the review is published`;
    await receiver.received;
    return `${commands.length} commands work, and the review is published and delivered`;
  } finally {
    await receiver.close();
  }
}

/** @param {import("./start-guide-server.mjs").StartedServer} server */
async function findApiKey({ waitFor }) {
  return (await waitFor(/\bhwk_[\w-]{20,}/))?.[0];
}

/**
 * @param {import("./start-guide-server.mjs").StartedServer} server
 * @param {string} key
 * @param {string} place
 * @returns {Promise<{ status: number, data?: unknown[] }>}
 */
async function askApi({ origin, printed, waitFor }, key, place) {
  await waitFor(new RegExp(origin));
  const base = new RegExp(`${origin}(/[\\w/-]*?)?(?=/v1/|\\s|$)`, "m").exec(printed())?.[1] ?? "";
  const response = await fetch(`${origin}${base}${place}`, { headers: { authorization: `Bearer ${key}` } });
  return { ...JSON.parse(await response.text()), status: response.status };
}

/** @param {string} command @param {{ folder: string, env: NodeJS.ProcessEnv }} options */
async function runCurl(command, { folder, env }) {
  const { output } = await runCommand(`${command} -sS -w '\\n%{http_code}'`, [], {
    cwd: folder,
    env,
    shell: true,
  });
  const lines = output.trimEnd().split("\n");
  return { status: Number(lines.at(-1)), text: lines.slice(0, -1).join("\n") };
}

/** A receiver on this machine; `received` rejects where nothing comes in time. */
async function openReceiver() {
  /** @type {() => void} */
  let arrive = () => {};
  /** @type {Promise<void>} */
  const arrived = new Promise((resolve) => (arrive = resolve));
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
    if (request.headers["x-service-signature"] !== undefined) arrive();
  });
  await new Promise((/** @type {(value: void) => void} */ resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    /** @type {Promise<void>} */
    get received() {
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      /** @type {Promise<void>} */
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error("the review was not delivered")), DELIVERY_MS);
      });
      return Promise.race([arrived, late]).finally(() => clearTimeout(timer));
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((/** @type {(value: void) => void} */ resolve) => server.close(() => resolve()));
    },
  };
}
