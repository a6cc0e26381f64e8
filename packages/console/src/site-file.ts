import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip as zlibGzip } from "node:zlib";
import { ConsoleError } from "./console-error.ts";

/** A file of the developer site and the path where it is served. */
export interface SiteFile {
  /** The path below the base path of the API, such as `/console`. */
  readonly path: `/${string}`;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Loads the file on the first call and caches it.
   *
   * @throws ConsoleError `site_file_missing`
   */
  readonly read: () => Promise<SiteFileContent>;
}

export interface SiteFileContent {
  readonly body: Uint8Array;
  readonly gzip: Uint8Array;
  /** An entity tag with its quotes: a hash of the body. */
  readonly etag: string;
}

const decompress = promisify(gunzip);
const compress = promisify(zlibGzip);

/** Loads the compressed file that the build produced. */
export type LoadPacked = () => Promise<{ readonly default: string }>;

/** Creates a function that loads and unpacks the file once. A failure is not cached. */
export function createFileReader(name: string, load: LoadPacked): SiteFile["read"] {
  return once(() => readContent(name, load));
}

/** Creates a function that renders and compresses a file once. A failure is not cached. */
export function createRenderedReader(render: () => Promise<string | Uint8Array>): SiteFile["read"] {
  return once(async () => {
    const rendered = await render();
    const body = typeof rendered === "string" ? new TextEncoder().encode(rendered) : rendered;
    return { body, gzip: await compress(body), etag: toEtag(body) };
  });
}

function once(read: SiteFile["read"]): SiteFile["read"] {
  let content: Promise<SiteFileContent> | undefined;
  return () => {
    content ??= read().catch((error: unknown) => {
      content = undefined;
      throw error;
    });
    return content;
  };
}

async function readContent(name: string, load: LoadPacked): Promise<SiteFileContent> {
  const packed = await load().catch((error: unknown) => {
    throw new ConsoleError(
      "site_file_missing",
      `The developer site file ${name} is missing. If you bundle the server, exclude @hookwright/console from the bundle. In a checkout, run npm run build.`,
      { cause: error },
    );
  });
  const gzip = Buffer.from(packed.default, "base64");
  const body = await decompress(gzip);
  return { body, gzip, etag: toEtag(body) };
}

function toEtag(body: Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}
