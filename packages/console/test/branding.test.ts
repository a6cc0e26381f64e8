import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { brandPage } from "../src/branded-files.ts";
import { checkBranding, grounds } from "../src/branding.ts";
import type { Branding } from "../src/branding.ts";
import { contrastOf, textColourOn, toTextColour } from "../src/colours.ts";
import { developerSite } from "../src/developer-site.ts";

const png = "data:image/png;base64,iVBORw0KGgo=";
const page = await readFile(new URL("../site/public/console.html", import.meta.url), "utf8");
const fileAt = (branding: Branding, path: string) =>
  developerSite(branding).find((file) => file.path === path);
const textAt = async (branding: Branding, path: string): Promise<string> =>
  new TextDecoder().decode((await fileAt(branding, path)?.read())?.body);
const problemOf = (branding: object): string => {
  try {
    checkBranding(branding);
    return "";
  } catch (error) {
    expect(error).toMatchObject({ name: "ConsoleError", code: "invalid_branding" });
    return error instanceof Error ? error.message : "";
  }
};

it("the page has the name, the logo and the style sheet of the accent, and no inline style", () => {
  const branding = {
    name: "Bakery builder",
    logo: "/assets/logo.svg",
    accent: "#7c3aed",
    docs: "https://docs.example.com/webhooks?a=1&b=2",
  };
  const branded = brandPage(
    page,
    checkBranding({ ...branding, accent: { light: "#7c3aed", dark: "#c4b5fd" } }),
  );
  expect(branded).toContain("<title>Bakery builder</title>");
  expect(branded).toContain(
    '<div id="console" data-name="Bakery builder" data-logo="/assets/logo.svg" data-docs="https://docs.example.com/webhooks?a=1&amp;b=2"></div>',
  );
  expect(branded).toContain('<link rel="icon" href="/assets/logo.svg" />');
  expect(branded.indexOf("console/brand.css")).toBeGreaterThan(branded.indexOf("console/console.css"));
  expect(branded).not.toMatch(/<style|\sstyle=/u);
});

it("without branding the page is the built one", async () => {
  expect(brandPage(page, checkBranding({}))).toBe(page);
  expect(await textAt({}, "/reference")).toContain("<title>API reference</title>");
});

it.each(["/reference", "/host-reference"])("%s has the name in its title and its heading", async (path) => {
  const file = developerSite({ name: "Bakery <3" }, { operator: true }).find((each) => each.path === path);
  const html = new TextDecoder().decode((await file?.read())?.body);
  const heading = `Bakery &lt;3 ${path === "/reference" ? "API" : "Host API"} reference`;
  expect(html).toContain(`<title>${heading}</title>`);
  expect(html).toContain(`<p class="brand">${heading}</p>`);
});

it("a name cannot leave its attribute or the title, and `$` has no meaning in it", () => {
  const name = `</title><script>"'&$& $1`;
  const escaped = "&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp;$&amp; $1";
  const branded = brandPage(page, checkBranding({ name, logo: `/a"><b>.png` }));
  expect(branded).toContain(`<title>${escaped}</title>`);
  expect(branded).toContain(`data-name="${escaped}" data-logo="/a&quot;&gt;&lt;b&gt;.png"`);
});

it("an image of a data: URL is a file of the server, because the policy of the page has no data: URLs", async () => {
  const file = fileAt({ logo: png }, "/console/logo");
  expect([file?.contentType, file?.headers["content-security-policy"]]).toEqual([
    "image/png",
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  ]);
  expect((await file?.read())?.body).toEqual(new Uint8Array(Buffer.from("iVBORw0KGgo=", "base64")));
  const svg = await textAt({ logo: "data:image/svg+xml,%3Csvg%20/%3E" }, "/console/logo");
  expect(svg).toBe("<svg />");
});

