import { expect, it } from "vitest";
import * as duplicates from "../src/duplicates.ts";
import * as handlers from "../src/handlers.ts";
import * as portable from "../src/index.ts";
import * as node from "../src/node.ts";
import * as lean from "../src/verify.ts";

it("each entry exports exactly these names", () => {
  expect({
    ".": Object.keys(portable),
    "./node": Object.keys(node),
    "./verify": Object.keys(lean),
    "./duplicates": Object.keys(duplicates),
    "./handlers": Object.keys(handlers),
  }).toMatchInlineSnapshot(`
    {
      ".": [
        "createSignedHeaders",
        "createSignedRequest",
        "readDeliveryFacts",
        "SignatureError",
        "toStandardSecret",
        "verify",
        "sign",
      ],
      "./duplicates": [
        "createDuplicateGuard",
        "memoryDuplicates",
        "redisDuplicates",
        "unstorageDuplicates",
      ],
      "./handlers": [
        "expressHandler",
        "fastifyPlugin",
        "fetchHandler",
        "honoHandler",
        "nextRoute",
        "h3Handler",
        "lambdaHandler",
        "nodeHandler",
        "SignatureError",
      ],
      "./node": [
        "createSignedHeaders",
        "createSignedRequest",
        "createSigner",
        "signSync",
        "createStandardSigner",
        "verifySync",
        "readDeliveryFacts",
        "SignatureError",
        "toStandardSecret",
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
