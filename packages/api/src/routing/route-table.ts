import { ApiError } from "../api-error.ts";
import type { Route } from "./route.ts";

/** All routes at one path. */
export interface PathEntry {
  /** With its parameters in braces. */
  readonly path: string;
  readonly routes: ReadonlyMap<string, Route>;
  /** The value of the `Allow` header. */
  readonly allow: string;
}

export interface MatchedPath {
  readonly entry: PathEntry;
  readonly parameter: (name: string) => string;
}

export interface RouteTable {
  /** The routes at a path, which is still percent-encoded. Undefined for an unknown path. */
  match(path: string): MatchedPath | undefined;
}

interface PathNode {
  readonly literals: Map<string, PathNode>;
  parameter: PathNode | undefined;
  names: readonly string[];
  entry: (PathEntry & { readonly routes: Map<string, Route> }) | undefined;
}

/**
 * Finds routes by path first and by method second. h3's own router responds with 404 to a wrong method and ignores a
 * trailing slash.
 *
 * @throws ApiError `invalid_route`, if two routes have the same method and path
 */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  const root = createNode();
  for (const route of routes) insert(root, route);
  return {
    match(path) {
      if (!path.startsWith("/")) return undefined;
      const values: string[] = [];
      let node: PathNode | undefined = root;
      for (const segment of path.slice(1).split("/")) {
        const literal: PathNode | undefined = node.literals.get(segment);
        if (literal === undefined) {
          const value = decodeSegment(segment);
          if (value === undefined || value === "") return undefined;
          values.push(value);
        }
        node = literal ?? node.parameter;
        if (node === undefined) return undefined;
      }
      const { entry, names } = node;
      if (entry === undefined) return undefined;
      return { entry, parameter: (name) => values[names.indexOf(name)] ?? "" };
    },
  };
}

function insert(root: PathNode, route: Route): void {
  const names: string[] = [];
  let node = root;
  for (const segment of route.path.slice(1).split("/")) {
    if (segment.startsWith("{")) {
      names.push(segment.slice(1, -1));
      node.parameter ??= createNode();
      node = node.parameter;
    } else {
      const next = node.literals.get(segment) ?? createNode();
      node.literals.set(segment, next);
      node = next;
    }
  }
  if (node.entry?.routes.has(route.method)) {
    throw new ApiError("invalid_route", `${route.method} ${route.path} is defined twice. Remove one.`);
  }
  const methods = new Map(node.entry?.routes).set(route.method, route);
  node.names = names;
  node.entry = {
    path: route.path,
    routes: methods,
    allow: [...methods.keys()].flatMap(withImplied).concat("OPTIONS").join(", "),
  };
}

/** Every route for `GET` also serves `HEAD`. */
function withImplied(method: string): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function createNode(): PathNode {
  return { literals: new Map(), parameter: undefined, names: [], entry: undefined };
}

/** Decodes once: `%252F` becomes the text `%2F`. Undefined for a malformed encoding. */
function decodeSegment(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
