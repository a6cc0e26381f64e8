export { expressHandler } from "./handlers/express.ts";
export { fastifyPlugin } from "./handlers/fastify.ts";
export { fetchHandler, honoHandler, nextRoute } from "./handlers/fetch.ts";
export { h3Handler } from "./handlers/h3.ts";
export { lambdaHandler } from "./handlers/lambda.ts";
export { nodeHandler } from "./handlers/node.ts";
export { SignatureError } from "./signature-error.ts";

export type { ExpressRequest } from "./handlers/express.ts";
export type { FastifyInstanceLike, FastifyPluginOptions } from "./handlers/fastify.ts";
export type { H3EventLike } from "./handlers/h3.ts";
export type { HonoContextLike } from "./handlers/fetch.ts";
export type { LambdaAnswer, LambdaEvent } from "./handlers/lambda.ts";
export type { NodeRequest, NodeResponse } from "./handlers/node.ts";
export type { HandlerOptions, Secrets } from "./handlers/receive.ts";
export type { WebhookEvent } from "./webhook-event.ts";
