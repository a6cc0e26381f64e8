import { randomBytes } from "node:crypto";
import { createCursorCodec } from "@hookwright/cursor";
import { createSecretBox } from "@hookwright/delivery";
import { createIdSource } from "@hookwright/domain";
import { createService } from "@hookwright/service";
import type { Service } from "@hookwright/service";
import { memoryStore } from "@hookwright/storage/memory";

const secret = "a test secret of 32 characters!!";

/** The real use cases over memory; nothing is delivered. */
export function openService({ now = Date.now }: { readonly now?: () => number } = {}): Service {
  return createService({
    store: memoryStore({ now }),
    cursors: createCursorCodec({ secret }),
    secretBox: createSecretBox({ secret }),
    targetPolicy: { privateTargets: false, trustedOrigins: [] },
    now,
    newId: createIdSource({ now, randomBytes }),
    randomBytes,
    consoleTokenSeconds: 3_600,
    onFault: (error) => {
      throw error;
    },
    scheduler: { takes: () => false, offer: () => {}, wake: () => {} },
  });
}
