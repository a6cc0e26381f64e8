import { expect, it } from "vitest";
import { createLogWriter } from "../src/log/log-writer.ts";
import { logLines } from "../src/log/log-lines.ts";
import { maskPersonalData } from "../src/log/mask-personal-data.ts";

it.each([
  ["550 <ada.lovelace+x@mail.example.com> unknown", "550 <***@mail.example.com> unknown"],
  ["GET https://ada:secret@example.com/a?token=1&b=2 failed", "GET https://***@example.com/a?*** failed"],
  [
    "at file:///app/node_modules/vitest@5.1.1/dist/index.js?t=1:2",
    "at file:///app/node_modules/vitest@5.1.1/dist/index.js?t=1:2",
  ],
  ["Redis at redis://127.0.0.1:6379 does not answer", "Redis at redis://127.0.0.1:6379 does not answer"],
])("%s", (text, masked) => {
  expect(maskPersonalData(text)).toBe(masked);
});

it("a line has its component and code, and its error has no mail address", () => {
  const lines: object[] = [];
  const write = (message: string, fields?: object): void => void lines.push({ message, ...fields });
  const log = createLogWriter({ info: write, warn: write, error: write }, logLines);
  log("mail_retried", { webhook_id: "wh_1", error: new Error("no mailbox ada@example.com") });
  expect(lines).toEqual([
    {
      message: logLines.mail_retried.message,
      webhook_id: "wh_1",
      component: "mail",
      code: "mail_retried",
      error: "no mailbox ***@example.com",
      stack: expect.not.stringContaining("ada@"),
    },
  ]);
});
