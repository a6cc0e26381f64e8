import { quote } from "@hookwright/domain";
import type { Operation } from "./document.ts";

/** What a reader has entered: the parameters by their names, and the body. */
export interface Draft {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

export function draftOf({ parameters, body }: Operation): Draft {
  const required = parameters.filter((parameter) => parameter.in === "path");
  return {
    values: Object.fromEntries(required.map(({ name, example }) => [name, String(example ?? "")])),
    body: body === undefined ? "" : JSON.stringify(body.example ?? {}, null, 2),
  };
}

/** A parameter of the path that would lead to another operation: a URL takes `.` and `..` away, even encoded. */
export function findDots({ parameters }: Operation, { values }: Draft): string | undefined {
  return parameters.find(({ name, in: place }) => place === "path" && /^\.\.?$/u.test(values[name] ?? ""))
    ?.name;
}

/** The URL of a request. The API is beside the page, below any mount. */
export function toUrl({ path, parameters }: Operation, { values }: Draft, page: string): URL {
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const url = new URL(filled.slice(1), page);
  for (const { name, in: place } of parameters)
    if (place === "query" && (values[name] ?? "") !== "") url.searchParams.set(name, values[name] ?? "");
  return url;
}

/** @param key the key that it shows. @default a placeholder */
export function toCurl(operation: Operation, draft: Draft, page: string, key = "<API_KEY>"): string {
  const lines = [
    `curl${operation.method === "GET" ? "" : ` -X ${operation.method}`} ${quote(toUrl(operation, draft, page).href)}`,
    ...(operation.isPublic ? [] : [`-H ${quote(`Authorization: Bearer ${key}`)}`]),
    ...(operation.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(draft.body)}`]),
  ];
  return lines.join(" \\\n  ");
}
