import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits, signIn } from "../support/visit-console.ts";

const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><circle cx="12" cy="12" r="12"/></svg>',
)}`;
const accent = { light: "#b4005a", dark: "#ff8fc0" };
const docs = "https://docs.example.com/webhooks?a=1&b=2";
const developerSite = { name: "Tom & Jerry's <builder>", logo, accent, docs };

describe.runIf(hasBrowser)("a branded console", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ developerSite, mount: "/integrations" });

  it("has the name, the logo, the accent and the guides of the host, below any mount and under the strict policy", async () => {
    await using visited = await visit();
    const { page, address, complaints } = visited;
    await page.goto(`${address}/`);
    expect(page.url()).toBe(address);
    await page.getByRole("heading", { name: developerSite.name, exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe(`Sign in · ${developerSite.name}`);
    await signIn(visited);
    await expect.poll(() => page.title()).toBe(`Overview · ${visited.world.account}`);
    const brand = page.locator(".brand");
    await expect.poll(() => brand.textContent()).toBe(developerSite.name);
    const guides = page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Docs" });
    await expect.poll(() => guides.getAttribute("href")).toBe(docs);
    const image = brand.locator("img");
    await expect
      .poll(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth))
      .toBe(24);
    const accentOf = (): Promise<string> =>
      page.locator(".sidebar a[aria-current] .icon").evaluate((icon) => getComputedStyle(icon).color);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(() => accentOf()).toBe("rgb(180, 0, 90)");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => accentOf()).toBe("rgb(255, 143, 192)");
    // A phone has the links in the search only.
    await page.context().route(docs, (route) => route.fulfill({ body: "guides" }));
    await page.keyboard.press("Control+k");
    const opened = page.context().waitForEvent("page");
    await page.getByRole("option", { name: "Docs page" }).click();
    await expect.poll(async () => (await opened).url()).toBe(docs);
    expect(complaints).toEqual([`asked ${docs}`]);
  });
});
