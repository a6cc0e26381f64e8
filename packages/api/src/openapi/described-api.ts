import type { ErrorCode } from "@hookwright/domain";
import type { z } from "zod";
import type { DocumentedRoute } from "../routing/route.ts";

export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** What differs between the APIs that have an OpenAPI document, besides their routes. */
export interface DescribedApi {
  readonly title: string;
  readonly summary: string;
  /** Paragraphs about the whole API, besides those of every API. */
  readonly description: readonly string[];
  /** The tags in their order, by a part of the path. The last part that has one decides. */
  readonly tags: Readonly<Record<string, Tag>>;
  readonly credential: { readonly name: string; readonly description: string };
  /** The schemas that have a name. The same objects parse requests, so document and parser always agree. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  /** The error codes of the API, and what they mean. */
  readonly errors: ErrorDescriptions;
  /** The codes of the checks before a route, in their order. */
  readonly commonCodes: (route: DocumentedRoute) => readonly ErrorCode[];
  /** The default limit of a body, such as "1 MiB". */
  readonly bodyLimit: string;
  /** Whether an account has a rate limit, which its responses state. */
  readonly isRateLimited: boolean;
}

type ErrorDescriptions = Readonly<Partial<Record<ErrorCode, string>>>;

/** @param own descriptions that differ from the usual ones */
export function describeErrors(
  errors: Readonly<Record<string, { readonly description: string }>>,
  own: ErrorDescriptions = {},
): ErrorDescriptions {
  const usual = Object.entries(errors).map(([code, { description }]) => [code, description]);
  return {
    ...Object.fromEntries(usual),
    internal_error: "Something failed inside the service, or it is temporarily unavailable.",
    ...own,
  };
}

/** @throws Error if no part of the path has a tag. A test builds the document, so this fails early. */
export function tagOf(path: string, { tags, title }: Pick<DescribedApi, "tags" | "title">): Tag {
  const part = path.split("/").findLast((each) => Object.hasOwn(tags, each));
  const tag = part === undefined ? undefined : tags[part];
  if (tag !== undefined) return tag;
  throw new Error(`${path} has no tag. Add a part of it to the tags of the "${title}" in openapi/.`);
}
