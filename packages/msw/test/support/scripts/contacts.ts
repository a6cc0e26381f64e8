import type { Script } from "./script.ts";

export const contacts: Script = async (side, ask) => {
  const write = (json: object) => ask("POST /v1/contacts", { json: { project_id: "site_1", ...json } });
  const { id } = await write({ email: " Ada@Example.com ", name: "Ada", tags: ["a", " a ", "", "B"] });
  await write({ email: "ada@example.com" });
  await write({ email: "ADA@example.com", name: " ", phone: null, notes: "VIP", tags: ["b", "a"] });
  await write({ email: "ada@example.com", name: "Ada L.", phone: "1", unknown: true });
  await write({ email: "ada@example.com", project_id: "site_2" });
  await ask(`GET /v1/contacts/${id}`);
  await ask("GET /v1/contacts/ct_none");
  for (const query of [
    "",
    "?email=ADA@example.com",
    "?project_id=site_2",
    "?email=ada@example.com&project_id=site_1",
    "?email=%20ada@example.com",
    "?email=nobody@example.com",
    "?email=no-address",
    "?project_id=none",
  ])
    await ask(`GET /v1/contacts${query}`);
  await write({});
  await write({ email: "" });
  await write({ email: "no address", name: 5, phone: "x".repeat(65), tags: "vip" });
  await write({ email: "x@example.com", project_id: "none" });
  await write({ email: "x@example.com", project_id: 5 });
  await write({ email: "x@example.com", tags: Array.from({ length: 101 }, () => "x") });
  await write({ email: "x@example.com", tags: ["x".repeat(101), 5] });
  await write({ email: `${"x".repeat(65)}@example.com` });
  for (let batch = 0; batch < 11; batch += 1)
    await write({
      email: "many@example.com",
      tags: Array.from({ length: 100 }, (_, index) => `${batch}-${index}`),
    });
  await side.changeAccount({ plan: { crm: false } });
  await ask(`GET /v1/contacts/${id}`);
};
