export { createSignedHeaders, createSignedRequest } from "./signed-request.ts";
export { readDeliveryFacts } from "./read-delivery-facts.ts";
export { SignatureError } from "./signature-error.ts";
export { toStandardSecret } from "./to-standard-secret.ts";
export { verify } from "./portable/verify.ts";
export { sign } from "./web/sign.ts";
export type * from "./types.ts";
