import { ConsoleError, developerSite } from "@hookwright/console";
import type { SiteFile, SiteOptions } from "@hookwright/console";
import type { HookwrightOptions } from "./options.ts";

type Read =
  | { readonly ok: true; readonly pages: readonly SiteFile[] }
  | { readonly ok: false; readonly problem: string };

/** The pages to serve: none, the developer site, or the site with the branding of the host. */
export function readDeveloperSite(option: HookwrightOptions["developerSite"], options: SiteOptions): Read {
  if (option === false) return { ok: true, pages: [] };
  if (option === true) return { ok: true, pages: developerSite({}, options) };
  if (typeof option !== "object" || option === null || Array.isArray(option))
    return { ok: false, problem: "must be true, false, or { name, logo, accent, docs }" };
  try {
    return { ok: true, pages: developerSite(option, options) };
  } catch (error) {
    if (error instanceof ConsoleError) return { ok: false, problem: error.message };
    throw error;
  }
}
