import type { Ask, Side } from "./side.ts";

/** The part of an answer that scripts use. */
export interface Answered {
  readonly status: number;
  readonly id: string;
  readonly cursor: string;
  readonly rows: readonly { readonly id: string }[];
}

/** A normalised answer, which is the same on both sides. */
export interface LogEntry {
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const comparedHeaders = [
  "content-type",
  "content-length",
  "cache-control",
  "x-content-type-options",
  "allow",
  "www-authenticate",
  "retry-after",
  "access-control-allow-origin",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-max-age",
];

/**
 * Sends requests to one side and records the answers. Random values are replaced by the order of their
 * appearance.
 */
export function createAsking(side: Side) {
  const log: LogEntry[] = [];
  const names = new Map<string, string>();
  const nameOf = (found: string): string => {
    const name = names.get(found) ?? `<${found.slice(0, found.indexOf("_"))} ${names.size + 1}>`;
    names.set(found, name);
    return name;
  };
  const normalise = (text: string): string =>
    text
      .replaceAll(/(?:wh|ct|sub|post)_[0-9a-f]{32}/g, nameOf)
      .replaceAll(/whsec_[A-Za-z0-9_-]{43}/g, "<secret>")
      .replaceAll(/("next_cursor":|cursor=)"?[A-Za-z0-9_-]{20,}"?/g, '$1"<cursor>"');

  async function ask(
    target: string,
    { authorization = `Bearer ${side.key}`, json, body, headers = {} }: Ask = {},
  ): Promise<Answered> {
    const [method = "", path = ""] = target.split(" ", 2);
    const response = await side.fetch(
      new Request(`http://api.example${path}`, {
        method,
        headers: {
          ...(authorization === null ? {} : { authorization }),
          ...(json === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(body === undefined ? {} : { body }),
      }),
    );
    const text = await response.text();
    const responseHeaders = comparedHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    log.push({
      target: normalise(target),
      status: response.status,
      headers: { ...Object.fromEntries(responseHeaders), "x-request-id": requestIdForm(response) },
      body: text === "" ? "" : JSON.parse(normalise(JSON.stringify(toComparable(JSON.parse(text))))),
    });
    const { data, meta } = text === "" ? { data: {}, meta: {} } : JSON.parse(text);
    return {
      status: response.status,
      id: data?.id ?? "",
      cursor: meta?.next_cursor ?? "",
      rows: Array.isArray(data) ? data : [],
    };
  }
  return { ask, log };
}

function requestIdForm(response: Response): string {
  return response.headers.get("x-request-id")?.replace(/[0-9a-f]{32}$/, "…") ?? "none";
}

/** The mock's OpenAPI document contains only the names of the operations. */
function toComparable(body: { readonly openapi?: string; readonly paths?: object }): unknown {
  if (body.openapi === undefined) return body;
  const operations = Object.entries(body.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries<{ readonly operationId?: string }>(methods).map(
      ([method, { operationId }]) => `${operationId}: ${method} ${path}`,
    ),
  );
  return { openapi: body.openapi, operations: operations.sort() };
}
