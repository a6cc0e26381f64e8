import { expect } from "vitest";
import type { StorageUnderTest } from "../end-to-end/support/storages.ts";
import { hostToken } from "./random-request.ts";
import type { RandomRequest, ClockAdvance } from "./random-request.ts";
import { openProgram } from "./program.ts";
import type { Answer, Program } from "./program.ts";

/** The same program over each storage. All get the same requests. */
export interface Programs extends AsyncDisposable {
  /** Performs a step in all programs, compares the responses, and checks the invariants of every response. */
  perform(step: RandomRequest | ClockAdvance): Promise<void>;
  /** Sends a request with the account's key or console token to all programs. */
  read(target: string): Promise<Answer>;
}

/**
 * The start of every history. The requests use the first account. The second account's data must stay invisible to it.
 */
const accounts: readonly (readonly [target: string, json: object])[] = [
  ["PUT /host/v1/accounts/acc_1", { email: "one@example.com", password: "a password" }],
  ["PUT /host/v1/accounts/acc_2", { email: "two@example.com" }],
  ["PUT /host/v1/projects/site_1", { account_id: "acc_1", timezone: "Europe/London" }],
  ["PUT /host/v1/projects/site_2", { account_id: "acc_1", timezone: "Asia/Tokyo" }],
  ["PUT /host/v1/projects/site_3", { account_id: "acc_2" }],
  ["PUT /host/v1/email-lists/list_1", { project_id: "site_1" }],
  ["PUT /host/v1/email-lists/list_2", { project_id: "site_2" }],
  ["PUT /host/v1/email-lists/list_3", { project_id: "site_3" }],
  ["POST /host/v1/accounts/acc_1/api-keys", { name: "first" }],
  ["POST /host/v1/accounts/acc_1/api-keys", { name: "to be revoked" }],
  ["POST /host/v1/accounts/acc_2/api-keys", { name: "of another account" }],
  ["POST /console/api/session", { email: "one@example.com", password: "a password" }],
];

export async function openPrograms(storages: readonly StorageUnderTest[]): Promise<Programs> {
  let time = Date.UTC(2026, 10, 20, 9, 30);
  const programs: Program[] = [];
  for (const storage of storages) programs.push(await openProgram(storage, () => time));

  async function ask(request: RandomRequest): Promise<Answer> {
    // Requests to two processes within one millisecond have no defined order.
    time += 1;
    for (const program of programs) program.takeWritten();
    const answers = await Promise.all(programs.map((program) => program.ask(request)));
    const [answer] = answers;
    if (answer === undefined) throw new Error("there is no storage to compare");
    const ofStorage = (pick: (index: number) => Answer | undefined) =>
      Object.fromEntries(programs.map(({ storage }, index) => [storage, pick(index)]));
    expect({ request, ...ofStorage((index) => answers[index]) }).toEqual({
      request,
      ...ofStorage(() => answer),
    });
    expectEnvelope(request, answer);
    if (answer.status >= 400)
      for (const { storage, takeWritten } of programs)
        expect({ request, storage, written: takeWritten() }).toEqual({ request, storage, written: [] });
    return answer;
  }

  for (const [target, json] of accounts)
    await ask({ type: "request", target, json, token: hostToken, process: 0 });

  return {
    async perform(step) {
      if (step.type === "request") await ask(step);
      else time += step.ms;
    },
    read: (target) => {
      const token = target.startsWith("GET /console/") ? "~hwc.0~" : "~hwk.0~";
      return ask({ type: "request", target, token, process: time % 2 });
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) await program[Symbol.asyncDispose]();
    },
  };
}

/** Checks that the response has no internal error and has the envelope. An error has a code and a message. */
function expectEnvelope({ target }: RandomRequest, { status, body }: Answer): void {
  expect({ target, status, body }).toEqual({ target, status: expect.toSatisfy(hasNoInternalError), body });
  if (body === "") return;
  const envelope: unknown = JSON.parse(body);
  if (status < 400) expect(envelope).toMatchObject({ success: true });
  else
    expect(envelope).toEqual({
      success: false,
      error: { code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/./) },
    });
}

function hasNoInternalError(status: unknown): boolean {
  return typeof status === "number" && status >= 200 && status < 500;
}
