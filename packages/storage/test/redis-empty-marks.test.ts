import { expect, it } from "vitest";
import { emptyMarkOf } from "../src/redis/empty-marks.ts";

const markOf = (kind: string): number => emptyMarkOf(["p00", kind, "id"]);

it("an index kind does not share its mark with a kind that is read by key", () => {
  const entries = [
    "contacts-of-email",
    "contacts-of-project",
    "delivery-log",
    "delivery-of-record",
    "email-list-list",
    "order-by-email",
    "order-by-number",
    "project-list",
    "record-list",
    "record-version-end",
    "retry",
    "subscribers-of-email",
  ];
  const sought = [
    "account",
    "account-import",
    "account-of-email",
    "account-password",
    "api-key",
    "api-key-count",
    "api-key-use",
    "blog-post",
    "blog-post-count",
    "blog-post-slug",
    "blog-post-slugs-taken",
    "console-session",
    "contact",
    "contact-of-email",
    "delivery",
    "directory",
    "email-list",
    "fresh",
    "key-fingerprint",
    "lease",
    "lease-expiry",
    "mail-count",
    "new-subscribers",
    "project",
    "readiness",
    "record",
    "record-version",
    "request",
    "request-count",
    "request-window",
    "sign-in-mark",
    "sign-in-window",
    "signing-secret",
    "subscriber-of-email",
    "suppression",
    "webhook",
    "webhook-guard",
    "webhook-health",
    "worker",
  ];
  const marked = new Set(entries.map(markOf));
  expect(sought.filter((kind) => marked.has(markOf(kind)))).toEqual([]);
});

it("kinds of one letter have different marks", () => {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
  expect(new Set(letters.map(markOf)).size).toBe(letters.length);
});

it("marks are stable, because they are stored", () => {
  expect(["", "log", "delivery-log", "é😀", "x".repeat(24), "x".repeat(25)].map(markOf)).toEqual([
    129, 63, 104, 68, 160, 160,
  ]);
  expect([emptyMarkOf(["p00"]), emptyMarkOf(["p00", -7, "log"])]).toEqual([0, 0]);
});
