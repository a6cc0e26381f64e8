import type { World } from "./world.ts";

/**
 * Returns whether an account gets deliveries. A suspended account or one without integrations gets none, also
 * not later.
 */
export function maySend({ account: { status, plan } }: World): boolean {
  return status === "active" && plan.integrations;
}
