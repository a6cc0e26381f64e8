const mailAddress = /[\w.+%-]+@((?:[\w-]+\.)+[a-z]{2,})\b/giu;
const query = /(\bhttps?:\/\/[^\s?#"'<>]+)\?[^\s"'<>]*/giu;
const credentials = /(\bhttps?:\/\/)[^\s/?#"'<>@]+@/giu;

/**
 * Masks mail addresses, and the credentials and queries of web addresses, in a text for the log.
 *
 * @example maskPersonalData("550 <ada@example.com> unknown") // "550 <***@example.com> unknown"
 */
export function maskPersonalData(text: string): string {
  return text.replace(credentials, "$1***@").replace(mailAddress, "***@$1").replace(query, "$1?***");
}
