import { call, textOf } from "./call.ts";
import { openApi } from "./open-api.ts";
import type { TestApi } from "./open-api.ts";
import { openService } from "./open-service.ts";

export const password = "correct horse battery";

export interface TestConsole {
  readonly api: TestApi;
  /** The console token of the account `acc_1`. */
  readonly token: string;
  /** Advances the clock by this number of milliseconds. */
  readonly advance: (ms: number) => void;
}

/** An API with a console session of the account `acc_1` (owner@example.com). */
export async function openConsole(overrides: Parameters<typeof openApi>[0] = {}): Promise<TestConsole> {
  let time = Date.UTC(2026, 10, 20, 9, 30);
  const now = (): number => time;
  const service = openService({ now });
  const api = await openApi({ service, now, ...overrides });
  await service.accounts.put("acc_1", { password });
  const signedIn = await call(api, "POST /console/api/session", {
    token: undefined,
    json: { email: "owner@example.com", password },
  });
  return { api, token: textOf(signedIn, "token"), advance: (ms) => void (time += ms) };
}
