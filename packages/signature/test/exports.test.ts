import { expect, it } from "vitest";
import * as duplicates from "../src/duplicates.ts";
import * as portable from "../src/index.ts";
import * as node from "../src/node.ts";
import * as lean from "../src/verify.ts";

it("each entry exports exactly these names", () => {
  expect({
    ".": Object.keys(portable),
    "./node": Object.keys(node),
    "./verify": Object.keys(lean),
    "./duplicates": Object.keys(duplicates),
  }).toMatchInlineSnapshot(`
    {
      ".": [
        "createSignedHeaders",
        "createSignedRequest",
        "readDeliveryFacts",
        "SignatureError",
        "verify",
        "sign",
      ],
      "./duplicates": [
        "createDuplicateGuard",
        "memoryDuplicates",
        "redisDuplicates",
        "unstorageDuplicates",
      ],
      "./node": [
        "createSignedHeaders",
        "createSignedRequest",
        "createSigner",
        "signSync",
        "verifySync",
        "readDeliveryFacts",
        "SignatureError",
        "verify",
        "sign",
      ],
      "./verify": [
        "SignatureError",
        "verify",
      ],
    }
  `);
});

it("an error of one entry is an error of the others", () => {
  expect(lean.SignatureError).toBe(portable.SignatureError);
  expect(node.SignatureError).toBe(portable.SignatureError);
});
