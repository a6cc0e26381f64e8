import { ConsoleError } from "./console-error.ts";
import { contrastOf, isColour } from "./colours.ts";
import { parseLogo } from "./logo.ts";
import type { Logo } from "./logo.ts";

export interface SiteOptions {
  /** Whether `/console#/operator` has the pages for the host's staff. They call the host API. @default false */
  readonly operator?: boolean | undefined;
  /** The prefix of the names of the signed headers, in what the console shows. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
}

/** How a host brands the console. Each field is optional. */
export interface Branding {
  /** Shown in the console and in the title of its tabs, at most 60 characters. @default "Developer console" */
  readonly name?: string | undefined;
  /**
   * A path on the same origin, such as `/assets/logo.svg`, or a `data:image/…` URL of at most 256 KiB. The page may load
   * nothing from other origins. @default none
   */
  readonly logo?: string | undefined;
  /**
   * The colour of actions, such as `#0f6b64`, or one each for the light and the dark theme. It must have a contrast of
   * at least 3:1 to the grounds. @default green
   */
  readonly accent?: string | AccentColours | undefined;
  /**
   * The `https:` or `http:` URL of your guides, at most 2,048 characters. The navigation links to it as "Docs". @default
   * no link
   */
  readonly docs?: string | undefined;
}

/** Colours as `#rrggbb`. */
export interface AccentColours {
  readonly light: string;
  readonly dark: string;
}

export interface CheckedBranding {
  readonly name: string | undefined;
  readonly logo: Logo | undefined;
  readonly accent: AccentColours | undefined;
  readonly docs: string | undefined;
}

/** The grounds of each theme, as in `base.css`. */
export const grounds = {
  light: ["#fafaf9", "#ffffff"],
  dark: ["#0e1312", "#151b1a"],
} as const;

const maximumName = 60;
const maximumUrl = 2_048;
/** WCAG 2.2, success criterion 1.4.11, for controls and the focus. */
const minimumContrast = 3;

/** @throws ConsoleError `invalid_branding`, which names every invalid field */
export function checkBranding({ name, logo, accent, docs }: Branding): CheckedBranding {
  const parsedLogo = logo === undefined ? undefined : parseLogo(logo);
  const colours = accent === undefined ? undefined : toColours(accent);
  const problems = [
    ...problemsOfName(name),
    ...(typeof parsedLogo === "string" ? [parsedLogo] : []),
    ...(typeof colours === "string" ? [colours] : colours === undefined ? [] : problemsOfColours(colours)),
    ...problemsOfDocs(docs),
  ];
  if (problems.length > 0) throw new ConsoleError("invalid_branding", problems.join("; "));
  return {
    name,
    logo: typeof parsedLogo === "string" ? undefined : parsedLogo,
    accent: typeof colours === "string" ? undefined : colours,
    docs,
  };
}

function problemsOfName(name: unknown): readonly string[] {
  const isValid =
    name === undefined ||
    (typeof name === "string" &&
      name.trim() !== "" &&
      name.length <= maximumName &&
      name.isWellFormed() &&
      !/\p{Cc}/u.test(name));
  return isValid ? [] : [`name: must be one line of 1 to ${maximumName} characters`];
}

function problemsOfDocs(docs: unknown): readonly string[] {
  const isValid =
    docs === undefined ||
    (typeof docs === "string" &&
      docs.length <= maximumUrl &&
      /^https?:$/u.test(URL.parse(docs)?.protocol ?? ""));
  return isValid
    ? []
    : [
        `docs: must be an https: or http: URL of at most ${maximumUrl} characters, such as https://docs.example.com/webhooks`,
      ];
}

/** The colours, or the problem. */
function toColours(accent: unknown): AccentColours | string {
  if (isColour(accent)) return { light: accent, dark: accent };
  if (typeof accent === "object" && accent !== null && "light" in accent && "dark" in accent) {
    const { light, dark } = accent;
    if (isColour(light) && isColour(dark)) return { light, dark };
  }
  return "accent: must be a colour such as #0f6b64, or { light, dark } with one for each theme";
}

function problemsOfColours(colours: AccentColours): readonly string[] {
  return (["light", "dark"] as const).flatMap((theme) => {
    const colour = colours[theme];
    const contrast = Math.min(...grounds[theme].map((ground) => contrastOf(colour, ground)));
    if (contrast >= minimumContrast) return [];
    // Rounded down: 2.996 must not be reported as 3.00.
    const shown = (Math.floor(contrast * 100) / 100).toFixed(2);
    const direction = theme === "light" ? "darker" : "lighter";
    return [
      `accent: ${colour} has a contrast of ${shown}:1 to the ground of the ${theme} theme, and needs ${minimumContrast}:1. Pass { light, dark } with a ${direction} colour as \`${theme}\``,
    ];
  });
}
