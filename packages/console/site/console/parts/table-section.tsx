import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Sections nearer to the window than this are rendered. */
const margin = "1200px 0px";

export interface TableSectionProps {
  /** False: the section is always rendered. */
  readonly isLazy: boolean;
  /** Renders the rows. */
  readonly children: () => ComponentChildren;
}

/** Some rows of a long table. Far from the window, an empty row of the same height stands for them. */
export function TableSection({ isLazy, children }: TableSectionProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const height = useRef(0);
  const [isNear, setNear] = useState(true);
  useLayoutEffect(() => {
    const { current } = body;
    if (!isLazy || current === null) return setNear(true);
    const observer = new IntersectionObserver(
      (entries) => {
        const isVisible = entries.at(-1)?.isIntersecting ?? true;
        if (!isVisible) height.current = current.offsetHeight;
        setNear(isVisible);
      },
      { rootMargin: margin },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isLazy]);
  return (
    <tbody ref={body} role="rowgroup">
      {isNear ? children() : <tr role="row" style={{ height: `${height.current}px` }} />}
    </tbody>
  );
}
