/**
 * What a credential may do: read; manage webhooks and resend; write contacts, subscribers and drafts; manage API keys; manage people.
 */
export const rights = ["read", "webhooks", "write", "keys", "people"] as const;
export type Right = (typeof rights)[number];

/** The rights that an API key can have: all but the management of keys and people. */
export const keyRights = ["read", "webhooks", "write"] as const satisfies readonly Right[];
export type KeyRight = (typeof keyRights)[number];

/** A role is a set of rights. */
export const rightsOfRole = {
  viewer: ["read"],
  developer: ["read", "webhooks", "write", "keys"],
  owner: rights,
} as const satisfies Record<string, readonly Right[]>;
export type Role = keyof typeof rightsOfRole;
export const roles = ["viewer", "developer", "owner"] as const satisfies readonly Role[];

/** The right that a route needs, several of which one is enough, or `any`: every credential may use it. */
export type NeededRight = Right | readonly Right[] | "any";

/** Whether a credential with these rights may use a route. */
export function hasRight(owned: readonly Right[], needed: NeededRight): boolean {
  return needed === "any" || listRights(needed).some((right) => owned.includes(right));
}

/** Whether a route changes something: reading is not enough for it. A demo account and a read-only session may not use it. */
export function isChange(needed: NeededRight): boolean {
  return needed !== "any" && !listRights(needed).includes("read");
}

/** Why a demo account or a read-only session is refused. */
export function readOnlyMessage({ demo }: { readonly demo: boolean }): string {
  return demo
    ? "The demo account cannot change anything."
    : "This console session is read-only: it cannot change anything.";
}

/** The rights of which one is enough. */
export function listRights(needed: Exclude<NeededRight, "any">): readonly Right[] {
  return typeof needed === "string" ? [needed] : needed;
}
