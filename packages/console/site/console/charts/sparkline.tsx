/** A small line without axes. It repeats numbers of the page, so screen readers skip it. Null is a gap. */
export function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const maximum = Math.max(1e-9, ...values.map((value) => value ?? 0));
  const place = (value: number, index: number): string =>
    `${((index / Math.max(1, values.length - 1)) * 100).toFixed(1)},${(22 - (value / maximum) * 20).toFixed(1)}`;
  const points = values.flatMap((value, index) => (value === null ? [] : [place(value, index)]));
  return (
    <svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      {points.length > 1 ? <polyline points={points.join(" ")} vector-effect="non-scaling-stroke" /> : null}
    </svg>
  );
}
