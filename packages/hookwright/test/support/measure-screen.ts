/** What is wrong with the layout of a screen, each as the place of an element and a text. */
export interface LayoutFaults {
  /** Elements and texts outside their card or the window, and texts that are cut without a sign. */
  readonly outside: readonly string[];
  /** Elements that are off the line of their row. */
  readonly offLine: readonly string[];
  /** Targets that are too small (WCAG 2.5.8). */
  readonly small: readonly string[];
  /** Links whose text says nothing without what is around them. */
  readonly vague: readonly string[];
}

/** Measures what the page shows. It runs in the page, so it uses nothing of this module. */
export function measureScreen(): LayoutFaults {
  const tolerance = 1;
  const leastTarget = 24;
  const leastField = 100;
  const mostOfLine = 60;
  const cards =
    "dialog, .menu:popover-open, .panel, .tile, .chart, .facts, .note, .attention li, .bulk, .table, .top-bar, .sidebar, .toasts p, main";
  const controls = "a[href], button, input, select, textarea, summary, [role=slider]";
  const faults = {
    outside: new Set<string>(),
    offLine: new Set<string>(),
    small: new Set<string>(),
    vague: new Set<string>(),
  };

  const modal = document.querySelector("dialog:modal");
  const popover = document.querySelector("[popover]:popover-open");
  const scope: Element = popover ?? modal ?? document.body;
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_ELEMENT);
  const elements: Element[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Element && node.closest("svg") === (node.tagName === "svg" ? node : null))
      elements.push(node);
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  /** Only screen readers get it. */
  const isHeard = (element: Element): boolean => styleOf(element).clipPath !== "none";
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) &&
    element.closest("[hidden]") === null;

  function nameOf(element: Element): string {
    const { className } = element;
    const own =
      typeof className === "string" && className !== ""
        ? `.${className.trim().replaceAll(/\s+/gu, ".")}`
        : "";
    const parent = element.parentElement;
    const of =
      parent === null || typeof parent.className !== "string"
        ? ""
        : `${parent.tagName.toLowerCase()}.${parent.className.trim().replaceAll(/\s+/gu, ".")} > `;
    return `${of}${element.tagName.toLowerCase()}${own} “${(element.textContent ?? "").trim().slice(0, 30)}”`;
  }

  /** The nearest ancestor that scrolls or cuts what it contains, up to a card. */
  function clipOf(element: Element, card: Element): Element | undefined {
    for (let each: Element | null = element; each !== null; each = each.parentElement) {
      const { overflowX, clipPath } = styleOf(each);
      if (overflowX !== "visible" || clipPath !== "none") return each;
      if (each === card) return undefined;
    }
    return undefined;
  }

  function textRects(element: Element): DOMRect[] {
    const rects: DOMRect[] = [];
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || (node.textContent ?? "").trim() === "") continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      rects.push(...range.getClientRects());
    }
    return rects.filter(({ width, height }) => width > 0 && height > 0);
  }

  const shown = elements.filter((element) => isShown(element) && !isHeard(element));
  for (const element of shown) {
    const card = element.parentElement?.closest(cards) ?? document.body;
    if (!scope.contains(card) && card !== scope) continue;
    const box = card.getBoundingClientRect();
    const clip = clipOf(element, card);
    const rects = [element.getBoundingClientRect(), ...textRects(element)].filter(({ width }) => width > 0);
    const isPlaced = ["fixed", "absolute"].includes(styleOf(element).position);
    for (const rect of rects) {
      if (clip !== undefined || isPlaced) continue;
      const over = Math.max(
        box.left - rect.left,
        rect.right - box.right,
        rect.bottom - box.bottom,
        rect.right - innerWidth,
        -rect.left,
      );
      if (over > tolerance)
        faults.outside.add(
          `${nameOf(element)} leaves ${card.tagName.toLowerCase()}.${card.className} by ${Math.round(over)} px`,
        );
    }
    const { overflowX, textOverflow } = styleOf(element);
    const mayScroll =
      ["auto", "scroll"].includes(overflowX) || element.matches("input, select, textarea, svg");
    if (
      !mayScroll &&
      overflowX !== "visible" &&
      textOverflow !== "ellipsis" &&
      element.scrollWidth > element.clientWidth + tolerance
    )
      faults.outside.add(`${nameOf(element)} is cut by ${element.scrollWidth - element.clientWidth} px`);
  }

  for (const field of shown.filter((element) =>
    element.matches("input:not([type=checkbox], [type=radio]), textarea, select"),
  )) {
    const { width } = field.getBoundingClientRect();
    if (width > 0 && width < leastField)
      faults.outside.add(`${nameOf(field)} is only ${Math.round(width)} px wide`);
  }

  for (const button of shown.filter((element) => element.matches(".button"))) {
    const { height } = button.getBoundingClientRect();
    const lines = new Set(textRects(button).map(({ top }) => top)).size;
    if (height > mostOfLine * Math.max(lines, 1))
      faults.outside.add(`${nameOf(button)} is ${Math.round(height)} px high`);
  }

  const canvas = document.createElement("canvas").getContext("2d");
  const descents = new Map<string, number>();
  function descentOf(element: Element): number {
    const { fontStyle, fontWeight, fontSize, fontFamily } = styleOf(element);
    // The shorthand is empty, because it cannot say that digits have one width.
    const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    let known = descents.get(font);
    if (known === undefined && canvas !== null) {
      canvas.font = font;
      known = canvas.measureText("x").fontBoundingBoxDescent;
      descents.set(font, known);
    }
    return known ?? 0;
  }

  interface Item {
    readonly element: Element;
    readonly centre: number;
    /** Undefined: it has no text. */
    readonly baseline: number | undefined;
    readonly top: number;
    readonly bottom: number;
  }
  /** The first line of what a child of a row shows. */
  function itemOf(child: Element): Item | undefined {
    const inside = [child, ...child.querySelectorAll("*")];
    for (const element of inside) {
      if (!isShown(element) || isHeard(element)) continue;
      if (["absolute", "fixed"].includes(styleOf(element).position)) continue;
      const [rect] = element.closest("svg") === null ? textRects(element) : [];
      if (rect !== undefined)
        return {
          element,
          centre: (rect.top + rect.bottom) / 2,
          baseline: rect.bottom - descentOf(element),
          top: rect.top,
          bottom: rect.bottom,
        };
      if (element.matches("svg, img, input, select, progress, textarea")) {
        const { top, bottom, width } = element.getBoundingClientRect();
        if (width > 0) return { element, centre: (top + bottom) / 2, baseline: undefined, top, bottom };
      }
    }
    return undefined;
  }
  function isRow(element: Element): boolean {
    if (element.tagName === "TR") return true;
    const { display, flexDirection, alignItems } = styleOf(element);
    return (
      ["flex", "inline-flex"].includes(display) &&
      flexDirection === "row" &&
      ["center", "baseline", "end"].includes(alignItems)
    );
  }
  for (const row of shown.filter(isRow)) {
    const items = [...row.children].map(itemOf).filter((item) => item !== undefined);
    for (const [index, one] of items.entries()) {
      const other = items
        .slice(0, index)
        .findLast(
          (each) =>
            Math.min(each.bottom, one.bottom) - Math.max(each.top, one.top) >
            Math.min(each.bottom - each.top, one.bottom - one.top) / 2,
        );
      if (other === undefined) continue;
      const offCentre = Math.abs(one.centre - other.centre);
      const offBase =
        one.baseline === undefined || other.baseline === undefined
          ? offCentre
          : Math.abs(one.baseline - other.baseline);
      if (Math.min(offCentre, offBase) > tolerance)
        faults.offLine.add(
          `${nameOf(one.element)} is off ${nameOf(other.element)} by ${Math.min(offCentre, offBase).toFixed(1)} px`,
        );
    }
  }

  /** A link inside a sentence. */
  function isInline(element: Element): boolean {
    if (styleOf(element).display !== "inline") return false;
    const block = element.closest("p, li, dd, dt, td, small, h1, h2, h3, span");
    return (
      block !== null &&
      (block.textContent ?? "").trim().length > (element.textContent ?? "").trim().length + 2
    );
  }
  function isScrolledAway(element: Element, { top, bottom }: DOMRect): boolean {
    const area = element.parentElement === null ? undefined : clipOf(element.parentElement, document.body);
    const box = area?.getBoundingClientRect();
    return box !== undefined && (top > box.bottom || bottom < box.top);
  }
  const targets = shown.filter(
    (element) =>
      element.matches(controls) &&
      !(element instanceof HTMLInputElement && element.closest("label") !== null) &&
      styleOf(element).pointerEvents !== "none",
  );
  const placed = targets
    .map((element) => ({ element, rect: element.getBoundingClientRect() }))
    .filter(({ element, rect }) => rect.width > 0 && !isScrolledAway(element, rect));
  const layerOf = (element: Element): Element | null => element.closest(".sidebar, .top-bar, .bulk, .toasts");
  const isSmall = (rect: DOMRect): boolean =>
    rect.width < leastTarget - 0.5 || rect.height < leastTarget - 0.5;
  for (const { element, rect } of placed) {
    if (!isSmall(rect) || isInline(element)) continue;
    // The whole row is the target of such a link.
    if (element.matches("tr .row-link")) continue;
    const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
    const near = placed.find(({ element: each, rect: other }) => {
      if (each === element || each.contains(element) || element.contains(each)) return false;
      // What is fixed above the page covers whatever is scrolled below it.
      if (layerOf(each) !== layerOf(element)) return false;
      const distance = Math.hypot(
        Math.max(other.left - x, 0, x - other.right),
        Math.max(other.top - y, 0, y - other.bottom),
      );
      const between = Math.hypot(other.left + other.width / 2 - x, other.top + other.height / 2 - y);
      return distance < leastTarget / 2 || (isSmall(other) && between < leastTarget);
    });
    if (near !== undefined)
      faults.small.add(
        `${nameOf(element)} has ${Math.round(rect.width)} × ${Math.round(rect.height)} px, near ${nameOf(near.element)}`,
      );
  }

  for (const link of shown.filter((element) => element.matches("a[href]"))) {
    const text = (link.getAttribute("aria-label") ?? link.textContent ?? "").trim();
    if (/^(?:[\d\s.,%+–-]*|here|more|open|details?)$/iu.test(text))
      faults.vague.add(`${nameOf(link)} says “${text}”`);
  }
  return {
    outside: [...faults.outside],
    offLine: [...faults.offLine],
    small: [...faults.small],
    vague: [...faults.vague],
  };
}
