export function Loading() {
  return (
    <p class="quiet" role="status">
      Loading …
    </p>
  );
}
