import type { IncomingMessage, ServerResponse } from "node:http";
import { ConfigurationError } from "@hookwright/domain";

/**
 * The parts of Fastify that the plugin uses. Fastify's types are not imported, because this package must compile
 * without Fastify.
 */
interface FastifyServer {
  readonly prefix: string;
  register(
    plugin: (instance: FastifyServer) => Promise<void>,
    options: { readonly prefix: string },
  ): PromiseLike<unknown>;
  addHook(name: "onRequest", hook: (request: FastifyRequest) => Promise<void>): unknown;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(contentType: string, parser: ContentTypeParser): unknown;
  setNotFoundHandler(handler: FastifyHandler): unknown;
  all(path: string, handler: FastifyHandler): unknown;
}

type ContentTypeParser = (
  request: FastifyRequest,
  payload: unknown,
  done: (error: Error | null, body?: unknown) => void,
) => void;

type FastifyHandler = (request: FastifyRequest, reply: FastifyReply) => void;

interface FastifyRequest {
  readonly raw: IncomingMessage;
  headers: object;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): unknown;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
}

export interface HookwrightPluginOptions {
  readonly hookwright: {
    readonly basePath: string;
    readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  };
}

const howToRegister = "call `await app.register(hookwrightPlugin, { hookwright })`";
const serverProblem = `must be a Fastify 5 server: ${howToRegister}`;
const hookwrightProblem = `must be the result of createHookwright: ${howToRegister}`;
const usedFunctions = ["register", "addHook", "removeAllContentTypeParsers", "addContentTypeParser", "all"];

/**
 * Serves the API in Fastify 5 below the `basePath` of Hookwright. The content-type parsers of the rest of the server do
 * not change.
 *
 * @param server a Fastify server, which `register` passes
 * @throws ConfigurationError `invalid_option`, if the plugin is registered below a prefix that `basePath` does not
 * begin with
 * @example
 * const hookwright = await createHookwright({ store, secret, basePath: "/integrations" });
 * await app.register(hookwrightPlugin, { hookwright });
 */
export async function hookwrightPlugin(
  server: object,
  { hookwright }: HookwrightPluginOptions,
): Promise<void> {
  if (!isFastifyServer(server)) throw new ConfigurationError({ option: "server", message: serverProblem });
  if (typeof hookwright?.handler !== "function")
    throw new ConfigurationError({ option: "hookwright", message: hookwrightProblem });
  const serve: FastifyHandler = (request, reply) => {
    // Hooks such as @fastify/helmet may have set headers.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    hookwright.handler(request.raw, reply.raw);
  };
  const prefix = belowPrefix(server.prefix, hookwright.basePath);
  await server.register(
    async (api) => {
      // Fastify would read the body before the handler. The API reads it itself, so that it can refuse a body while it
      // arrives.
      api.removeAllContentTypeParsers();
      // Fastify would refuse a malformed Content-Type. The API reads the original headers from `request.raw`.
      api.addHook("onRequest", async (request) => {
        request.headers = { "content-type": "application/octet-stream" };
      });
      api.addContentTypeParser("*", (_request, _payload, done) => done(null));
      api.all("/", serve);
      api.all("/*", serve);
      // For methods that Fastify does not know. Without a prefix, this handler belongs to the host.
      if (hookwright.basePath !== "") api.setNotFoundHandler(serve);
    },
    { prefix },
  );
}

/** The rest of the base path, if the plugin is registered below a prefix. */
function belowPrefix(prefix: string, basePath: string): string {
  if (prefix === "" || prefix === "/") return basePath;
  if (basePath === prefix || basePath.startsWith(`${prefix}/`)) return basePath.slice(prefix.length);
  throw new ConfigurationError({
    option: "basePath",
    message: `must begin with the prefix of the Fastify plugin: pass basePath: "${prefix}" to createHookwright, or register the plugin without a prefix`,
  });
}

function isFastifyServer(server: object): server is FastifyServer {
  return "prefix" in server && usedFunctions.every((name) => typeof Reflect.get(server, name) === "function");
}
