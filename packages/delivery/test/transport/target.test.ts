import { expect, it } from "vitest";
import { createTargetParser } from "../../src/transport/target.ts";

it("the addresses of a name are checked unless its origin is trusted", () => {
  const parse = createTargetParser({ trustedOrigins: ["https://hooks.example.com"] });
  expect(parse("https://hooks.example.com/a")).toMatchObject({
    target: { isTrusted: true, isChecked: false },
  });
  expect(parse("https://hooks.example.com:8443/a")).toMatchObject({
    target: { isTrusted: false, isChecked: true },
  });
});
