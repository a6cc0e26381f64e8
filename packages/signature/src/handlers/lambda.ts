import type { HeadersByName } from "../read-service-headers.ts";
import { receive, wrongMethod } from "./receive.ts";
import type { HandlerOptions } from "./receive.ts";
import type { NoOwnEvents, OwnEventData } from "../webhook-event.ts";

/** The parts of an event from API Gateway (both versions), a function URL or a load balancer that are needed. */
export interface LambdaEvent {
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
  readonly headers?: HeadersByName | null | undefined;
  /** A load balancer sends these in place of `headers`, if it is configured so. */
  readonly multiValueHeaders?: HeadersByName | null | undefined;
  readonly httpMethod?: string | undefined;
  readonly requestContext?:
    | { readonly http?: { readonly method?: string | undefined } | undefined }
    | undefined;
}

export interface LambdaAnswer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * A receiver for AWS Lambda. It decodes bodies that arrive as base64.
 *
 * @example
 * const handler = lambdaHandler({ secrets: "whsec_…", onEvent: (event) => console.log(event.id) }); // export it
 */
export function lambdaHandler<Own extends OwnEventData = NoOwnEvents>(
  options: HandlerOptions<Own>,
): (event: LambdaEvent) => Promise<LambdaAnswer> {
  return async (event) => {
    const { body, isBase64Encoded, headers, multiValueHeaders } = event;
    const method = event.requestContext?.http?.method ?? event.httpMethod ?? "POST";
    const read = () => (isBase64Encoded ? decodeBase64(body ?? "") : (body ?? ""));
    const answer =
      method === "POST" ? await receive(headers ?? multiValueHeaders ?? {}, read, options) : wrongMethod;
    return { statusCode: answer.status, headers: { ...answer.headers }, body: answer.text ?? "" };
  };
}

function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
