import { hasRight, keyRights, listRights, roles, rightsOfRole } from "@hookwright/domain";
import type { NeededRight } from "@hookwright/domain";
import type { Route } from "../../../packages/api/src/routing/route.ts";

const introduction = `# Rights

What keys and people may do. This page is generated from the routes.

An API key has one or more of these rights. Without a choice it has all three.

| Right | What it allows |
|---|---|
| \`read\` | everything but changes: the account's sites, orders, contacts, lists, samples and webhooks |
| \`webhooks\` | creating, reading, testing and removing webhooks, sending deliveries again, listeners and \`trigger\`. Without \`read\`, a key sees only the webhooks that it created: others get \`resource_not_found\`. A key with fewer than three rights, or with a site, removes only webhooks that it created: others get \`forbidden\`. A key with all rights and all sites removes any webhook of the account. |
| \`write\` | contacts, subscribers and drafts of blog posts. The response to \`POST /v1/contacts\` has all that is stored of the contact, also without \`read\`. |

A key can have a **site** (\`project_id\`). Then nothing of other sites exists for it: lists have only what belongs to the site, ids of other records get \`resource_not_found\`, and another \`project_id\` is refused like one of another account.
A webhook that it creates gets the site. Webhooks of all sites are not its own, and it sees only recoveries that were limited to its site, as those are that it starts. \`/v1/me\` and the event types are the same for every key.
If the account has a webhook with the same URL and events that the key does not see, it cannot create another one: \`invalid_target_url\`. Under \`/developer/v1\` this is so for each webhook that another key created: \`invalid_state\`.

A key can have an **end** (\`expires_at\`), at most ten years after its creation. From then on it gets \`invalid_api_key\`, and its open streams end.
Its webhooks stay, and get what they got before: only revoking a key removes them. An expired key counts under the limit of 100 keys until it is revoked.

People have roles, and a role is a set of rights.

| Role | Rights |
|---|---|
`;

/** Renders the rights that each route needs, and who has them. */
export function renderRightsPage(routes: readonly Route[]): string {
  const ofRoles = roles.map((role) => `| ${role} | ${rightsOfRole[role].join(", ")} |`).join("\n");
  const named = routes.filter(({ access }) => access === "account" || access === "console");
  return [
    introduction + ofRoles,
    "## Routes for API keys and sessions",
    "Where several rights are named, one is enough. A key never opens the console API.",
    table(
      ["Route", "Right", ...keyRights.map((right) => `key: ${right}`), ...roles],
      named.filter(({ access }) => access === "account").map((route) => toCells(route, true)),
    ),
    "## Routes of the console API",
    table(
      ["Route", "Right", ...roles],
      named.filter(({ access }) => access === "console").map((route) => toCells(route, false)),
    ),
    "",
  ].join("\n\n");
}

function toCells({ method, path, right = [] }: Route, hasKeys: boolean): readonly string[] {
  const sets = [
    ...(hasKeys ? keyRights.map((own) => [own]) : []),
    ...roles.map((role) => rightsOfRole[role]),
  ];
  return [
    `\`${method} ${path}\``,
    nameOf(right),
    ...sets.map((owned) => (hasRight(owned, right) ? "yes" : "–")),
  ];
}

function nameOf(right: NeededRight): string {
  return right === "any" ? "any" : listRights(right).join(" or ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
