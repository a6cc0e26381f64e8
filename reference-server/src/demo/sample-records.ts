import type { PublishInput } from "hookwright";
import { createDemoOrder } from "./demo-order.ts";
import { demoNames } from "./demo-names.ts";

const { projectId, secondProjectId } = demoNames;
const hour = 3_600_000;
/** Fixed dates and ids: publishing the records again at the next start changes nothing and sends nothing. */
const openedAt = Date.UTC(2026, 10, 2, 8);
const ada = { name: "Ada Lovelace", email: "ada@example.com", phone: "+44 20 7946 0000" };
const grace = { name: "Grace Hopper", email: "grace@example.com", phone: null };

/** Some records for the demo account, so that lists are not empty and most events have a sample. */
export const sampleRecords: readonly PublishInput[] = [
  ...["1001", "1002", "1003"].map((number, index) => ({
    event: "order.created" as const,
    project_id: projectId,
    data: createDemoOrder({ id: `ord_demo_${number}`, number, createdAt: openedAt + index * 26 * hour }),
  })),
  {
    event: "order.paid",
    project_id: projectId,
    data: {
      ...createDemoOrder({ id: "ord_demo_1001", number: "1001", createdAt: openedAt }),
      status: "paid",
    },
  },
  {
    event: "booking.created",
    project_id: secondProjectId,
    data: {
      id: "bkg_demo_2001",
      service: "Portrait session",
      date: "2026-12-11",
      time: "14:30",
      status: "confirmed",
      customer: grace,
      amount_due: 120,
      currency: "EUR",
      payment_status: "unpaid",
      address: null,
      notes: null,
      created_at: "2026-11-05T10:12:00Z",
    },
  },
  {
    event: "subscriber.created",
    project_id: projectId,
    data: {
      id: "sub_demo_4001",
      email: ada.email,
      name: ada.name,
      status: "active",
      tags: ["newsletter"],
      created_at: "2026-11-03T16:40:00Z",
    },
  },
  {
    event: "review.submitted",
    project_id: projectId,
    data: {
      id: "rev_demo_6001",
      rating: 5,
      title: "Worth the walk",
      content: "The crust is perfect.",
      status: "pending",
      verified_purchase: true,
      customer: { name: ada.name, email: ada.email },
      product: { id: "prd_demo_9", name: "Sourdough loaf" },
      created_at: "2026-11-06T18:05:00Z",
    },
  },
];
