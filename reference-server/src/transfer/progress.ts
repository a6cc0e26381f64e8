/** Reports the progress of long work, at most one line per second. */
export interface Progress {
  /** Creates the text only when it is shown. */
  report(text: () => string): void;
}

const intervalMs = 1_000;

/** @param now milliseconds */
export function createProgress(
  { complain }: { readonly complain: (text: string) => void },
  now = (): number => performance.now(),
): Progress {
  let shownAt = now();
  return {
    report(text) {
      if (now() - shownAt < intervalMs) return;
      shownAt = now();
      complain(text());
    },
  };
}

/** @example formatCount(1234567) // "1,234,567" */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** @example formatBytes(1234567890) // "1.2 GB"; formatBytes(1234567) // "1.2 MB"; formatBytes(12345) // "13 kB" */
export function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
