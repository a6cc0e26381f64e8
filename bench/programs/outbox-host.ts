import { connectTo } from "../../packages/storage/test/support/postgres-server.ts";
import { sampleOrder } from "../harness/sample-order.ts";

/**
 * A host whose sessions do nothing but insert events into an outbox, each in a transaction of its own. Each message of the
 * parent asks for this many milliseconds of it, and is answered with the commits per second.
 */
const [url = "", sessions = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit());

const clients = await Promise.all(Array.from({ length: Number(sessions) }, () => connectTo(url)));
const insert =
  "insert into hookwright.outbox (event, project_id, data) values ('order.paid', 'site_bench', $1)";
let orders = 0;

process.on("message", async (ms) => {
  const start = performance.now();
  const end = start + Number(ms);
  let commits = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const values = [JSON.stringify(sampleOrder((orders += 1)))];
        await client.query({ name: "insert", text: insert, values });
        commits += 1;
      }
    }),
  );
  process.send?.((commits * 1_000) / (performance.now() - start));
});
process.send?.("ready");
