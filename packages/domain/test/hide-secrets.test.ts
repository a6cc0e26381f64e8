import { expect, it } from "vitest";
import { hideSecrets, secretsInUrl } from "../src/index.ts";

it("secrets are hidden in whatever a library reports", () => {
  const secrets = secretsInUrl("smtp://user:p%40ssword@mail.example.com");
  expect(hideSecrets("535 p@ssword and p%40ssword refused", secrets)).toBe("535 *** and *** refused");
  // A word of the sentence would show a short password.
  expect(hideSecrets("the package pg", secretsInUrl("postgres://user:pg@127.0.0.1"))).toBe("the package pg");
});
