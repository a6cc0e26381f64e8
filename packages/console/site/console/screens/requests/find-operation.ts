import type { ReferenceOperation } from "../../parts/reference-link.tsx";

/** The part of the OpenAPI document that names the operations. */
export interface OperationList {
  /** Operations by their path with parameters in braces, then by their method in lower case. */
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly tags: readonly [string, ...string[]] }>>>
  >;
}

/** @throws Error if the server sends no such document */
export async function readOperations(signal: AbortSignal): Promise<OperationList> {
  const response = await fetch("v1/openapi.json", { signal, credentials: "omit" });
  if (!response.ok) throw new Error(`The OpenAPI document got the status ${response.status}.`);
  return response.json();
}

/** The operation of a request. Undefined: the document does not list it, such as those of the developer API. */
export function findOperation(
  { paths }: OperationList,
  { method, path }: { readonly method: string; readonly path: string },
): ReferenceOperation | undefined {
  // A path without parameters comes first, as OpenAPI demands.
  const template = path in paths ? path : Object.keys(paths).find((each) => isMadeFrom(path, each));
  const verb = method === "HEAD" ? "GET" : method;
  const operation = paths[template ?? ""]?.[verb.toLowerCase()];
  if (template === undefined || operation === undefined) return undefined;
  const tag = operation.tags[0].toLowerCase().replaceAll(" ", "-");
  return { name: `${verb} ${template}`, anchor: `tag/${tag}/${verb}${template}` };
}

function isMadeFrom(path: string, template: string): boolean {
  const values = path.split("/");
  const segments = template.split("/");
  return (
    segments.length === values.length &&
    segments.every((segment, at) => (segment.startsWith("{") ? values[at] !== "" : segment === values[at]))
  );
}
