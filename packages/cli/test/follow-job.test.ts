import { expect, it } from "vitest";
import type { Row } from "../src/api/fields.ts";
import { CliError, exitStatus, ownError } from "../src/cli-error.ts";
import { followJob } from "../src/command-line/follow-job.ts";

/** Follows a job whose reads answer like this, one after the other. */
function follow(...answers: (Row | Error)[]) {
  const shown: string[] = [];
  const remarks: string[] = [];
  const waits: number[] = [];
  const followed = followJob(
    {
      output: {
        line: (...parts) => void shown.push(parts.map(String).join("")),
        remark: (text) => void remarks.push(text),
        document: () => {},
      },
      signal: new AbortController().signal,
      sleep: async (milliseconds) => void waits.push(milliseconds),
    },
    { id: "rcv_1", status: "running", resent: 0 },
    {
      kind: "resend",
      describe: (job) => `${String(job["resent"])} sent`,
      read: async () => {
        const answer = answers.shift() ?? ownError("server_unreachable", "no response");
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  );
  return { followed, shown, remarks, waits };
}

const finished = { id: "rcv_1", status: "finished", resent: 4 };
const limited = new CliError("rate_limited", "too many", {
  exitStatus: exitStatus.negative,
  retryAfterMs: 7_000,
});

it("one refusal or lost connection does not end the display of a job", async () => {
  const lost = ownError("server_unreachable", "no response");
  const { followed, shown, remarks, waits } = follow(limited, lost, finished);
  expect(await followed).toBe(exitStatus.done);
  expect(shown).toEqual(["0 sent", "4 sent", "The resend is finished."]);
  expect(remarks).toEqual([]);
  expect(waits).toEqual([1_000, 7_000, 2_000]);
});

it("a server that stays away ends the display, which says that the job continues", async () => {
  const { followed, remarks, waits } = follow();
  await expect(followed).rejects.toMatchObject({ code: "server_unreachable" });
  expect(remarks).toEqual(["hookwright: the resend rcv_1 continues on the server."]);
  expect(waits).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 16_000]);
});

it("a job that does not exist any more ends the display at once", async () => {
  const gone = new CliError("resource_not_found", "no such job", { exitStatus: exitStatus.negative });
  const { followed, remarks } = follow(gone);
  await expect(followed).rejects.toBe(gone);
  expect(remarks).toEqual([]);
});
