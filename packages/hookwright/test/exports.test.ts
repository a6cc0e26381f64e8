import { expect, it } from "vitest";
import * as hookwright from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(hookwright).toSorted()).toMatchInlineSnapshot(`
    [
      "ConfigurationError",
      "HookwrightError",
      "RepositoryError",
      "accountImportKey",
      "contactKey",
      "createHookwright",
      "isHookwrightError",
      "isRowOfAccount",
      "mergeCustomer",
      "normaliseEmail",
      "readAccountRows",
    ]
  `);
});
