import type { Contact, ContactInputBody as WireBody, InputBody } from "@hookwright/domain";
import { readData } from "../http/read-envelope.ts";
import type { List, ListQuery } from "../list.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";
import { listOperation } from "./list-operation.ts";

/** Empty filters (`""`) are ignored, as everywhere in the API. */
export interface ContactQuery extends ListQuery {
  readonly project_id?: string | undefined;
  /** Compared case-insensitively. */
  readonly email?: string | undefined;
}

/** A `Contact` is also accepted. Its other fields are ignored. */
export type ContactInputBody = InputBody<WireBody>;

export interface SavedContact {
  /** False if the contact existed, or if an earlier attempt with a lost response created it. */
  readonly created: boolean;
  readonly contact: Contact;
}

/** Contacts require a plan with the CRM. Otherwise calls fail with `plan_required`. */
export interface Contacts {
  list(query?: ContactQuery, options?: CallOptions): List<Contact>;
  /**
   * Creates the contact, or updates the one with this e-mail address on the site. `name`, `phone` and `notes`
   * replace stored values, `tags` are added, omitted fields stay.
   *
   * @throws ClientError `validation_failed`
   */
  save(body: ContactInputBody, options?: CallOptions): Promise<SavedContact>;
  /** @throws ClientError `resource_not_found` */
  get(id: string, options?: CallOptions): Promise<Contact>;
}

export function createContacts(send: Send): Contacts {
  return {
    list: (query, options) => listOperation(send, operations.listContacts, { query: { ...query } }, options),

    async save(body, options = {}) {
      const answer = await send(operations.writeContact, { ...options, body });
      return { created: answer.status === 201, contact: readData<Contact>(answer) };
    },

    get: async (id, options = {}) =>
      readData<Contact>(await send(operations.getContact, { ...options, parameters: { id } })),
  };
}