it("the accent has readable text on it, and links of its tone are readable on both grounds", async () => {
  expect(await textAt({ accent: "#e11d48" }, "/console/brand.css")).toMatch(
    /^:root \{\n {2}--accent: light-dark\(#e11d48, #e11d48\);\n {2}--accent-text: light-dark\(#\w{6}, #\w{6}\);\n {2}--on-accent: light-dark\(#ffffff, #ffffff\);\n\}\n$/u,
  );
  for (let red = 0; red < 256; red += 51)
    for (let green = 0; green < 256; green += 51)
      for (let blue = 0; blue < 256; blue += 51) {
        const colour = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
        expect(contrastOf(colour, textColourOn(colour))).toBeGreaterThan(4.5);
        for (const [theme, end] of [
          ["light", "#000000"],
          ["dark", "#ffffff"],
        ] as const) {
          const text = toTextColour(colour, grounds[theme], end);
          for (const ground of grounds[theme]) expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(4.5);
        }
      }
});

it("the grounds are those of the style sheet", async () => {
  const styles = await readFile(new URL("../site/console/styles/base.css", import.meta.url), "utf8");
  for (const [index, name] of ["ground", "surface"].entries())
    expect(styles).toContain(`--${name}: light-dark(${grounds.light[index]}, ${grounds.dark[index]});`);
});

it("an accent that is too weak on a ground gets an error that says what to pass", () => {
  expect(problemOf({ accent: "#ffd700" })).toBe(
    "accent: #ffd700 has a contrast of 1.34:1 to the ground of the light theme, and needs 3:1. Pass { light, dark } with a darker colour as `light`",
  );
  expect(problemOf({ accent: "#0b3d91" })).toMatch(
    /^accent: #0b3d91 has a contrast of 1\.\d\d:1 to the ground of the dark theme.* a lighter colour as `dark`$/u,
  );
  expect(problemOf({ accent: { light: "#0b3d91", dark: "#ffd700" } })).toBe("");
});

it.each([
  [{ name: "" }, /^name: must be one line of 1 to 60 characters$/u],
  [{ name: "a".repeat(61) }, /^name: /u],
  [{ name: "a\nb" }, /^name: /u],
  [{ name: 5 }, /^name: /u],
  [{ logo: "https://cdn.example.com/logo.png" }, /^logo: must be a path on the same origin/u],
  [{ logo: "//cdn.example.com/logo.png" }, /^logo: must be a path/u],
  [{ logo: "/\\cdn.example.com/logo.png" }, /^logo: must be a path/u],
  [{ logo: "/\t/cdn.example.com/logo.png" }, /^logo: must be a path/u],
  [{ logo: "logo.png" }, /^logo: must be a path/u],
  [{ logo: "javascript:alert(1)" }, /^logo: must be a path/u],
  [{ logo: new Uint8Array(1) }, /^logo: must be a path/u],
  [{ logo: "data:text/html,<script>" }, /^logo: a data: URL must have one of the types image\/avif, /u],
  [{ logo: "data:image/png;base64" }, /^logo: a data: URL must/u],
  [{ logo: "data:image/png;base64,***" }, /^logo: the data: URL cannot be decoded$/u],
  [{ logo: "data:image/svg+xml,%" }, /^logo: the data: URL cannot be decoded$/u],
  [{ docs: "/guides" }, /^docs: must be an https: or http: URL of at most 2048 characters, such as https:/u],
  [{ docs: "ftp://example.com" }, /^docs: must be/u],
  [{ docs: "javascript:alert(1)" }, /^docs: must be/u],
  [{ docs: `https://example.com/${"a".repeat(2_048)}` }, /^docs: must be/u],
  [{ docs: 5 }, /^docs: must be/u],
  [{ accent: "red" }, /^accent: must be a colour such as #0f6b64, or \{ light, dark \}/u],
  [{ accent: "#fff" }, /^accent: must be a colour/u],
  [{ accent: { light: "#0f6b64" } }, /^accent: must be a colour/u],
  [{ accent: "#0f6b64; } body { display: none" }, /^accent: must be a colour/u],
])("the branding %j is refused", (branding, problem) => {
  expect(problemOf(branding)).toMatch(problem);
});

it("an image above 256 KiB is refused", () => {
  expect(problemOf({ logo: `data:image/png;base64,${"AAAA".repeat(90_000)}` })).toBe(
    "logo: the image must have at most 262144 bytes",
  );
});

it("all problems are reported together", () => {
  expect(problemOf({ name: "", logo: "x", accent: 5 })).toMatch(/^name: .*; logo: .*; accent: /u);
});
