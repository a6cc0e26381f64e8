import { readSigningSecrets } from "@hookwright/delivery";
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
import type { Page, PageRequest } from "@hookwright/service";
import type { Instance } from "./instance.ts";

/** A snapshot of the state, with every list newest first. Changes to it do not affect the mock. */
export interface MockState {
  readonly account: HostAccount;
  readonly projects: readonly Project[];
  readonly emailLists: readonly EmailList[];
  readonly contacts: readonly Contact[];
  /** Those of seeds and of `POST /v1/subscribers`. */
  readonly subscribers: readonly Subscriber[];
  readonly blogPosts: readonly BlogPost[];
  readonly orders: readonly Order[];
  /** Includes the secrets, which the API returns only once. */
  readonly webhooks: readonly (Webhook & { readonly signing_secret: string })[];
}

export async function readState(instance: Instance): Promise<MockState> {
  const { accountId, service, projects, emailLists, subscribers, blogPosts } = instance;
  const orders = await readAll((page) => service.orders.list(accountId, {}, page));
  return structuredClone({
    account: await service.accounts.get(accountId),
    projects: newestFirst(projects),
    emailLists: newestFirst(emailLists),
    contacts: await readAll((page) => service.contacts.list(accountId, {}, page)),
    subscribers: newestFirst(subscribers),
    blogPosts: newestFirst(blogPosts),
    orders: orders.map(({ json }): Order => JSON.parse(json)),
    webhooks: await readWebhooks(instance),
  });
}

async function readWebhooks({
  accountId,
  service,
  store,
  serverKeys,
}: Instance): Promise<MockState["webhooks"]> {
  const webhooks = await readAll((page) => service.webhooks.list(accountId, page));
  const secrets = await readSigningSecrets(
    store,
    accountId,
    webhooks.map(({ id }) => id),
  );
  return webhooks.flatMap((webhook, index) => {
    const sealed = secrets[index]?.row.current;
    return sealed === undefined
      ? []
      : [{ ...webhook, signing_secret: serverKeys.box.open(sealed, webhook.id) }];
  });
}

async function readAll<Row>(list: (page: PageRequest) => Promise<Page<Row>>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await list({ limit: 100, cursor });
    rows.push(...page.rows);
    cursor = page.meta.next_cursor;
  }
  return rows;
}

function newestFirst<Value>(rows: ReadonlyMap<string, Value>): readonly Value[] {
  return [...rows.values()].toReversed();
}
