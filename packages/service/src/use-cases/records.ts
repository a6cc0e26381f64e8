import type { BlogPost, Deleted } from "@hookwright/domain";
import type { ChangeOrigin } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";

/** A record as its stored JSON text. Responses and deliveries include it without parsing it. */
export interface RecordText {
  readonly json: string;
}

export interface OrderFilters {
  readonly number?: string | undefined;
  readonly email?: string | undefined;
  readonly status?: string | undefined;
  readonly project_id?: string | undefined;
}

export interface PublishResult {
  /** The body id, `<event>_<record_id>`, or `<event>_<id>` if the event has an id. */
  readonly id: string;
  /** Ids of the deliveries that this call created. Empty for a duplicate. */
  readonly deliveries: readonly string[];
  readonly duplicate: boolean;
  /** Paths in `data` of the fields that were filled or changed, such as `customer.email`. */
  readonly adjusted: readonly string[];
  /** Paths in `data` of the fields that were sent and are not part of the event, such as `shipping_address.street`. */
  readonly dropped: readonly string[];
}

export interface OrderUseCases {
  list(accountId: string, filters: OrderFilters, page: PageRequest): Promise<Page<RecordText>>;
  /** @param projectId only an order of this site exists. @default any site */
  get(accountId: string, orderId: string, projectId?: string): Promise<RecordText>;
}

export interface RecordUseCases {
  remove(accountId: string, kind: string, recordId: string, origin?: ChangeOrigin): Promise<Deleted>;
}

export interface BlogPostUseCases {
  /** Always creates a draft. @param projectId only this site exists. @default all sites of the account */
  create(accountId: string, input: unknown, projectId?: string): Promise<BlogPost>;
}
