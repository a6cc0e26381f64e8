/** A file of a web site that is served beside the API, for everybody. */
export interface SitePage {
  /** Below the base path, such as `/console`. No parameters. */
  readonly path: `/${string}`;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called at every request: keep what is slow. */
  readonly read: () => Promise<SitePageContent>;
}

export interface SitePageContent {
  readonly body: Uint8Array;
  /** The same body compressed, for whom accepts it. */
  readonly gzip?: Uint8Array | undefined;
  /** An entity tag (RFC 9110, section 8.8.3), quotes included. It differs whenever the body does. */
  readonly etag: string;
}
