// Writes the data of this version, which later versions must be able to read. Run it on the commit of a release:
// npm run build && node reference-server/test/upgrade/write-data.ts
import { mkdir, writeFile } from "node:fs/promises";
import { createHookwright } from "hookwright";
import { answersOf, fillAccount } from "../support/busy-account.ts";
import { startAnsweringReceiver } from "./answering-receiver.ts";
import { kinds, pack } from "./places.ts";
import { listDeliveries, retentionDays, secret } from "./reading.ts";
import type { Written } from "./reading.ts";

const today = new Date().toISOString().slice(0, 10);
const folder = new URL(`data/${today}/`, import.meta.url);

for (const kind of kinds) {
  await mkdir(new URL(`${kind.folder}/`, folder), { recursive: true });
  await using place = await kind.open();
  await using receiver = await startAnsweringReceiver((path) => (path === "/orders" ? 500 : 204));
  const store = await place.openStore();
  const hookwright = await createHookwright({
    store,
    secret,
    retentionDays,
    privateTargets: true,
    mailer: { send: async () => {} },
    // Long enough for this program to close before.
    retryDelaysSeconds: [15, 3_600],
    endpointBackoffSeconds: 15,
  });
  const filled = await fillAccount(hookwright, { targetUrl: receiver.url });
  // The orders wait for their second attempt.
  await receiver.received(13);
  await hookwright.close();
  const reopened = await createHookwright({ store, secret, retentionDays, role: "api" });
  const written: Written = {
    ...filled,
    answers: await answersOf(reopened, filled.apiKey),
    deliveries: await listDeliveries(reopened),
  };
  await reopened.close();
  await store.close();
  await writeFile(new URL(`${kind.folder}/${kind.file}`, folder), pack(await place.save()));
  const text = Buffer.from(JSON.stringify(written));
  await writeFile(new URL(`${kind.folder}/written.json.gz`, folder), pack(text));
  process.stdout.write(`${kind.name}: written\n`);
}
