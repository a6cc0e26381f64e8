import { createServer } from "node:http";
import { BootstrapError } from "../bootstrap/bootstrap-error.mjs";
import { runCommand } from "../bootstrap/run-command.mjs";
import { programOf } from "./read-guide.mjs";
import { startAsTold } from "./start-as-told.mjs";

const DELIVERY_MS = 30_000;

/**
 * Starts a shop of the guide, and types what the guide tells its reader to type: the command that the shop prints, and every `curl`
 * of the page, in its order.
 *
 * @param {Parameters<typeof startAsTold>[0]} options
 * @returns {Promise<string>} What it did.
 */
export async function followEmbedding(options) {
  const { guide, folder, env } = options;
  const server = await startAsTold(options);
  const receiver = await openReceiver();
  try {
    const key = await findApiKey(server);
    const printed = /\bcurl\b.*/.exec(server.printed())?.[0];
    const commands = [
      ...(printed === undefined ? [] : [printed]),
      ...guide.commands.filter((each) => programOf(each) === "curl"),
    ];
    let listens = false;
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
      listens ||= status === 201 && text.includes('"signing_secret"');
    }
    const samples = await readReviews(server, key);
    if (samples.length === 0)
      throw new Error("no review was published: the guide has no command that sends one");
    if (!listens) return `${commands.length} commands work, and the review is published`;
    await receiver.received;
    return `${commands.length} commands work, and the review is published and delivered`;
  } catch (error) {
    const message = `${options.server}: ${error instanceof Error ? error.message : String(error)}`;
    throw new BootstrapError(message, { output: server.printed().trim() });
  } finally {
    await receiver.close();
    await server.stop();
  }
}

/** @param {import("./start-as-told.mjs").StartedServer} server */
async function findApiKey({ printed }) {
  const key = /\bhwk_[\w-]{20,}/.exec(printed())?.[0];
  if (key === undefined) throw new Error("it printed no API key");
  return key;
}

/** The reviews that the API shows to the key. @param {import("./start-as-told.mjs").StartedServer} server @param {string} key */
async function readReviews({ origin, printed }, key) {
  const base = new RegExp(`${origin}(/[\\w/-]*?)?(?=/v1/|\\s|$)`, "m").exec(printed())?.[1] ?? "";
  const response = await fetch(`${origin}${base}/v1/event-types/review.submitted/samples`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const answer = /** @type {{ data?: unknown[] }} */ (await response.json());
  return answer.data ?? [];
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
