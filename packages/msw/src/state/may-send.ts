import type { World } from "./world.ts";

/** A suspended account, or one whose plan has no integrations, rests: nothing is sent, and nothing later. */
export function maySend({ account: { status, plan } }: World): boolean {
  return status === "active" && plan.integrations;
}
