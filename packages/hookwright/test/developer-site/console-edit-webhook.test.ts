import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import { openPart, prepareVisits, sendTest, typeInto } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

const gateway = "Basic Z2F0ZXdheTpzZWNyZXQ=";

/** Opens the page of a new webhook. Returns its path in the API. */
async function openWebhook(
  { world, open }: Visit,
  { url = "/hook", headers = {} }: { readonly url?: string; readonly headers?: object } = {},
): Promise<string> {
  const { id, path } = await world.createWebhook(url);
  expect((await world.ask(`PATCH ${path}`, { headers })).status).toBe(200);
  await open(`webhooks/${id}`);
  return path;
}

async function openSettings(page: Page): Promise<Locator> {
  await openPart(page, "Settings");
  return page.getByRole("form", { name: "Settings of the webhook" });
}

async function save(form: Locator): Promise<void> {
  await form.getByRole("button", { name: "Save" }).click();
  // The form begins again with what is stored.
  await form.getByRole("button", { name: "Discard changes" }).waitFor({ state: "detached" });
}

/** The text that a screen reader reads after the name of the focused field. */
const descriptionOfFocus = (page: Page): Promise<string> =>
  page.evaluate(() =>
    (document.activeElement?.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent)
      .join(" "),
  );

const sentBody = (page: Page): Promise<unknown> =>
  page
    .waitForRequest((request) => request.method() === "PATCH")
    .then((request): unknown => request.postDataJSON());

