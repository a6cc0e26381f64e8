import { findDelivery, getDelivery } from "../api/operations.ts";
import { exitStatus } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { printDelivery } from "../render/render-rows.ts";

export const deliveryCommand: Command = {
  name: "delivery",
  description: "Show a delivery with attempts, headers, bodies and responses",
  group: "Deliveries",
  words: [
    {
      name: "ID",
      description: "The id of the delivery (the value of X-Service-Delivery), or the id in its body",
    },
  ],
  options: [],
  examples: [
    { command: "hookwright delivery dlv_…", explanation: "Show all attempts" },
    { command: "hookwright delivery order.paid_ord_1001", explanation: "The newest delivery of a body" },
    {
      command: "hookwright delivery dlv_… --json | jq -j '.attempts[-1].request.body' > body.json",
      explanation: "Store the exact body that was sent",
    },
  ],
  notes: ["The exit status is 0, whatever the outcome of the delivery."],
  async run({ words: [id = ""], output, connect }) {
    const api = await connect();
    const found = await findDelivery(api, id);
    const delivery = await getDelivery(api, found.id);
    if (found.others > 0)
      output.remark(
        `hookwright: this is the newest of ${found.others + 1}. \`hookwright deliveries --search ${id}\` lists all.`,
      );
    printDelivery(output, delivery);
    output.document(delivery);
    return exitStatus.done;
  },
};
