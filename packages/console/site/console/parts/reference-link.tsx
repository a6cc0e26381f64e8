/** Opens a new tab without this tab's session, because the viewer is third-party code. */
export function ReferenceLink() {
  return (
    <a href="reference" target="_blank" rel="noopener">
      API reference
    </a>
  );
}
