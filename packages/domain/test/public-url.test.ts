import { expect, it } from "vitest";
import { parsePublicUrl } from "../src/public-url.ts";

it.each([
  ["https://hooks.example.com", "https://hooks.example.com"],
  ["https://hooks.example.com/", "https://hooks.example.com"],
  ["http://127.0.0.1:3000/a/b//", "http://127.0.0.1:3000/a/b"],
  ["HTTPS://Hooks.Example.com:443/Path", "https://hooks.example.com/Path"],
  ["hooks.example.com", undefined],
  ["/hooks", undefined],
  ["ftp://hooks.example.com", undefined],
  ["https://hooks.example.com?a=1", undefined],
  ["https://hooks.example.com/?", undefined],
  ["https://hooks.example.com/#a", undefined],
  ["https://user:password@hooks.example.com", undefined],
  ["https://", undefined],
  ["https://a b", undefined],
])("the public URL %s is read as %s", (text, url) => {
  expect(parsePublicUrl(text)).toBe(url);
});
