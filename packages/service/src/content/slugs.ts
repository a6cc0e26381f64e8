import { beginningOf } from "@hookwright/domain";
import slugify from "@sindresorhus/slugify";

/** Room for `-2`, `-3` … within the 200 characters a slug may have. */
const longestSlugBase = 190;

/** A title without letters gives `post`, and so do letters that have no counterpart in ASCII. */
export function slugOf(title: string): string {
  if (!/\p{L}/u.test(title)) return "post";
  const slug = slugify(title).slice(0, longestSlugBase).replace(/-+$/u, "");
  return slug === "" ? "post" : slug;
}

/** What all slugs with a number that are made of one begin with. */
export function slugBase(wanted: string): string {
  return beginningOf(wanted, longestSlugBase);
}

/** The slug itself, then `-2`, `-3` … without end: the first that is free is taken. Where it is known that some are not, from `first` on. */
export function* slugCandidates(wanted: string, first = 2): Generator<string, never> {
  yield wanted;
  const base = slugBase(wanted);
  for (let number = first; ; number++) yield `${base}-${number}`;
}
