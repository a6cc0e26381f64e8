/**
 * C0 and C1 control characters except tab, and the characters that change the direction of a text. A line feed counts
 * too: a text of a server must not add lines of its own.
 */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** `JSON.stringify` already escapes U+0000 to U+001F. */
const leftInJson = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Replaces control characters with visible escapes, because responses of other people's servers could otherwise
 * change what the terminal shows.
 *
 * @example escapeControls("\u001b[2J") // "\\u001b[2J"
 */
export function escapeControls(text: string): string {
  return text.replaceAll(controls, toEscape);
}

/**
 * Renders JSON that is safe on a terminal. It stays the same JSON, because such characters occur only inside strings.
 *
 * @example toSafeJson({ name: "\u009b2J" }) // '{"name":"\\u009b2J"}'
 */
export function toSafeJson(value: unknown, space?: number): string {
  return JSON.stringify(value, null, space).replaceAll(leftInJson, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
