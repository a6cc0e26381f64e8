import type { Fetch } from "../../src/options.ts";

export interface ScriptedFetch {
  readonly fetch: Fetch;
  /** `GET https://…`, in order. */
  readonly requests: readonly string[];
  readonly inits: readonly RequestInit[];
}

export type Step = (url: string, init: RequestInit) => Response | Promise<Response>;

/** Responds to each request with the next step, and repeats the last one. */
export function scriptedFetch(...steps: readonly Step[]): ScriptedFetch {
  const requests: string[] = [];
  const inits: RequestInit[] = [];
  return {
    requests,
    inits,
    async fetch(url, init) {
      const step = steps[Math.min(requests.length, steps.length - 1)];
      requests.push(`${init.method} ${url}`);
      inits.push(init);
      if (step === undefined) throw new Error("a script has at least one step");
      return step(url, init);
    },
  };
}

export const success =
  (data: unknown, status = 200): Step =>
  () =>
    Response.json({ success: true, data }, { status });

export const page =
  (data: readonly unknown[], nextCursor: string | null): Step =>
  () =>
    Response.json({ success: true, data, meta: { has_more: nextCursor !== null, next_cursor: nextCursor } });

export const refusal =
  (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Step =>
  () =>
    Response.json({ success: false, error: { code, message: `${code} it is.` } }, { status, headers });

/** Fails like `fetch` in Node if nothing listens. */
export const unreachable: Step = () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
  throw new TypeError("fetch failed", { cause });
};

/** Never responds, and fails when its signal aborts, like `fetch`. */
export const silent: Step = (_, { signal }) =>
  new Promise<Response>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
