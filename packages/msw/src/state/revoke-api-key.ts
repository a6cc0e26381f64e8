import type { World } from "./world.ts";

/** The webhooks that a key created go with it. */
export function revokeApiKey({ apiKeys, webhooks }: World, apiKey: string): void {
  apiKeys.delete(apiKey);
  for (const { id, apiKey: creator } of webhooks.values()) if (creator === apiKey) webhooks.delete(id);
}
