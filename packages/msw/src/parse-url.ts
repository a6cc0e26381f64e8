import { MockError } from "./mock-error.ts";

/** @throws MockError `invalid_url` */
export function parseUrl(text: string, option: "baseUrl" | "url"): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new MockError("invalid_url", `${option} must be a whole URL, such as https://api.example.com.`);
}
