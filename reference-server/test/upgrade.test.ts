import { readdirSync } from "node:fs";
import { verifySync } from "@hookwright/signature/node";
import { createHookwright } from "hookwright";
import { describe, expect, it } from "vitest";
import { createDemoOrder } from "../src/demo/demo-order.ts";
import { answersOf, busyAccount } from "./support/busy-account.ts";
import { startAnsweringReceiver } from "./upgrade/answering-receiver.ts";
import { kinds, unpack } from "./upgrade/places.ts";
import type { Kind, Place } from "./upgrade/places.ts";
import { listDeliveries, retentionDays, secret } from "./upgrade/reading.ts";
import type { Written } from "./upgrade/reading.ts";

/** Each folder has data that the version of this day wrote. */
const data = new URL("upgrade/data/", import.meta.url);
const versions = readdirSync(data);

async function restore(version: string, { folder, file, open }: Kind) {
  const files = new URL(`${version}/${folder}/`, data);
  const place = await open();
  await place.restore(await unpack(new URL(file, files)));
  const written: Written = JSON.parse(String(await unpack(new URL("written.json.gz", files))));
  return { place, written };
}

/** What this version answers. */
async function readAll(place: Place, { apiKey }: Written) {
  await using store = Object.assign(await place.openStore(), disposal);
  await using reader = await createHookwright({ store, secret, retentionDays, role: "api" });
  return { answers: await answersOf(reader, apiKey), deliveries: await listDeliveries(reader) };
}

/** Later versions answer with milliseconds. */
const inSeconds = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(/(?<=T\d\d:\d\d:\d\d)\.\d{3}(?=Z")/gu, ""));

const disposal = {
  async [Symbol.asyncDispose](this: { close(): Promise<void> }) {
    await this.close();
  },
};

describe.each(versions)("data of the version of %s", (version) => {
  describe.each(kinds)("on $name", (kind) => {
    it.runIf(kind.isInstalled)("is read as that version read it", async () => {
      const { place, written } = await restore(version, kind);
      await using _ = place;
      // A later version may add fields.
      expect(inSeconds(await readAll(place, written))).toMatchObject({
        answers: written.answers,
        deliveries: written.deliveries,
      });
    });

    it.runIf(kind.isInstalled)("is worked on: waiting deliveries are sent and signed", async () => {
      const { place, written } = await restore(version, kind);
      await using _ = place;
      await using receiver = await startAnsweringReceiver(() => 204);
      await using store = Object.assign(await place.openStore(), disposal);
      const options = { store, secret, retentionDays, privateTargets: true };
      const [orders = ""] = written.webhookIds;
      {
        // The receiver of the other version has gone. Nothing may be sent there first.
        await using api = await createHookwright({ ...options, role: "api" });
        await api.webhooks.update(busyAccount, orders, { target_url: `${receiver.url}/orders` });
      }
      await using hookwright = await createHookwright(options);
      await hookwright.publish({
        event: "order.created",
        project_id: "site_a",
        data: createDemoOrder({ id: "ord_new", number: "new", createdAt: Date.now() }),
      });
      await receiver.received(13);
      for (const { headers, body } of receiver.requests)
        verifySync({ headers, body, secrets: [written.signingSecret] });
      await expect.poll(async () => (await hookwright.deliveries.count(busyAccount, {})).pending).toBe(0);
      const session = await hookwright.fetch(
        new Request("http://localhost/console/api/session", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email: "busy@example.com", password: "correct horse battery" }),
        }),
      );
      expect(session.status).toBe(200);
    });
  });
});
