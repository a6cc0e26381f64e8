import { expectIntegrations, HookwrightError, isHookwrightError } from "@hookwright/domain";
import type { ErrorCode, HostAccount } from "@hookwright/domain";
import { preflightHeaders, toFailure, toResponse, toSuccess } from "./answer/to-response.ts";
import type { Answer } from "./answer/to-response.ts";
import type { PlannedFailure } from "./failures.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { authenticate } from "./request/authenticate.ts";
import { parseJsonBody } from "./request/parse-json-body.ts";
import { parseQuery } from "./request/parse-query.ts";
import type { Operation } from "./routing/operation.ts";
import type { MatchedPath, MatchPath } from "./routing/route-table.ts";
import type { Session } from "./session.ts";
import type { World } from "./state/world.ts";

export interface AnswerRequestOptions {
  /** The session in which the request arrived. A reset may replace it before the body is read. */
  readonly session: Session;
  readonly match: MatchPath;
  /** The path of the base URL, without a trailing slash. */
  readonly basePath: string;
}

/** The response, or the way in which the request fails without one. */
export type Reply = Response | Extract<PlannedFailure, string>;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Answers a request. After the body is read, everything is synchronous, so requests do not interleave. */
export async function answerRequest(options: AnswerRequestOptions, request: Request): Promise<Reply> {
  const { session, match, basePath } = options;
  const url = new URL(request.url);
  const path = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  const { world, failures } = session;
  const { method, headers } = request;
  const sent: Sent = { method, path: path ?? url.pathname, search: url.search, headers, bytes };
  const matched = path === undefined ? undefined : match(path);
  const operation = matched?.operations.get(method === "HEAD" ? "GET" : method);
  const failure = failures.take(operation?.name);
  const outcome = failure === undefined ? serve(world, sent, matched, operation) : toOutcome(failure);
  const recorded: RecordedRequest = {
    method,
    path: sent.path,
    operation: operation?.name,
    query: Object.fromEntries(url.searchParams),
    headers: new Headers(headers),
    body: readBody(bytes),
    status: typeof outcome.reply === "string" ? null : outcome.reply.status,
    code: outcome.code,
  };
  session.requests.add(recorded);
  return typeof outcome.reply === "string"
    ? outcome.reply
    : toResponse(outcome.reply, {
        method,
        requestId: world.newId("req"),
        anyOrigin: allowsAnyOrigin(matched),
      });
}

interface Outcome {
  readonly reply: Answer | Extract<PlannedFailure, string>;
  readonly code: ErrorCode | null;
}

function serve(
  world: World,
  sent: Sent,
  matched: MatchedPath | undefined,
  operation: Operation | undefined,
): Outcome {
  if (matched === undefined) return toOutcome(unknownPath());
  const { allow } = matched;
  if (sent.method === "OPTIONS") {
    const preflight = allowsAnyOrigin(matched) ? preflightHeaders(allow) : {};
    return { reply: { status: 204, body: null, headers: { allow, ...preflight } }, code: null };
  }
  if (operation === undefined) return toOutcome(wrongMethod(allow), { allow });
  try {
    return { reply: handle(world, sent, matched.parameter, operation), code: null };
  } catch (error) {
    if (isHookwrightError(error)) return toOutcome(error);
    throw error;
  }
}

/** Runs the checks in the order of the contract (§1): key, suspension, plan, demo, query, body, record. */
function handle(world: World, sent: Sent, parameter: string, operation: Operation): Answer {
  const { headers, search, bytes } = sent;
  const apiKey = operation.bare ? "" : authenticate(headers, world.apiKeys);
  if (!operation.bare) checkAccount(world.account, operation);
  const query = parseQuery(operation, search);
  const body = operation.hasBody ? parseJsonBody(headers, bytes) : undefined;
  const success = operation.handle({ world, apiKey, parameter, query, body });
  return operation.bare ? toBareAnswer(success.data) : toSuccess(success);
}

function toBareAnswer(data: unknown): Answer {
  return { status: 200, body: JSON.stringify(data), headers: { "cache-control": "public, max-age=300" } };
}

function toOutcome(failure: PlannedFailure, headers: Readonly<Record<string, string>> = {}): Outcome {
  if (typeof failure === "string") return { reply: failure, code: null };
  return { reply: toFailure(failure, headers), code: failure.code };
}

function allowsAnyOrigin(matched: MatchedPath | undefined): boolean {
  return matched?.operations.get("GET")?.bare ?? false;
}

function unknownPath(): HookwrightError {
  return new HookwrightError("not_found", "No such endpoint. /v1/openapi.json lists those under /v1.");
}

function wrongMethod(allow: string): HookwrightError {
  const methods = allow.replace(/, (?=\w+$)/u, " and ");
  return new HookwrightError("not_found", `No such endpoint: this path takes only ${methods}.`, {
    status: 405,
  });
}

function readBody(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Checks whether the account may use an operation, in the order of the contract: suspension, plan, demo.
 *
 * @throws HookwrightError `account_unavailable`, `plan_required`, `read_only_demo`
 */
function checkAccount(account: HostAccount, { needs, changes }: Operation): void {
  expectIntegrations(account);
  if (needs === "crm" && !account.plan.crm)
    throw new HookwrightError("plan_required", "The account's plan does not include the CRM.");
  if (changes && account.demo)
    throw new HookwrightError("read_only_demo", "The demo account cannot change anything.");
}
