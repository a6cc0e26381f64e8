import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slugCandidates, slugOf } from "../src/content/blog-post-draft.ts";
import { openService } from "./support/open-service.ts";

async function openSite() {
  const base = memoryStore();
  const read = { keys: 0 };
  const store: Store = {
    ...base,
    getMany(keys) {
      read.keys += keys.length;
      return base.getMany(keys);
    },
  };
  const { service } = openService({ store });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  for (const site of ["site_1", "site_2"]) await service.projects.put(site, { account_id: "acc_1" });
  const draft = (fields: { readonly title: string; readonly slug?: string; readonly project_id?: string }) =>
    service.blogPosts.create("acc_1", { project_id: "site_1", ...fields });
  return { draft, read, store: base };
}

it("the thousandth post with the same title reads few keys", async () => {
  const { draft, read } = await openSite();
  for (let number = 1; number < 1_000; number++) await draft({ title: "今日は" });
  read.keys = 0;
  expect((await draft({ title: "今日は" })).slug).toBe("post-1000");
  expect(read.keys).toBeLessThan(150);
});

it("a post gets the first free slug", async () => {
  const number = fc.integer({ min: 1, max: 130 });
  const postInput = fc.record({
    slug: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 4 },
      { arbitrary: number.map((each) => (each === 1 ? "post" : `post-${each}`)), weight: 1 },
    ),
    project_id: fc.constantFrom("site_1", "site_1", "site_2"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(postInput, { minLength: 60, maxLength: 200, size: "max" }), async (posts) => {
      const { draft } = await openSite();
      const taken = { site_1: new Set<string>(), site_2: new Set<string>() };
      for (const { slug, project_id: projectId } of posts) {
        const known = projectId === "site_1" ? taken.site_1 : taken.site_2;
        const wanted = slug ?? "post";
        let free = wanted;
        for (let next = 2; known.has(free); next++) free = `${wanted}-${next}`;
        known.add(free);
        const post = await draft({
          title: "今日は",
          project_id: projectId,
          ...(slug === undefined ? {} : { slug }),
        });
        expect(post.slug).toBe(free);
      }
    }),
    { numRuns: 30 },
  );
});

describe("a slug", () => {
  it.each([
    ["Opening hours", "opening-hours"],
    ["Äpfel & Öl", "aepfel-and-oel"],
    ["2024 🦄", "post"],
    ["今日は", "post"],
    ["", "post"],
    [`${"a".repeat(189)} b`, "a".repeat(189)],
    ["a".repeat(500), "a".repeat(190)],
  ])("of the title %j", (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  it("has candidates of at most 200 characters", () => {
    const candidates = slugCandidates("a".repeat(200));
    const [first, second, third] = [1, 2, 3].map(() => candidates.next().value);
    expect([first, second, third]).toEqual(["a".repeat(200), `${"a".repeat(190)}-2`, `${"a".repeat(190)}-3`]);
  });

  it("has no candidate with a lone surrogate", () => {
    const candidates = slugCandidates(`${"a".repeat(189)}🦄`);
    const [first, second] = [1, 2].map(() => candidates.next().value);
    expect([first, second]).toEqual([`${"a".repeat(189)}🦄`, `${"a".repeat(189)}-2`]);
  });
});
