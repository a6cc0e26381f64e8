import type { Account } from "@hookwright/domain";
import { readData } from "../http/read-envelope.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";

/** Returns the account of the key, with its time zone and the contents of its plan. */
export type GetAccount = (options?: CallOptions) => Promise<Account>;

export function createGetAccount(send: Send): GetAccount {
  return async (options = {}) => readData<Account>(await send(operations.getAccount, options));
}
