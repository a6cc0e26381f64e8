export type { AccentColours, Branding, SiteOptions } from "./branding.ts";
export { ConsoleError } from "./console-error.ts";
export type { ConsoleErrorCode } from "./console-error.ts";
export { developerSite } from "./developer-site.ts";
export type { SiteFile, SiteFileContent } from "./site-file.ts";
