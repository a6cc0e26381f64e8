export { countEntries } from "./sorted-runs/count-entries.ts";
export { findBeginnings, toLowerAscii } from "./sorted-runs/find-beginnings.ts";
export type { BeginningsQuery, FoundBeginnings } from "./sorted-runs/find-beginnings.ts";
export { findFewRuns, findRuns } from "./sorted-runs/find-runs.ts";
export { listPages } from "./sorted-runs/list-pages.ts";
export type { PagesOptions } from "./sorted-runs/list-pages.ts";
export { orNone } from "./sorted-runs/or-none.ts";
export { readNewestOfRuns } from "./sorted-runs/read-newest-of-runs.ts";
export type { NewestOfRunsQuery } from "./sorted-runs/read-newest-of-runs.ts";
