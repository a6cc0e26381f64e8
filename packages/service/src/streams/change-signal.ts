import type { Clock } from "@hookwright/delivery";

/** A version that readers compare and wait for. */
export interface ChangeSignal {
  /** Grows with every change. */
  version(): number;
  touch(): void;
  /** Resolves with true when the version differs, or with false after `ms`. */
  changed(seen: number, ms: number): Promise<boolean>;
}

export function createChangeSignal({ clock }: { readonly clock: Clock }): ChangeSignal {
  let version = 1;
  const waiting = new Set<() => void>();
  return {
    version: () => version,
    touch() {
      version += 1;
      for (const wake of waiting) wake();
    },
    changed(seen, ms) {
      if (version !== seen) return Promise.resolve(true);
      return new Promise((resolve) => {
        const end = (isChanged: boolean): void => {
          waiting.delete(wake);
          cancel();
          resolve(isChanged);
        };
        const wake = (): void => end(true);
        const cancel = clock.schedule(() => end(false), ms);
        waiting.add(wake);
      });
    },
  };
}
