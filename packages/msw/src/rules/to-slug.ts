import { beginningOf } from "@hookwright/domain";

/** Characters that do not decompose into an ASCII letter and a mark. */
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
const maxLength = 190;

/**
 * Returns the service's slug of a title in Latin letters. The service transliterates other scripts and rare
 * signs (`①`). The mock drops them. An empty result becomes `post`.
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
    .slice(0, maxLength)
    .replace(/-+$/, "");
  return slug === "" ? "post" : slug;
}

/** Separates words: `FOO360`, `fooBar` and `APISection` are two words, `APIs` is one. */
function toWords(text: string): string {
  return text
    .replaceAll(/([A-Z]{2})(\d+)/g, "$1 $2")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z](?!s(?![a-z]))[a-z\d]+)/g, "$1 $2");
}

/** Returns the slug, with the lowest free number if it is taken: `-2`, `-3` … */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const candidate = `${beginningOf(wanted, maxLength)}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
