import type { HeadersByName } from "../read-service-headers.ts";
import { alreadyRead, bodyLimit, receive } from "./receive.ts";
import type { HandlerOptions } from "./receive.ts";
import type { NoOwnEvents, OwnEventData } from "../webhook-event.ts";

export interface FastifyPluginOptions<Own extends OwnEventData = NoOwnEvents> extends HandlerOptions<Own> {
  /** @default "/webhooks" */
  readonly path?: string | undefined;
}

interface FastifyRequestLike {
  readonly headers: HeadersByName;
  readonly body: unknown;
}

interface FastifyReplyLike {
  code(status: number): { send(text?: string): unknown };
}

/** The parts of a Fastify instance that are needed. */
export interface FastifyInstanceLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: "buffer"; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: unknown) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => unknown): unknown;
}

/**
 * A Fastify 5 plugin with the route of a receiver. Only in this plugin bodies are not parsed.
 *
 * @example
 * await app.register(fastifyPlugin, { path: "/webhooks", secrets: "whsec_…", onEvent });
 */
export async function fastifyPlugin<Own extends OwnEventData = NoOwnEvents>(
  app: FastifyInstanceLike,
  { path = "/webhooks", ...options }: FastifyPluginOptions<Own>,
): Promise<void> {
  app.removeAllContentTypeParsers();
  const raw = { parseAs: "buffer", bodyLimit: bodyLimit(options) } as const;
  // Fastify answers a longer body with 413 itself.
  app.addContentTypeParser("*", raw, (_request, body, done) => done(null, body));
  app.post(path, async ({ headers, body = "" }, reply) => {
    const read = () => {
      if (typeof body === "string" || body instanceof Uint8Array) return body;
      throw alreadyRead("another content type parser has parsed it");
    };
    const { status, text } = await receive(headers, read, options);
    return reply.code(status).send(text);
  });
}
