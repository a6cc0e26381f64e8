import { isRecordId, normaliseEmail, parseTimestamp, readKeptOrder } from "@hookwright/domain";
import type { KeptOrder, Order, ReadOrder } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectProject, findProject } from "../lookups/find-project.ts";
import type { FindOrdersOfHost } from "../lookups/search-context.ts";
import { keys } from "../rows/keys.ts";
import { readRecordJson } from "../rows/record-row.ts";
import type { OrderFilters, OrderUseCases, RecordText } from "../use-cases.ts";
import { checkRows } from "./read-kept.ts";
import type { CheckedRow, KeptRow } from "./read-kept.ts";
import type { OrderRepository } from "./order-repository.ts";
import { readKept, readKeptPage } from "./read-kept.ts";
import { RepositoryError } from "./repository.ts";

type HostContext = Pick<ServiceContext, "store" | "cursors" | "now" | "onError">;

/** Orders that the host keeps, in the form that order webhooks send. */
export function createOrdersOfHost(context: HostContext, repository: OrderRepository): OrderUseCases {
  const { store, now } = context;

  /** Reads a time without an offset in the time zone of the site. An order without a time gets the time of the published order. */
  async function readOrder(accountId: string, kept: KeptOrder): Promise<ReadOrder> {
    const order = readKeptOrder(kept, { now: now() });
    if (!order.ok || (order.hasCreatedAt && !order.isLocalTime)) return order;
    const [project, record] = await Promise.all([
      findProject(store, accountId, order.project_id),
      store.get(keys.record(accountId, "orders", order.data.id)),
    ]);
    const published: { readonly created_at: string } | undefined =
      record && JSON.parse(readRecordJson(record));
    return readKeptOrder(kept, {
      now: published === undefined ? now() : parseTimestamp(published.created_at),
      timeZone: project?.timezone,
    });
  }

  async function check(
    accountId: string,
    kept: readonly KeptOrder[],
    isRequested: (row: KeptRow<Order>) => boolean,
  ): Promise<CheckedRow<RecordText>[]> {
    const orders = await Promise.all(kept.map((each) => readOrder(accountId, each)));
    const rows = orders.map((order) =>
      order.ok ? { ok: true as const, data: { project_id: order.project_id, data: order.data } } : order,
    );
    const checked = await checkRows(store, accountId, { rows, isRequested });
    return checked.map((row) =>
      row.type === "valid" ? { type: "valid", data: { json: JSON.stringify(row.data) } } : row,
    );
  }

  return {
    async list(accountId, given, page) {
      if (given.project_id !== undefined) await expectProject(store, accountId, given.project_id);
      const email = given.email === undefined ? undefined : normaliseEmail(given.email);
      const filters = { ...given, email };
      return readKeptPage(context, {
        name: "orders.list",
        accountId,
        list: "orders",
        filters,
        page,
        read: (wanted) => repository.list(accountId, filters, wanted),
        check: (kept) => check(accountId, kept, (row) => matches(row, filters)),
      });
    },

    get: (accountId, orderId, projectId) =>
      readKept(context, {
        name: "orders.get",
        noun: "order",
        id: orderId,
        isId: isRecordId,
        async read(signal) {
          const kept = await repository.get(accountId, orderId, { signal });
          return projectId === undefined || String(kept?.project_id) === projectId ? kept : undefined;
        },
        check: (kept) => check(accountId, kept, ({ data }) => data.id === orderId),
      }),
  };
}

/** A search does not wait longer for the host's database. */
const searchMs = 1_000;
/** Orders that a search reads, in pages. */
const maximumFound = 500;
const foundAtOnce = 100;

/** Searches the orders of the host. If its repository fails or takes more than a second, it throws, or logs the error and finds nothing. */
export function createFindOrdersOfHost(context: HostContext, repository: OrderRepository): FindOrdersOfHost {
  const { list } = createOrdersOfHost(context, repository);

  async function findPages(
    accountId: string,
    filters: OrderFilters,
    isOver: () => boolean,
  ): ReturnType<FindOrdersOfHost> {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { rows, meta } = await list(accountId, filters, { limit: foundAtOnce, cursor });
      ids.push(...rows.map(({ json }) => readId(json)));
      cursor = meta.next_cursor ?? undefined;
    } while (cursor !== undefined && ids.length < maximumFound && !isOver());
    return { ids, isComplete: cursor === undefined };
  }

  return async (accountId, anyOf, onFailure) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const deadline = new Promise<never>((_, reject) => {
      const text = `orders.list has not answered for ${searchMs / 1_000} s`;
      timer = setTimeout(() => {
        isOver = true;
        reject(new RepositoryError("unavailable", text));
      }, searchMs);
    });
    try {
      const pages = anyOf.map((filters) => findPages(accountId, filters, () => isOver));
      const found = await Promise.race([Promise.all(pages), deadline]);
      return {
        ids: found.flatMap(({ ids }) => ids),
        isComplete: found.every(({ isComplete }) => isComplete),
      };
    } catch (error) {
      if (onFailure === "throw") throw error;
      context.onError(error, {
        account_id: accountId,
        function: "orders.list",
        code: "repository_not_searched",
      });
      return { ids: [], isComplete: true };
    } finally {
      clearTimeout(timer);
    }
  };
}

function readId(json: string): string {
  const { id }: Pick<Order, "id"> = JSON.parse(json);
  return id;
}

function matches({ project_id, data }: KeptRow<Order>, filters: OrderFilters): boolean {
  const email = normaliseEmail(data.customer.email);
  return (
    (filters.project_id ?? project_id) === project_id &&
    (filters.number ?? data.number) === data.number &&
    (filters.status ?? data.status) === data.status &&
    (filters.email ?? email) === email
  );
}
