import type { Asked } from "./asked.ts";

/** @param resolve puts what is meant in place of references */
export function toRequest(
  { target, token, json }: Asked,
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
