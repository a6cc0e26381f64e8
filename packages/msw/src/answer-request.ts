import type { ErrorCode } from "@hookwright/domain";
import type { PlannedFailure } from "./failures.ts";
import { findOperation } from "./operation-names.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { Session } from "./session.ts";

/** The response, or the way in which the request fails without one. */
export type Reply = Response | Extract<PlannedFailure, string>;

/**
 * Answers a request by the service, or by the next failure of its operation.
 *
 * @param session the session in which the request arrived. A reset may replace it before the body is read
 * @param basePath the path of the base URL, without a trailing slash
 */
export async function answerRequest(session: Session, basePath: string, request: Request): Promise<Reply> {
  const { method, headers } = request;
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
  const operation = findOperation(method, path);
  const failure = session.failures.take(operation);
  const recorded: Writable<RecordedRequest> = {
    method,
    path,
    operation,
    query: Object.fromEntries(searchParams),
    headers: new Headers(headers),
    body: toBody(await request.clone().text()),
    status: null,
    code: null,
  };
  session.requests.add(recorded);
  if (typeof failure === "string") return failure;
  await session.calls;
  const { fetch } = await session.opened;
  const response = await fetch(request, failure);
  recorded.status = response.status;
  recorded.code = await readCode(response);
  return response;
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** The parsed JSON, or the text if it is not JSON. */
function toBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function readCode(response: Response): Promise<ErrorCode | null> {
  if (response.ok || response.body === null) return null;
  const { error }: { readonly error?: { readonly code: ErrorCode } } = await response.clone().json();
  return error?.code ?? null;
}
