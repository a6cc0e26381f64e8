import type { Clock } from "./clock.ts";

/** Whether `work` ends well within that time. It goes on where it does not; a fault of it is told and counts as no end. */
export async function endsWithin(
  work: Promise<unknown>,
  options: { readonly clock: Clock; readonly ms: number; readonly onFault: (error: unknown) => void },
): Promise<boolean> {
  const { clock, ms, onFault } = options;
  return new Promise((resolve) => {
    const cancel = clock.schedule(() => resolve(false), ms);
    const end = (well: boolean): void => {
      cancel();
      resolve(well);
    };
    work.then(
      () => end(true),
      (error: unknown) => {
        onFault(error);
        end(false);
      },
    );
  });
}
