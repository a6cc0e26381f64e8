import { request } from "node:http";

/** The status that so many bytes are answered with; their number is not told beforehand. */
export function postLength(url: string, length: number): Promise<number | undefined> {
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
