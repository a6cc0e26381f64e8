import type { Operation } from "./operation.ts";

export interface MatchedPath {
  /** The operations by method. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The value of `Allow`. */
  readonly allow: string;
  /** The decoded path parameter. Empty if the path has none. */
  readonly parameter: string;
}

interface PathEntry {
  readonly segments: readonly string[];
  readonly operations: Map<string, Operation>;
}

/** Finds the operations of a percent-encoded path, or returns `undefined`. */
export type MatchPath = (path: string) => MatchedPath | undefined;

export function createRouteTable(operations: readonly Operation[]): MatchPath {
  const entries = new Map<string, PathEntry>();
  for (const operation of operations) {
    const [method, path] = splitName(operation.name);
    const entry = entries.get(path) ?? { segments: path.split("/"), operations: new Map() };
    entries.set(path, entry);
    entry.operations.set(method, operation);
  }
  return (path) => {
    const segments = path.split("/");
    for (const entry of entries.values()) {
      const parameter = matchSegments(entry.segments, segments);
      if (parameter === undefined) continue;
      const methods = [...entry.operations.keys()].flatMap((name) =>
        name === "GET" ? [name, "HEAD"] : name,
      );
      return { operations: entry.operations, allow: [...methods, "OPTIONS"].join(", "), parameter };
    }
    return undefined;
  };
}

/** Splits `"GET /v1/me"` into the method and the path. */
export function splitName(name: string): [method: string, path: string] {
  const space = name.indexOf(" ");
  return [name.slice(0, space), name.slice(space + 1)];
}

/** Returns the parameter of a matching path. No path has more than one. */
function matchSegments(pattern: readonly string[], segments: readonly string[]): string | undefined {
  if (pattern.length !== segments.length) return undefined;
  let parameter: string | undefined = "";
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (!expected.startsWith("{")) {
      if (segment !== expected) return undefined;
    } else {
      parameter = decodeSegment(segment);
      if (!parameter) return undefined;
    }
  }
  return parameter;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
