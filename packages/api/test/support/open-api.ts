import { createApi } from "../../src/create-api.ts";
import type { Api } from "../../src/create-api.ts";
import type { ApiOptions } from "../../src/options.ts";
import { openService } from "./open-service.ts";

export const hostToken = "host-token-for-tests";

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface TestApi extends Api {
  readonly options: ApiOptions;
  readonly apiKey: string;
  readonly log: readonly LogLine[];
}

/** An API over the real use cases, with an account `acc_1`, its site `site_1` and a key. */
export async function openApi(overrides: Partial<ApiOptions> = {}): Promise<TestApi> {
  const service = overrides.service ?? openService();
  await service.accounts.put("acc_1", {
    name: "Bakery",
    email: "owner@example.com",
    timezone: "Europe/London",
  });
  await service.projects.put("site_1", { account_id: "acc_1", name: "Shop", timezone: "Europe/London" });
  const { api_key: apiKey } = await service.apiKeys.create("acc_1", { name: "Test key" });
  const log: LogLine[] = [];
  const write =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      log.push({ level, message, fields });
    };
  const options: ApiOptions = {
    service,
    hostToken,
    now: Date.now,
    logger: { info: write("info"), warn: write("warn"), error: write("error") },
    ...overrides,
  };
  return { ...createApi(options), options, apiKey, log };
}
