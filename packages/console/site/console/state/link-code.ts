type OnCode = (code: string) => void;

let onCode: OnCode | undefined;
let waiting: string | undefined;

/** Takes the code of a link out of the address, now and later. Call it before the screens are rendered, which read the address too. */
export function watchLinks(): void {
  waiting = takeCode("");
  // A link that is pasted into an open console changes only the fragment.
  addEventListener("hashchange", ({ oldURL }) => {
    waiting = takeCode(new URL(oldURL).hash) ?? waiting;
    deliver();
  });
}

/** Whether the page was opened by a link whose code nobody has received yet. */
export const hasLinkCode = (): boolean => waiting !== undefined;

/** Receives the code of each link of the host (`#/link/<code>`). Returns a function that ends this. */
export function listenForLinks(listener: OnCode): () => void {
  onCode = listener;
  deliver();
  return () => {
    onCode = undefined;
  };
}

function deliver(): void {
  if (waiting === undefined || onCode === undefined) return;
  const code = waiting;
  waiting = undefined;
  onCode(code);
}

/** Takes the code out of the address, so that it is not in the history. `before` is the fragment that stays. */
function takeCode(before: string): string | undefined {
  const [, code] = /^#\/link\/([\w-]+)$/u.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(history.state, "", before === "" ? "#/" : before);
  return code;
}
