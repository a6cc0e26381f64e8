import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { CacheableContent } from "../response/cacheable-content.ts";
import { createOpenApiDocument, toServers } from "./document.ts";
import type { OpenApiOptions } from "./document.ts";

/** Programs usually mount the API at one path. A mount with a parameter, as in `/:tenant`, has many. */
const maximumCached = 8;

export interface DocumentTextOptions extends Omit<OpenApiOptions, "basePath"> {
  /** The URL of the routes, if it is always the same. @default the base path of each request */
  readonly publicUrl?: string | undefined;
}

/**
 * Renders and compresses the document once per base path and set of events, because a mount may add any prefix. It keeps the latest base
 * paths.
 */
export function createDocumentText({
  publicUrl,
  ...options
}: DocumentTextOptions): (basePath: string) => CacheableContent {
  let document: object | undefined;
  let types: unknown;
  const kept = new Map<string, CacheableContent>();
  return (requested) => {
    // The host may have declared an event.
    if (types !== options.events.types) {
      ({ types } = options.events);
      document = undefined;
      kept.clear();
    }
    const basePath = publicUrl ?? requested;
    const known = kept.get(basePath);
    if (known !== undefined) return known;
    document ??= createOpenApiDocument({ ...options, basePath });
    const content = toContent(JSON.stringify({ ...document, servers: toServers(basePath) }));
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= maximumCached) kept.delete(oldest);
    kept.set(basePath, content);
    return content;
  };
}

function toContent(text: string): CacheableContent {
  const body = Buffer.from(text);
  return { body, gzip: gzipSync(body), etag: `"${hash("sha256", body, "base64url").slice(0, 22)}"` };
}
