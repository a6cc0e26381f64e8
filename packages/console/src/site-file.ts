import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ConsoleError } from "./console-error.ts";

/** A file of the developer site, and where it is served. */
export interface SiteFile {
  /** Below the base path of the API, such as `/console`. */
  readonly path: `/${string}`;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Reads the file at the first call, and answers from memory afterwards.
   *
   * @throws ConsoleError `site_file_missing`
   */
  readonly read: () => Promise<SiteFileContent>;
}

export interface SiteFileContent {
  readonly body: Uint8Array;
  readonly gzip: Uint8Array;
  /** An entity tag, quotes included: a hash of the body. */
  readonly etag: string;
}

const compress = promisify(gzip);

/** Answers what the file holds, read and compressed once; a failure is not kept. */
export function createFileReader(file: URL): SiteFile["read"] {
  let content: Promise<SiteFileContent> | undefined;
  return () => {
    content ??= readContent(file).catch((error: unknown) => {
      content = undefined;
      throw error;
    });
    return content;
  };
}

async function readContent(file: URL): Promise<SiteFileContent> {
  const body = await readFile(file).catch((error: unknown) => {
    throw new ConsoleError(
      "site_file_missing",
      `The developer site lacks ${file.pathname}. Where the server is bundled, leave @hookwright/console out of the bundle; in a checkout, run npm run build.`,
      { cause: error },
    );
  });
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return { body, gzip: await compress(body), etag: `"${hash}"` };
}
