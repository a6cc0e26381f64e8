import type { Script } from "./script.ts";

const target_url = "https://hooks.example.com/orders";

export const webhooks: Script = async (_, ask) => {
  const create = (json: object) => ask("POST /v1/webhooks", { json });
  const { id } = await create({ event: "order.created", target_url, project_id: "site_1" });
  await create({ event: "order.created", target_url: "HTTPS://Hooks.Example.com:443/orders" });
  await create({ event: "order.created", target_url: `${target_url}#` });
  await create({ event: "order.created", target_url: `${target_url}#top` });
  await create({ event: "order.paid", target_url });
  await ask("GET /v1/webhooks");
  await ask(`GET /v1/webhooks/${id}`);
  await create({});
  await create({ event: "order.created" });
  await create({ event: 5, target_url: 5, project_id: 5 });
  await create({ event: "order.gone", target_url: "http://x", project_id: "none" });
  await create({ event: "order.created", target_url: "http://x", project_id: "none" });
  await create({ event: "order.created", target_url, project_id: "none" });
  await create({ event: "order.created", target_url, project_id: "" });
  await ask(`DELETE /v1/webhooks/${id}`);
  await ask(`DELETE /v1/webhooks/${id}`);
  await ask(`GET /v1/webhooks/${id}`);
  for (let index = 0; index < 50; index += 1)
    await create({ event: "review.submitted", target_url: `https://hooks.example.com/${index}` });
  await create({ event: "review.submitted", target_url: "https://hooks.example.com/0" });
  await create({ event: "review.submitted", target_url: "ftp://hooks.example.com/0" });
};
