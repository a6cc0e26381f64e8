/** C0 and C1 control characters except tab and line feed, and the characters that change the direction of a text. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;
// oxlint-disable-next-line no-control-regex -- every colour begins with it
const colour = /^\u001b\[\d{1,2}m/u;
const longestColour = 5;

/**
 * Replaces control characters with visible escapes, because responses of other people's servers could otherwise
 * change what the terminal shows.
 *
 * @example escapeControls("\u001b[2J") // "\\u001b[2J"
 */
export function escapeControls(text: string, { keepColours = false } = {}): string {
  return text.replaceAll("\r\n", "\n").replaceAll(controls, (character, at: number) => {
    if (keepColours && colour.test(text.slice(at, at + longestColour))) return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
