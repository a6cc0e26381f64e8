import type { RandomRequest } from "./random-request.ts";

/** @param resolve replaces references by their values */
export function toRequest(
  { target, token, json }: RandomRequest,
  origin: string,
  resolve: (text: string) => string,
): Request {
  const [method = "", path = ""] = resolve(target).split(" ", 2);
  return new Request(origin + path, {
    method,
    headers: {
      ...(token === "" ? {} : { authorization: `Bearer ${resolve(token)}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(json === undefined ? {} : { body: resolve(JSON.stringify(json)) }),
  });
}
