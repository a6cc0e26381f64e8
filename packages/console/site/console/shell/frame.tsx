import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { createConsoleApi } from "../api/console-api.ts";
import { ConfirmDialog } from "../parts/dialogs.tsx";
import { Toasts, useToasts } from "../parts/toasts.tsx";
import { ConsoleContext } from "../state/console-context.ts";
import type { ConsoleState, Question } from "../state/console-context.ts";
import { createListCache } from "../state/list-cache.ts";
import { useRoute } from "../state/route.ts";
import { useFocusFallback } from "../state/use-focus-fallback.ts";

/**
 * The state that the consoles of an owner and of the operator have in common.
 *
 * @param onSignedOut called with the reason when the server no longer accepts the token
 */
export function useFrame(token: string, onSignedOut: (reason: string) => void) {
  const listCache = useMemo(createListCache, [token]);
  const api = useMemo(
    () => createConsoleApi({ token, onChanged: listCache.clear, onSignedOut }),
    [token, listCache],
  );
  const route = useRoute();
  const { toasts, toast } = useToasts();
  const [question, ask] = useState<Question>();
  return { api, listCache, route, toasts, toast, question, ask };
}

export interface FrameProps {
  readonly frame: Pick<ReturnType<typeof useFrame>, "toasts" | "question" | "ask">;
  readonly state: ConsoleState;
  readonly isOperator?: boolean;
  readonly children: ComponentChildren;
}

/** The navigation and the screen, and what appears above them. */
export function Frame({ frame: { toasts, question, ask }, state, isOperator = false, children }: FrameProps) {
  const element = useRef<HTMLDivElement>(null);
  useFocusFallback(element);
  return (
    <ConsoleContext.Provider value={state}>
      <div class={isOperator ? "frame operator" : "frame"} ref={element}>
        <nav class="skip" aria-label="Skip">
          <a
            class="button"
            href={location.hash || "#/"}
            onClick={(event) => {
              event.preventDefault();
              element.current?.querySelector<HTMLElement>("main h1")?.focus();
            }}
          >
            Skip to content
          </a>
        </nav>
        {children}
        <Toasts toasts={toasts} />
        {question === undefined ? null : (
          <ConfirmDialog {...question} onClose={() => ask(undefined)}>
            {question.text}
          </ConfirmDialog>
        )}
      </div>
    </ConsoleContext.Provider>
  );
}
