import { describe, expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

describe("the ledger and the overview of a webhook", () => {
  it("know removed webhooks, but no others", async () => {
    const { service } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    await service.projects.put("site_1", { account_id: "acc_1" });
    const { webhook } = await service.webhooks.createForConsole(
      { accountId: "acc_1", credential: { type: "console" } },
      { event: "order.created", target_url: "https://receiver.example/hooks" },
    );
    const reads = [
      (webhook_id: string) => service.overview.getLedger("acc_1", { webhook_id }),
      (webhook_id: string) => service.overview.get("acc_1", { period: "24h", webhook_id }),
    ];
    for (const read of reads) {
      expect(await read(webhook.id)).toMatchObject({ totals: { due: 0 } });
      await expect(read("wh_unknown")).rejects.toMatchObject({ code: "resource_not_found" });
      await expect(read("\ud800")).rejects.toMatchObject({ code: "resource_not_found" });
    }
    await service.webhooks.remove("acc_1", webhook.id);
    for (const read of reads) expect(await read(webhook.id)).toMatchObject({ totals: { due: 0 } });
  });
});
