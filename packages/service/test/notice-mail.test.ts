import { expect, it } from "vitest";
import { toNoticeMail, toSummaryMail } from "../src/notices/notice-mail.ts";

it("the subject of a mail is one line, whatever the name of a key", () => {
  const key = {
    id: "key_1",
    name: "Zapier\r\nBcc: all@example.com\u2028",
    expires_at: "2026-12-20T09:30:00Z",
  };
  const notice = {
    id: "ntc_1",
    kind: "key.expiring",
    account_id: "acc_1",
    created_at: "2026-12-13T09:30:00Z",
    message: "The API key ends.",
    webhook: null,
    last_failure: null,
    deliveries: null,
    key,
  } as const;
  const mail = { to: "owner@example.com", notices: [notice] } as const;
  expect(toNoticeMail(mail).subject).toBe("Your API key ends soon: Zapier Bcc: all@example.com ");
  expect(toSummaryMail({ ...mail, resumesAt: 0 }).subject).toBe(
    "There are more messages about your webhooks",
  );
});
