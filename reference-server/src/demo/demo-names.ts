/** Names that never change, so that a second start finds the data of the first. */
export const demoNames = {
  accountId: "acc_demo",
  email: "demo@example.com",
  projectId: "site_demo_bakery",
  secondProjectId: "site_demo_studio",
  listId: "lst_demo_newsletter",
  keyName: "Demo key",
  /** An account without records and webhooks, for the first steps of a newcomer. */
  newAccountId: "acc_demo_new",
  newEmail: "new@example.com",
  newProjectId: "site_demo_new",
  receiverPath: "/hookwright-demo-receiver",
} as const;

/** The orders of the demo's traffic. */
export const trafficOrderPrefix = "ord_live_";

export function isTrafficOrder(id: string): boolean {
  return id.startsWith(trafficOrderPrefix);
}
