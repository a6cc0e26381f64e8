import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface ScreenHeaderProps {
  readonly title: ComponentChildren;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** The head of a screen. It gets the focus when the screen opens, so that screen readers announce the new screen. */
export function ScreenHeader({ title, children }: ScreenHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header class="screen">
      <h1 ref={heading} tabIndex={-1} class="url">
        {title}
      </h1>
      <div class="actions">{children}</div>
    </header>
  );
}
