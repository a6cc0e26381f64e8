import { ApiFailure } from "./console-api.ts";

/** What is wrong with the fields of a form, and the rest of the error that no field of it explains. */
export interface FieldProblems {
  /** The problem of a field, or of an entry in it such as `headers.Host`. */
  readonly at: (path: string) => string | undefined;
  readonly rest: ApiFailure | undefined;
}

/**
 * Splits the message of the API by field: `target_url: must start with https://; name: must be text`.
 *
 * @param labels the form's labels of the API's fields, with which problems begin
 *
 * @example readFieldProblems(failure, { target_url: "URL" }).at("target_url") // "URL must start with https://"
 */
export function readFieldProblems(
  failure: ApiFailure | undefined,
  labels: Readonly<Record<string, string>>,
): FieldProblems {
  const problems = new Map<string, string>();
  const rest: string[] = [];
  /** A text without a field continues the problem before it. */
  let continued: string | undefined;
  for (const part of failure?.message.split("; ") ?? []) {
    const { path, text } = /^(?<path>[^\s:]+): (?<text>.*)$/su.exec(part)?.groups ?? {};
    const [field = "", ...entry] = path?.split(".") ?? [];
    const label = labels[path ?? ""];
    if (path !== undefined) continued = label === undefined && labels[field] === undefined ? undefined : path;
    if (continued === undefined) {
      rest.push(part);
      continue;
    }
    const sentence = path === undefined ? part : `${label ?? entry.join(".")} ${text ?? ""}`;
    const before = problems.get(continued);
    problems.set(continued, before === undefined ? sentence : `${before}; ${sentence}`);
  }
  return {
    at: (path) => problems.get(path),
    rest:
      failure === undefined || rest.length === 0
        ? undefined
        : new ApiFailure(failure.code, rest.join("; "), { cause: failure }),
  };
}
