import { beginningOf } from "@hookwright/domain";
import slugify from "@sindresorhus/slugify";

/** A slug may have 200 characters. The rest is for the suffix `-2`, `-3` … */
const maximumBaseLength = 190;

/** The slug of a title. It is `post` if the title has no letters with a counterpart in ASCII. */
export function slugOf(title: string): string {
  if (!/\p{L}/u.test(title)) return "post";
  const slug = slugify(title).slice(0, maximumBaseLength).replace(/-+$/u, "");
  return slug === "" ? "post" : slug;
}

/** The part of a slug before its number. */
export function slugBase(wanted: string): string {
  return beginningOf(wanted, maximumBaseLength);
}

/** Yields the slug itself, then the slug with the numbers from `first` on, without end. */
export function* slugCandidates(wanted: string, first = 2): Generator<string, never> {
  yield wanted;
  const base = slugBase(wanted);
  for (let number = first; ; number++) yield `${base}-${number}`;
}
