import type { Role } from "@hookwright/domain";

/** What each role may do. */
export const roleTexts: Readonly<Record<Role, string>> = {
  viewer: "viewer: sees everything, changes nothing",
  developer: "developer: also changes webhooks and keys, and resends",
  owner: "owner: also invites and removes people",
};
