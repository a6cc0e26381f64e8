import { describe, expect, it } from "vitest";
import { toChatBody } from "../src/notices/notice-body.ts";

const slack = "https://hooks.slack.com/services/T/B/x";
const discord = "https://discord.com/api/webhooks/1/x";
const teams = "https://prod-1.westeurope.logic.azure.com/workflows/1";

describe("a message in a chat", () => {
  const message = "The API key <!channel> @everyone [pay](https://evil.example) & more ends.";
  const plain = "The API key <!channel> @\u200Beveryone [pay]\u200B(https://evil.example) & more ends.";

  it("mentions nobody and has no link with another text, whatever the customer named", () => {
    expect(JSON.parse(toChatBody(slack, message))).toEqual({
      text: plain.replace("<", "&lt;").replace(">", "&gt;").replace("& more", "&amp; more"),
    });
    expect(JSON.parse(toChatBody(discord, message))).toEqual({
      content: plain,
      allowed_mentions: { parse: [] },
    });
    expect(JSON.parse(toChatBody(teams, message)).attachments[0].content.body[0].text).toBe(plain);
  });

  it("is cut to the length of the smallest chat, and stays well-formed", () => {
    const { content } = JSON.parse(toChatBody(discord, `${"a".repeat(1_999)}😀`));
    expect([content.length, content.isWellFormed()]).toEqual([2_000, true]);
  });

  it("ends with a link to the console, also if it is cut", () => {
    const link = "https://hooks.example.com/console#/webhooks/wh_1";
    const { content } = JSON.parse(toChatBody(discord, "a".repeat(3_000), link));
    expect([content.length, content.slice(-link.length - 3)]).toEqual([2_000, `a\n\n${link}`]);
    expect(JSON.parse(toChatBody(slack, "A webhook fails.", link)).text).toBe(`A webhook fails.\n\n${link}`);
  });
});
