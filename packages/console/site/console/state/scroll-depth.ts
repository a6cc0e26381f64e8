/** How far down the reader was, by visit; of the latest alone. */
const depths = new Map<string, number>();
const mostKept = 50;
/** Whoever does one of these has gone on reading, and is left where he is. */
const readerEvents = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

export function keepDepth(visit: string): void {
  depths.delete(visit);
  depths.set(visit, scrollY);
  const [oldest] = depths.keys();
  if (depths.size > mostKept && oldest !== undefined) depths.delete(oldest);
}

/** Goes to where the reader was, as soon as the page is long enough for it. The answer gives that up. */
export function restoreDepth(visit: string): () => void {
  const depth = depths.get(visit) ?? 0;
  scrollTo(0, depth);
  const isThere = (): boolean => Math.abs(scrollY - depth) < 2;
  if (isThere()) return () => {};
  const observer = new ResizeObserver(() => {
    scrollTo(0, depth);
    if (isThere()) stop();
  });
  function stop(): void {
    observer.disconnect();
    for (const name of readerEvents) removeEventListener(name, stop);
  }
  observer.observe(document.body);
  for (const name of readerEvents) addEventListener(name, stop, { passive: true });
  return stop;
}
