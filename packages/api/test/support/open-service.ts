import { randomBytes } from "node:crypto";
import { createCursorCodec } from "@hookwright/cursor";
import { createSecretBox, createSignerSource } from "@hookwright/delivery";
import { createIdSource } from "@hookwright/domain";
import { createService } from "@hookwright/service";
import type { Service, ServiceOptions } from "@hookwright/service";
import { memoryStore } from "@hookwright/storage/memory";

const secret = "a test secret of 32 characters!!";

/** The real use cases over memory; nothing is delivered. */
export function openService({
  now = Date.now,
  runAttempt = sendNothing,
}: {
  readonly now?: () => number;
  readonly runAttempt?: ServiceOptions["runAttempt"];
} = {}): Service {
  const secretBox = createSecretBox({ secret });
  return createService({
    store: memoryStore({ now }),
    cursors: createCursorCodec({ secret }),
    secretBox,
    targetPolicy: { privateTargets: false, trustedOrigins: [] },
    now,
    newId: createIdSource({ now, randomBytes }),
    randomBytes,
    random: () => 0.5,
    signers: createSignerSource({ secretBox }),
    runAttempt,
    consoleTokenSeconds: 3_600,
    onFault: (error) => {
      throw error;
    },
    scheduler: { takes: () => false, offer: () => {}, wake: () => {} },
  });
}

function sendNothing(): Promise<never> {
  throw new Error("nothing is sent here");
}
