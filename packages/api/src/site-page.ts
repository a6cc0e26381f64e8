import type { CacheableContent } from "./answer/cacheable-content.ts";

/** A file of a web site that is served beside the API, for everybody. */
export interface SitePage {
  /** Below the base path, such as `/console`. No parameters. */
  readonly path: `/${string}`;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called at every request: keep what is slow. */
  readonly read: () => Promise<SitePageContent>;
}

export type SitePageContent = CacheableContent;
