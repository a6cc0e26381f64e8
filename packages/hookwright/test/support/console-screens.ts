import type { Locator, Page } from "playwright-core";

/** Opens a section through the navigation. On a phone some sections are only in the search. */
export async function openSection(page: Page, title: string): Promise<void> {
  const navigation = page.getByRole("navigation", { name: "Console" });
  const link = navigation.getByRole("link", { name: title, exact: true });
  if (await link.isVisible()) await link.click();
  else {
    await navigation.getByRole("button", { name: "More" }).click();
    await page.getByRole("option", { name: `${title} page` }).click();
  }
  await page.getByRole("heading", { name: title, exact: true, level: 1 }).waitFor();
}

/** Opens a delivery of the shown list beside the list. */
export async function openDelivery(page: Page, record: string): Promise<Locator> {
  await page.getByRole("link", { name: record, exact: true }).first().click();
  const drawer = page.getByRole("dialog", { name: "Delivery" });
  await drawer.getByRole("list", { name: "Attempts, oldest first" }).waitFor();
  return drawer;
}

/** Opens a delivery of the shown list as a page. */
export async function openDeliveryPage(page: Page, record: string): Promise<void> {
  const drawer = await openDelivery(page, record);
  await drawer.getByRole("link", { name: "Open page" }).click();
  await page.getByRole("heading", { name: "Delivery", level: 1 }).waitFor();
  await page.getByRole("list", { name: "Attempts, oldest first" }).waitFor();
}

/** Chooses a part of an attempt, such as `Headers`, or a form of its body, such as `Raw`. */
export async function choosePart(scope: Page | Locator, name: string): Promise<void> {
  await scope.getByRole("radio", { name, exact: true }).check();
}

/** Lists change by themselves again after `pauseLive`. */
export async function resumeLive(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Paused", exact: true }).click();
  await page.getByRole("button", { name: "Live", exact: true }).waitFor();
}

/** Saves all rows of the shown list as a file. */
export async function exportAs(page: Page, format: "CSV" | "NDJSON"): Promise<void> {
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: format, exact: true }).click();
}
