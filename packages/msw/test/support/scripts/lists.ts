import type { Answered } from "../asking.ts";
import type { Script } from "./script.ts";

export const lists: Script = async (side, ask) => {
  for (let index = 1; index <= 7; index += 1) {
    await side.addProject(`site_extra_${index}`, `Extra ${index}`, "UTC");
    await side.addEmailList(`lst_${index}`, index % 2 === 0 ? "site_1" : "site_2", `List ${index}`);
    await ask("POST /v1/contacts", { json: { project_id: "site_1", email: `p${index}@example.com` } });
    await side.publish("order.created", "site_1", {
      id: `ord_${index}`,
      number: String(index),
      created_at: `2026-11-0${(index % 3) + 1}T10:00:00Z`,
    });
  }
  for (const event of ["order.created", "order.paid", "booking.created", "review.submitted"])
    await ask("POST /v1/webhooks", { json: { event, target_url: "https://hooks.example.com/" } });

  const walk = async (path: string, limit: number): Promise<void> => {
    let page: Answered | undefined;
    for (let count = 0; count < 10 && page?.cursor !== ""; count += 1)
      page = await ask(
        `GET ${path}${path.includes("?") ? "&" : "?"}limit=${limit}&cursor=${page?.cursor ?? ""}`,
      );
  };
  for (const path of [
    "/v1/projects",
    "/v1/email-lists",
    "/v1/email-lists?project_id=site_1",
    "/v1/contacts",
    "/v1/contacts?project_id=site_1",
    "/v1/orders",
    "/v1/orders?email=ADA@example.com",
    "/v1/webhooks",
  ])
    for (const limit of [1, 2, 3, 7, 100]) await walk(path, limit);

  const { cursor } = await ask("GET /v1/orders?limit=2&status=pending");
  await ask(`GET /v1/orders?limit=5&status=pending&cursor=${cursor}`);
  await ask(`GET /v1/orders?limit=2&cursor=${cursor}`);
  await ask(`GET /v1/orders?limit=2&status=paid&cursor=${cursor}`);
  await ask(`GET /v1/contacts?limit=2&cursor=${cursor}`);
  await ask(`GET /v1/orders?limit=2&status=pending&cursor=${cursor}x`);
  await ask(`GET /v1/contacts?email=p1@example.com&project_id=site_1&cursor=${cursor}`);
  await ask(`GET /v1/orders?project_id=none&cursor=nonsense`);
  await ask("GET /v1/email-lists?project_id=none");
  // Changes between two pages neither repeat nor hide rows.
  const first = await ask("GET /v1/contacts?limit=3");
  await ask("POST /v1/contacts", { json: { project_id: "site_2", email: "late@example.com" } });
  await ask(`GET /v1/contacts?limit=3&cursor=${first.cursor}`);
  const hooks = await ask("GET /v1/webhooks?limit=2");
  await ask(`DELETE /v1/webhooks/${hooks.rows[1]?.id}`);
  await ask(`GET /v1/webhooks?limit=2&cursor=${hooks.cursor}`);
};
