/** In a tab of its own, which begins without this one's session: the viewer there is other people's code. */
export function ReferenceLink() {
  return (
    <a href="reference" target="_blank" rel="noopener">
      API reference
    </a>
  );
}
