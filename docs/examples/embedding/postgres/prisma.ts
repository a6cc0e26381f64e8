import type { PrismaClient } from "@prisma/client"; // or the output folder of your generator
import type { Hookwright, Order } from "hookwright";

export async function placeOrder(hookwright: Hookwright, prisma: PrismaClient, order: Order): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await tx.order.create({ data: { id: order.id, data: JSON.stringify(order) } });
    const client = {
      query: (text: string, values: string[]) => tx.$queryRawUnsafe(text, ...values),
    };
    const event = { event: "order.created", project_id: "site_shop", data: order } as const;
    await hookwright.publishInTransaction(client, event);
  });
}
