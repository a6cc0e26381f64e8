import type { Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";

/** The rows of a webhook that attempts change, or that tell whether they still may. */
export interface WebhookTexts {
  readonly row: string | undefined;
  readonly health: string | undefined;
  readonly guard: string | undefined;
}

/** The rows of webhooks as the last commits have left them, so that the next need not read them. */
export interface KnownWebhooks {
  /** One answer for each, from memory where its rows are known. They may have been changed since: a commit has to check them. */
  textsOf(lanes: readonly LaneAddress[]): Promise<WebhookTexts[]>;
  /** What a commit writes, as soon as it is on its way: the next one then builds on it. */
  remember(webhookId: string, texts: WebhookTexts): void;
  /** A commit was refused or may not have happened, or the partition is another's: everything is read again. */
  forget(): void;
}

/** Of so many webhooks at most: those of the batches under way, and of the one that is put together. */
const mostKnown = 768;

export function createKnownWebhooks(store: Store): KnownWebhooks {
  const known = new Map<string, WebhookTexts>();

  async function readTexts(lanes: readonly LaneAddress[]): Promise<WebhookTexts[]> {
    const texts = await store.getMany(
      lanes.flatMap(({ accountId, event, webhookId }) => [
        keys.webhook(accountId, event, webhookId),
        keys.webhookHealth(accountId, webhookId),
        keys.webhookGuard(accountId),
      ]),
    );
    return lanes.map((_, index) => {
      const [row, health, guard] = texts.slice(index * 3, index * 3 + 3);
      return { row, health, guard };
    });
  }

  return {
    async textsOf(lanes) {
      const remembered = lanes.map(({ webhookId }) => known.get(webhookId));
      const unknown = lanes.filter((_, index) => remembered[index] === undefined);
      const read = unknown.length === 0 ? [] : await readTexts(unknown);
      let next = 0;
      return remembered.map((texts) => texts ?? read[next++] ?? nothing);
    },
    remember(webhookId, texts) {
      known.delete(webhookId);
      known.set(webhookId, texts);
      // The longest unused go: what is under way is among the youngest.
      for (const oldest of known.keys()) {
        if (known.size <= mostKnown) break;
        known.delete(oldest);
      }
    },
    forget: () => known.clear(),
  };
}

const nothing: WebhookTexts = { row: undefined, health: undefined, guard: undefined };
