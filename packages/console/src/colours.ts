/** True for `#rrggbb`. */
export function isColour(value: unknown): value is string {
  return typeof value === "string" && /^#[\da-f]{6}$/iu.test(value);
}

/**
 * The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio").
 *
 * @example contrastOf("#000000", "#ffffff") // 21
 */
export function contrastOf(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(first), luminanceOf(second)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white: the colour of text on this background. One of them always has a contrast above 4.5. */
export function textColourOn(background: string): string {
  return contrastOf(background, "#ffffff") >= contrastOf(background, "#000000") ? "#ffffff" : "#000000";
}

/**
 * Mixes a colour with black or white until text in it has a contrast of 4.5:1 to all grounds (WCAG 2.2, success
 * criterion 1.4.3).
 *
 * @param end `#000000` on light grounds, `#ffffff` on dark ones
 */
export function toTextColour(colour: string, grounds: readonly string[], end: string): string {
  for (let percent = 0; percent < 100; percent += 2) {
    const mixed = mix(colour, end, percent / 100);
    if (grounds.every((ground) => contrastOf(mixed, ground) >= 4.5)) return mixed;
  }
  return end;
}

/** The relative luminance, 0 to 1. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The colour with a share of the other one, 0 to 1. */
export function mix(colour: string, other: string, share: number): string {
  const others = channelsOf(other);
  const channels = channelsOf(colour).map((channel, index) =>
    Math.round(channel + ((others[index] ?? channel) - channel) * share),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function channelsOf(colour: string): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
