import { describe, expect, it } from "vitest";
import { createRejectedRows } from "../src/postgres/rejected-rows.ts";
import { StorageError } from "../src/storage-error.ts";

describe("rejected rows", () => {
  it("are read without data whose text PostgreSQL cannot build", async () => {
    const cause = Object.assign(new Error("out of memory"), { code: "54000", severity: "ERROR" });
    const rejected = createRejectedRows({
      schema: "box",
      maximumBytes: 10,
      listedBytes: 10,
      link: {
        async read(text) {
          if (text.includes("data::text"))
            throw new StorageError("unavailable", "PostgreSQL refused a statement.", { cause });
          return [
            ["2", "validation_failed", "wrong", "3", "4", "1", "order.created", "site_1", null, null, null],
          ];
        },
        run: async () => [],
      },
    });
    expect(await rejected.get("1-2")).toEqual({
      id: "1",
      key: "1-2",
      event: "order.created",
      projectId: "site_1",
      data: undefined,
      traceParent: undefined,
      code: "validation_failed",
      message: "wrong",
      createdAt: 3,
      rejectedAt: 4,
    });
  });
});
