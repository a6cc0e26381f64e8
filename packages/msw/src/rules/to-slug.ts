import { beginningOf } from "@hookwright/domain";

/** What does not fall apart into a letter of ASCII and a mark. */
const spellings: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "Ss",
  ä: "ae",
  Ä: "Ae",
  ö: "oe",
  Ö: "Oe",
  ü: "ue",
  Ü: "Ue",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ĳ: "ij",
  Ĳ: "IJ",
  þ: "th",
  Þ: "TH",
  ð: "d",
  Ð: "D",
  đ: "d",
  Đ: "D",
  ħ: "h",
  Ħ: "H",
  ə: "a",
  Ə: "A",
  ı: "i",
  ł: "l",
  Ł: "L",
  ø: "o",
  Ø: "O",
  "&": " and ",
  "♥": " love ",
  "🦄": " unicorn ",
  "€": "E",
  "¥": "Y",
  "¢": "c",
  "₹": "R",
  "₺": "L",
  "₽": "P",
  "₩": "W",
  "₴": "S",
  "₿": "B",
};
const longest = 190;

/**
 * The slug that the service makes of a title in Latin letters. Other scripts and rare signs (`①`), which it transliterates, are
 * dropped here; a title that leaves nothing is `post`.
 */
export function toSlug(title: string): string {
  if (!/\p{L}/u.test(title)) return "post";
  const ascii = [...title.normalize()]
    .map((character) => spellings[character] ?? character)
    .join("")
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "");
  const slug = toWords(ascii)
    .toLowerCase()
    .replaceAll(/([a-z\d])['’]([ts])(?![a-z\d])/g, "$1$2")
    .replaceAll(/[^a-z\d]+/g, "-")
    .replace(/^-/, "")
    .slice(0, longest)
    .replace(/-+$/, "");
  return slug === "" ? "post" : slug;
}

/** `FOO360` is two words, `fooBar` too, and `APISection`; `APIs` is one. */
function toWords(text: string): string {
  return text
    .replaceAll(/([A-Z]{2})(\d+)/g, "$1 $2")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z](?!s(?![a-z]))[a-z\d]+)/g, "$1 $2");
}

/** The slug itself, or with the lowest number that is free: `-2`, `-3` … */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const candidate = `${beginningOf(wanted, longest)}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
