interface Tag {
  readonly name: string;
  readonly description: string;
}

const tags: Readonly<Record<string, Tag>> = {
  me: { name: "Account", description: "The account the key belongs to." },
  projects: {
    name: "Sites",
    description: "The account's sites; their ids are the `project_id` of other calls.",
  },
  "event-types": { name: "Events", description: "What webhooks can subscribe to, and samples of it." },
  webhooks: { name: "Webhooks", description: "Subscriptions of a URL to an event." },
  contacts: { name: "Contacts", description: "The people a site knows. Needs a plan with the CRM." },
  subscribers: { name: "Subscribers", description: "The people on a site's email lists." },
  "email-lists": { name: "Email lists", description: "The lists that subscribers join." },
  "blog-posts": { name: "Blog posts", description: "Drafts; nothing is published through the API." },
  orders: { name: "Orders", description: "Orders, in the shape in which webhooks send them." },
  "openapi.json": { name: "OpenAPI document", description: "This API, described for programs." },
};

export const allTags: readonly Tag[] = Object.values(tags);

/** By the first part of the path below `/v1`. */
export function tagOf(path: string): Tag {
  const tag = tags[path.split("/")[2] ?? ""];
  if (tag === undefined) throw new Error(`${path} belongs to no tag: name one in tags.ts`);
  return tag;
}
