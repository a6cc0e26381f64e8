import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openSection } from "./console-screens.ts";
import type { CreatedWebhook } from "./open-console.ts";
import { publishMany } from "./visit-console.ts";
import type { Visit } from "./visit-console.ts";

export const phone = { width: 390, height: 844 };

/** One row in each list: a webhook, a delivery, a key and its request. */
export async function fillLists(
  { world }: Visit,
  { keyName = "Warehouse", ...more }: { readonly keyName?: string; readonly project_id?: string } = {},
): Promise<CreatedWebhook> {
  const { api_key } = await world.hookwright.apiKeys.create(world.account, { name: keyName });
  const response = await world.hookwright.fetch(
    new Request("http://localhost/v1/contacts/ct_0193f7a2c4b97d3e8f10a2b3c4d5e6f7", {
      headers: { authorization: `Bearer ${api_key}` },
    }),
  );
  expect(response.status).toBe(404);
  const webhook = await world.createWebhook("/hook", more);
  await publishMany(world, 1);
  return webhook;
}

export async function openList(page: Page, name: string): Promise<void> {
  await openSection(page, name);
  await page.getByRole("table", { name: /first$/u }).waitFor();
}

/** The positions of these elements. */
export const placesOf = (locator: Locator): Promise<DOMRect[]> =>
  locator.evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect()));

export const listOf = (page: Page): Locator =>
  page.locator(".table", { has: page.getByRole("table", { name: /first$/u }) });

/** How much larger the content of an element is than the element. */
export const hiddenOf = (locator: Locator): Promise<number> =>
  locator.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight),
  );
