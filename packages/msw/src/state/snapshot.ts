import { isOfKind } from "@hookwright/domain";
import type {
  BlogPost,
  Contact,
  EmailList,
  HostAccount,
  Order,
  Project,
  Subscriber,
  Webhook,
} from "@hookwright/domain";
import { compareRows } from "../lists/row.ts";
import type { Row } from "../lists/row.ts";
import { readSubscriber } from "./find-person.ts";
import { toSubscriber } from "./to-subscriber.ts";
import type { World } from "./world.ts";

/** A snapshot of the state, with every list newest first. Changes to it do not affect the mock. */
export interface MockState {
  readonly account: HostAccount;
  readonly projects: readonly Project[];
  readonly emailLists: readonly EmailList[];
  readonly contacts: readonly Contact[];
  readonly subscribers: readonly Subscriber[];
  readonly blogPosts: readonly BlogPost[];
  readonly orders: readonly Order[];
  /** Includes the secrets, which the API returns only once. */
  readonly webhooks: readonly (Webhook & { readonly signing_secret: string })[];
}

export function takeSnapshot(world: World): MockState {
  const records = [...world.records.values()].sort(compareRows);
  return structuredClone({
    account: world.account,
    projects: valuesOf(world.projects),
    emailLists: valuesOf(world.emailLists),
    contacts: valuesOf(world.contacts),
    subscribers: records
      .filter(({ kind }) => kind === "subscribers")
      .map((row) => toSubscriber(readSubscriber(row), row.projectId, row.listIds)),
    blogPosts: valuesOf(world.blogPosts),
    orders: records.flatMap(({ kind, value: data }) => {
      const record = { kind, data };
      return isOfKind(record, "orders") ? [record.data] : [];
    }),
    webhooks: [...world.webhooks.values()]
      .sort(compareRows)
      .map(({ value, signingSecret }) => ({ ...value, signing_secret: signingSecret })),
  });
}

function valuesOf<Value>(rows: ReadonlyMap<string, Row<Value>>): Value[] {
  return [...rows.values()].sort(compareRows).map(({ value }) => value);
}
