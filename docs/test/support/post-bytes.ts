import { request } from "node:http";

/** Posts `length` bytes without a `Content-Length` header and returns the status. */
export function postBytes(url: string, length: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const posted = request(url, { method: "POST", headers }, (response) => {
      resolve(response.statusCode);
      posted.destroy();
    });
    posted.on("error", reject);
    posted.write(Buffer.alloc(length, "a"));
    posted.end();
  });
}
