import type { CacheableContent } from "./response/cacheable-content.ts";

/** A file of a web site that is served publicly in addition to the API. */
export interface SitePage {
  /** The path below the base path, such as `/console`. It has no parameters. */
  readonly path: `/${string}`;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called on every request, so cache slow work. */
  readonly read: () => Promise<SitePageContent>;
}

export type SitePageContent = CacheableContent;
