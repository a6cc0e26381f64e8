import { useCallback, useState } from "preact/hooks";

interface Toast {
  readonly id: number;
  readonly text: string;
}

const shownMs = 5_000;
let lastId = 0;

export function useToasts(): { readonly toasts: readonly Toast[]; readonly toast: (text: string) => void } {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const toast = useCallback((text: string) => {
    lastId += 1;
    const id = lastId;
    setToasts((before) => [...before, { id, text }]);
    setTimeout(() => setToasts((before) => before.filter((each) => each.id !== id)), shownMs);
  }, []);
  return { toasts, toast };
}

/** What happened just now, at the lower edge of the page. */
export function Toasts({ toasts }: { readonly toasts: readonly Toast[] }) {
  return (
    <div class="toasts" role="status">
      {toasts.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
