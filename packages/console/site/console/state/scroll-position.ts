/** Scroll positions of the latest visits. */
const positions = new Map<string, number>();
const maximumEntries = 50;
/** After one of these events the user is scrolling, so the position is no longer restored. */
const userEvents = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

export function savePosition(visit: string): void {
  positions.delete(visit);
  positions.set(visit, scrollY);
  const [oldest] = positions.keys();
  if (positions.size > maximumEntries && oldest !== undefined) positions.delete(oldest);
}

/** Restores the scroll position as soon as the page is long enough. Returns a function that cancels this. */
export function restorePosition(visit: string): () => void {
  const position = positions.get(visit) ?? 0;
  scrollTo(0, position);
  const isReached = (): boolean => Math.abs(scrollY - position) < 2;
  if (isReached()) return () => {};
  const observer = new ResizeObserver(() => {
    scrollTo(0, position);
    if (isReached()) stop();
  });
  function stop(): void {
    observer.disconnect();
    for (const name of userEvents) removeEventListener(name, stop);
  }
  observer.observe(document.body);
  for (const name of userEvents) addEventListener(name, stop, { passive: true });
  return stop;
}
