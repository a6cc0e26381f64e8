/**
 * Hides everything up to the last `@`, because a password that is not percent-encoded may contain any character. It
 * starts at the first colon, because an invalid URL may lack slashes or a scheme. Some clients accept a password in the
 * query too.
 *
 * @example hidePassword("redis://:pw@h") // "redis://***@h"
 */
export function hidePassword(text: string): string {
  return text.replace(/(?<!\bfile)(:\/*).*@/su, "$1***@").replace(/\?.*/su, "?***");
}
