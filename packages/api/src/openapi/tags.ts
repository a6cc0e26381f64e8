interface Tag {
  readonly name: string;
  readonly description: string;
}

const tags: Readonly<Record<string, Tag>> = {
  me: { name: "Account", description: "The account that owns the key." },
  projects: {
    name: "Sites",
    description: "The account's sites. Other endpoints take their ids as `project_id`.",
  },
  "event-types": {
    name: "Events",
    description: "The events that webhooks can subscribe to, and samples of them.",
  },
  webhooks: { name: "Webhooks", description: "Subscriptions of a URL to an event." },
  contacts: { name: "Contacts", description: "The contacts of a site. They need a plan with the CRM." },
  subscribers: { name: "Subscribers", description: "The members of a site's email lists." },
  "email-lists": { name: "Email lists", description: "The lists that subscribers join." },
  "blog-posts": { name: "Blog posts", description: "Drafts. The API does not publish them." },
  orders: { name: "Orders", description: "Orders, in the shape that webhooks send." },
  "openapi.json": { name: "OpenAPI document", description: "The OpenAPI description of this API." },
};

export const allTags: readonly Tag[] = Object.values(tags);

/** Chooses the tag by the first part of the path below `/v1`. */
export function tagOf(path: string): Tag {
  const tag = tags[path.split("/")[2] ?? ""];
  if (tag === undefined) throw new Error(`${path} has no tag. Add one in tags.ts.`);
  return tag;
}
