import * as fc from "fast-check";

/**
 * Any character of Unicode, as a unit of `fc.string`. The unit `"binary"` of fast-check has the same characters, but takes most of a second
 * in each process, because it lists all of them.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map(String.fromCodePoint, (text) => {
    const [code] = Array.from(String(text), (character) => character.codePointAt(0));
    if (code === undefined || String.fromCodePoint(code) !== text) throw new TypeError("not one character");
    return code;
  });
