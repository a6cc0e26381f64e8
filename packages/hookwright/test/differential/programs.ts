import { expect } from "vitest";
import type { StorageUnderTest } from "../end-to-end/support/storages.ts";
import { hostToken } from "./asked.ts";
import type { Asked, Passed } from "./asked.ts";
import { openProgram } from "./program.ts";
import type { Answer, Program } from "./program.ts";

/** The same program over each storage, all of them asked the same. */
export interface Programs extends AsyncDisposable {
  /** Lets one thing happen to all of them, and holds what they answer against each other and against what every answer must be. */
  perform(step: Asked | Passed): Promise<void>;
  /** The same, for what is asked with the account's key or its console token. */
  read(target: string): Promise<Answer>;
}

/** What every history begins with: all of the first account may be asked for, and what the second one has belongs to somebody else. */
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

  async function ask(asked: Asked): Promise<Answer> {
    // Within one millisecond, what comes to two processes is in no order.
    time += 1;
    for (const program of programs) program.takeWritten();
    const answers = await Promise.all(programs.map((program) => program.ask(asked)));
    const [answer] = answers;
    if (answer === undefined) throw new Error("there is no storage to compare");
    const ofStorage = (told: (index: number) => Answer | undefined) =>
      Object.fromEntries(programs.map(({ storage }, index) => [storage, told(index)]));
    expect({ asked, ...ofStorage((index) => answers[index]) }).toEqual({ asked, ...ofStorage(() => answer) });
    expectEnvelope(asked, answer);
    if (answer.status >= 400)
      for (const { storage, takeWritten } of programs)
        expect({ asked, storage, written: takeWritten() }).toEqual({ asked, storage, written: [] });
    return answer;
  }

  for (const [target, json] of accounts)
    await ask({ type: "ask", target, json, token: hostToken, process: 0 });

  return {
    async perform(step) {
      if (step.type === "ask") await ask(step);
      else time += step.ms;
    },
    read: (target) => {
      const token = target.startsWith("GET /console/") ? "~hwc.0~" : "~hwk.0~";
      return ask({ type: "ask", target, token, process: time % 2 });
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) await program[Symbol.asyncDispose]();
    },
  };
}

/** No fault, and an envelope: a refusal has a code and a message. */
function expectEnvelope({ target }: Asked, { status, body }: Answer): void {
  expect({ target, status, body }).toEqual({ target, status: expect.toSatisfy(isNoFault), body });
  if (body === "") return;
  const told: unknown = JSON.parse(body);
  if (status < 400) expect(told).toMatchObject({ success: true });
  else
    expect(told).toEqual({
      success: false,
      error: { code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/./) },
    });
}

function isNoFault(status: unknown): boolean {
  return typeof status === "number" && status >= 200 && status < 500;
}
