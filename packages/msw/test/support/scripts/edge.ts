import type { Script } from "./script.ts";

export const edge: Script = async (side, ask) => {
  await ask("GET /v1/me");
  await ask("GET /v1/event-types");
  await ask("GET /v1/projects");
  await ask("GET /v1/openapi.json", { authorization: null });
  await ask("HEAD /v1/me");
  await ask("HEAD /v1/me", { authorization: null });
  for (const path of [
    "/v1/nothing",
    "/v1/me/",
    "/v1/orders//",
    "/v1/orders/",
    "/v1/orders/%E0%A4%A",
    "/v1/orders/a/b",
    "/v2/me",
    "/",
  ])
    await ask(`GET ${path}`, { authorization: null });
  await ask("GET /v1/orders/a%2Fb");
  await ask("GET /v1/%6de");
  await ask("GET /v1/event%2Dtypes/order%2Epaid/s%61mples");
  await ask("POST /v1/%6fpenapi%2Ejson");
  await ask("GET /v1%2Fme");
  await ask("GET /v1/%256de");
  for (const path of ["/v1/me", "/v1/contacts", "/v1/webhooks/x", "/v1/openapi.json"]) {
    await ask(`PATCH ${path}`, { authorization: null });
    await ask(`OPTIONS ${path}`, { authorization: null });
  }
  for (const authorization of [
    null,
    "",
    "Basic x",
    "Bearer",
    "Bearer ",
    "Bearer hwk_nobody",
    "Bearer hwc_nobody",
    `bearer\t${side.key}`,
    `BEARER   ${side.key} `,
    side.key,
    `Bearer ${side.key}x`,
  ])
    await ask("GET /v1/me", { authorization });
  const { id } = await ask("POST /v1/webhooks", {
    json: { event: "order.paid", target_url: "https://hooks.example.com/" },
  });
  await side.revokeKey();
  await ask("GET /v1/me");
  await ask(`GET /v1/webhooks/${id}`);
};
