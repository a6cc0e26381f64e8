import type { Script } from "./script.ts";

export const standing: Script = async (side, ask) => {
  const askAll = async (): Promise<void> => {
    await ask("GET /v1/me");
    await ask("GET /v1/contacts?limit=0");
    await ask("GET /v1/webhooks");
    await ask("POST /v1/webhooks?a=1&a=2", { body: "{" });
    await ask("POST /v1/contacts", { json: {} });
    await ask("DELETE /v1/webhooks/none");
    await ask("GET /v1/nothing");
    await ask("GET /v1/me", { authorization: null });
  };
  await side.changeAccount({ status: "suspended", demo: true, plan: { integrations: false, crm: false } });
  await askAll();
  await side.changeAccount({ status: "active" });
  await askAll();
  await side.changeAccount({ plan: { integrations: true } });
  await askAll();
  await side.changeAccount({ plan: { crm: true, name: "demo" } });
  await askAll();
  await side.changeAccount({
    demo: false,
    name: "Bakery",
    timezone: "Asia/Tokyo",
    email: "Other@example.com",
  });
  await askAll();
};