describe.runIf(hasBrowser)("the settings of a webhook", { timeout: 120_000 }, () => {
  const visit = prepareVisits();
  const visitStrict = prepareVisits({ privateTargets: false });

  it("changes name, URL and site, and sends only what has changed", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    const path = await openWebhook(visited);
    const form = await openSettings(page);
    await form.getByLabel("Name", { exact: true }).fill("Warehouse");
    await form.getByLabel("URL").fill(`${world.origin}/moved`);
    await form.getByLabel("Site").selectOption({ label: "Shop" });
    await form.getByLabel("Requests a second, at most").fill("20");
    await form.getByLabel(/^In order: .*finally failed, about .* after/u).check();
    const sent = sentBody(page);
    await save(form);
    const changes = {
      name: "Warehouse",
      target_url: `${world.origin}/moved`,
      project_id: world.site,
      max_per_second: 20,
      ordered: true,
    };
    expect(await sent).toEqual(changes);
    await page.getByRole("heading", { name: "Warehouse", exact: true }).waitFor();
    await page.getByText(`${world.origin}/moved`, { exact: true }).waitFor();
    await page
      .getByText("Limited to 20 requests a second. Sent in order, one delivery at a time. Nothing waits.")
      .waitFor();
    expect((await world.ask(`GET ${path}`)).data).toMatchObject(changes);

    await form.getByLabel("Name", { exact: true }).fill("");
    await form.getByLabel("Site").selectOption({ label: "All sites" });
    const reset = sentBody(page);
    await save(form);
    expect(await reset).toEqual({ name: null, project_id: null });
    await page.getByRole("heading", { name: `${world.origin}/moved` }).waitFor();
    await expect.poll(() => page.getByText("Warehouse", { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("adds headers that deliveries then carry, and never shows their values again", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await openWebhook(visited);
    const form = await openSettings(page);
    for (const [index, [name, value]] of [
      ["Authorization", gateway],
      ["X-Tenant", "bakery"],
    ].entries()) {
      await form.getByRole("button", { name: "Add header" }).click();
      const row = form.getByRole("group", { name: `Header ${index + 1}` });
      await row.getByLabel("Header", { exact: true }).fill(name ?? "");
      await row.getByLabel("Value").fill(value ?? "");
    }
    await save(form);
    await page.getByText("Authorization, X-Tenant").waitFor();
    const result = await sendTest(page);
    expect(world.received[0]?.headers).toMatchObject({ authorization: gateway, "x-tenant": "bakery" });
    expect(await page.content()).not.toContain(gateway);
    await result.getByRole("button", { name: "Close" }).click();

    await form.getByText("Authorization").waitFor();
    await expect.poll(() => form.getByRole("textbox").count()).toBe(3);
    expect(await page.content()).not.toContain(gateway);
    await form.getByRole("button", { name: "Change headers" }).click();
    const values = await form
      .getByLabel("Value")
      .evaluateAll((inputs) => inputs.map((input) => input instanceof HTMLInputElement && input.value));
    expect(values).toEqual(["", ""]);
  });

  it("keeps the stored headers unless they are changed, and replaces them as a whole", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const path = await openWebhook(visited, { headers: { Authorization: gateway, "X-Tenant": "bakery" } });
    const form = await openSettings(page);
    await form.getByLabel("Name", { exact: true }).fill("Warehouse");
    await form.getByRole("button", { name: "Change headers" }).click();
    await form.getByRole("button", { name: "Keep the stored headers" }).click();
    const kept = sentBody(page);
    await save(form);
    expect(await kept).toEqual({ name: "Warehouse" });

    await form.getByRole("button", { name: "Change headers" }).click();
    await form.getByRole("button", { name: "Remove header X-Tenant" }).click();
    await form.getByLabel("Value").fill("Bearer new");
    await save(form);
    expect((await world.ask(`GET ${path}`)).data["headers"]).toEqual(["Authorization"]);
    await world.ask(`POST ${path}/test`);
    expect(world.received[0]?.headers["authorization"]).toBe("Bearer new");
    expect(world.received[0]?.headers).not.toHaveProperty("x-tenant");
  });

  it("asks for the headers again if the URL moves to another port, and says why", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await openWebhook(visited, { headers: { Authorization: gateway, "X-Tenant": "bakery" } });
    const form = await openSettings(page);
    const why = form.getByText("The URL has another scheme, host or port. Enter the values again");
    await form.getByLabel("URL").fill(`${world.origin}/moved`);
    await expect.poll(() => why.count()).toBe(0);
    const moved = world.origin.replace(/:\d+$/u, ":9443");
    await form.getByLabel("URL").fill(`${moved}/hook`);
    await why.waitFor();
    await expect.poll(() => form.getByRole("button", { name: "Keep the stored headers" }).count()).toBe(0);
    await form.getByRole("button", { name: "Remove header X-Tenant" }).click();
    // The browser does not submit a header without its value.
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => form.locator("input:invalid").count()).toBe(1);
    await form.getByLabel("Value").fill("Bearer new");
    const sent = sentBody(page);
    await save(form);
    expect(await sent).toEqual({ target_url: `${moved}/hook`, headers: { Authorization: "Bearer new" } });
    await page.getByRole("heading", { name: `${moved}/hook` }).waitFor();
  });

  it("asks for the headers again if the server does not move them", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await openWebhook(visited, { headers: { Authorization: gateway } });
    const message = "headers: must be sent again, because the URL moves to another host";
    await intercept(page, "**/console/api/webhooks/*", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({
            status: 422,
            json: { success: false, error: { code: "validation_failed", message } },
          })
        : route.fallback(),
    );
    const form = await openSettings(page);
    await form.getByLabel("URL").fill(`${world.origin}/moved`);
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Custom headers must be sent again").waitFor();
    await expect.poll(() => form.getByLabel("Header", { exact: true }).inputValue()).toBe("Authorization");
    await expect.poll(() => descriptionOfFocus(page)).toContain("Custom headers must be sent again");
  });

  it("shows the server's problem of a field at the field, and moves the focus there", async () => {
    await using visited = await visitStrict();
    const { page } = visited;
    const url = "https://example.com/hook";
    await openWebhook(visited, { url });
    const form = await openSettings(page);
    await form.getByLabel("URL").fill("http://example.com/hook");
    await form.getByRole("button", { name: "Save" }).click();
    const problem = form.locator(".problem");
    await problem.waitFor();
    await expect.poll(() => problem.textContent()).toMatch(/^URL must start with https:\/\//u);
    await expect.poll(() => descriptionOfFocus(page)).toMatch(/^URL must start with https:\/\//u);
    await expect.poll(() => form.getByRole("alert").count()).toBe(0);

    await form.getByLabel("URL").fill(url);
    for (const [index, name] of ["X-Tenant", "Host"].entries()) {
      await form.getByRole("button", { name: "Add header" }).click();
      const row = form.getByRole("group", { name: `Header ${index + 1}` });
      await row.getByLabel("Header", { exact: true }).fill(name);
      await row.getByLabel("Value").fill("bakery");
    }
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => problem.allTextContents()).toEqual(["Host is set by the sender"]);
    await expect.poll(() => page.locator("input:focus").inputValue()).toBe("Host");
    await form.getByRole("textbox", { name: "Header" }).last().fill("X-Tenant");
    await form.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => problem.allTextContents())
      .toEqual(["X-Tenant is there twice", "X-Tenant is there twice"]);
  });

  it("says that another webhook has the URL already, and stays open", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await world.createWebhook("/taken");
    await openWebhook(visited);
    const form = await openSettings(page);
    await form.getByLabel("URL").fill(`${world.origin}/taken`);
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => form.getByRole("alert").textContent()).toMatch(/already sends .* to this URL/u);
    await expect.poll(() => form.getByLabel("URL").inputValue()).toBe(`${world.origin}/taken`);
  });

  it("can be used with the keyboard alone, and discards changes", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const path = await openWebhook(visited);
    const { keyboard } = page;
    const form = await openSettings(page);
    const add = form.getByRole("button", { name: "Add header" });
    const header = form.getByLabel("Header", { exact: true });
    const name = form.getByLabel("Name", { exact: true });
    const waitForFocus = (element: Locator): Promise<void> => element.and(page.locator(":focus")).waitFor();
    const tabTo = async (element: Locator): Promise<void> => {
      await keyboard.press("Tab");
      await waitForFocus(element);
    };
    await name.focus();
    await typeInto(name, "Wrong");
    await form.getByRole("button", { name: "Discard changes" }).click();
    await expect.poll(() => name.inputValue()).toBe("");
    expect(await form.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);

    // Its options arrive later than the form.
    await form.getByLabel("Site").waitFor();
    await name.focus();
    await typeInto(name, "Warehouse");
    await tabTo(form.getByLabel("URL"));
    await tabTo(form.getByRole("checkbox", { name: /^All events/u }));
    await form.getByLabel("Site").focus();
    await tabTo(form.getByLabel("Requests a second, at most"));
    await tabTo(form.getByRole("checkbox", { name: /^In order/u }));
    await tabTo(form.getByLabel("Form of the body"));
    await tabTo(add);
    await keyboard.press("Enter");
    await waitForFocus(header);
    await tabTo(form.getByLabel("Value"));
    await tabTo(form.getByRole("button", { name: "Remove header" }));
    await keyboard.press("Enter");
    await waitForFocus(add);
    await keyboard.press("Enter");
    await typeInto(header, "X-Tenant");
    await keyboard.press("Tab");
    await typeInto(form.getByLabel("Value"), "bakery");
    await keyboard.press("Enter");
    await form.getByText("(value hidden)").waitFor();
    const { data } = await world.ask(`GET ${path}`);
    expect(data).toMatchObject({ name: "Warehouse", headers: ["X-Tenant"] });
  });
});
