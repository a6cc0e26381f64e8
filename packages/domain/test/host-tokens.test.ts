import { describe, expect, it } from "vitest";
import { checkHostTokens, parseHostTokens } from "../src/host-tokens.ts";

const all = ["publish", "manage", "read"];

describe("host tokens", () => {
  it("a plain token has the name default and all scopes", () => {
    expect(parseHostTokens("4f1c")).toEqual({
      ok: true,
      tokens: [{ name: "default", scopes: all, token: "4f1c" }],
    });
  });

  it("are separated by commas, with or without a name and scopes", () => {
    expect(parseHostTokens("old, shop:publish:one,desk:read+manage:two:with:colons")).toEqual({
      ok: true,
      tokens: [
        { name: "default", scopes: all, token: "old" },
        { name: "shop", scopes: ["publish"], token: "one" },
        { name: "desk", scopes: ["read", "manage"], token: "two:with:colons" },
      ],
    });
  });

  it("two tokens may have the same name, so that a client can change its token", () => {
    expect(parseHostTokens("shop:publish:old,shop:publish:new").ok).toBe(true);
  });

  it.each([
    ["", ["entry 1 is empty"]],
    ["hidden-a,", ["entry 2 is empty"]],
    [
      "shop:publish+hidden-a:hidden-b",
      [expect.stringMatching(/^entry 1 \(shop\) must be .*publish, manage/u)],
    ],
    ["hidden-a:hidden-b:hidden-c", [expect.stringMatching(/^entry 1 must be /u)]],
    ["hidden-a:hidden-b", [expect.stringMatching(/^entry 1 must be /u)]],
    ["shop:publish:", [expect.stringMatching(/^entry 1 \(shop\) must be /u)]],
    ["shop::hidden-a", [expect.stringMatching(/^entry 1 must be /u)]],
    [":publish:hidden-a", [expect.stringMatching(/^entry 1 must be /u)]],
    ["hidden-a,shop:read:hidden-a", ["entry 2 (shop) has the token of entry 1"]],
  ])("%j is refused by position, without showing a token", (text, problems) => {
    const parsed = parseHostTokens(text);
    expect(parsed).toEqual({ ok: false, problems });
    expect(JSON.stringify(parsed)).not.toMatch(/hidden/u);
  });

  it.each([
    [[]],
    [["token"]],
    [[null]],
    [[{ name: "shop", scopes: "publish", token: "x" }]],
    [[{ name: "shop", scopes: ["write"], token: "x" }]],
    [[{ name: "shop", scopes: [], token: "x" }]],
  ])("as objects are checked too: %j", (entries) => {
    expect(checkHostTokens(entries).ok).toBe(false);
  });
});
