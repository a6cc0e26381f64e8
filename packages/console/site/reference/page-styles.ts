/** What the viewer puts into the page beside its own styles: colours are its own, by its names for them. */
export const pageStyles = `
:root {
  --scalar-custom-header-height: 2.5rem;
}

.way-back {
  position: sticky;
  top: 0;
  z-index: 20;
  display: flex;
  align-items: center;
  height: var(--scalar-custom-header-height);
  padding: 0 1.25rem;
  border-bottom: 1px solid var(--scalar-border-color);
  background: var(--scalar-background-1);
  font-family: var(--scalar-font);
  font-size: 0.875rem;
}

.way-back a {
  color: var(--scalar-color-2);
}

/* Whose code this is says nothing to the readers of an API that is somebody else's. The document has to name a contact. */
.scalar-app a[href="https://github.com/hookwright/hookwright"] {
  display: none;
}

/* On a phone the two do not fit beside each other. */
.scalar-app div:has(> button [data-testid="auth-indicator"]) {
  flex-wrap: wrap;
}

.scalar-app button:has([data-testid="auth-indicator"]) {
  flex: 1 0 auto;
}

.scalar-app button:has([data-testid="auth-indicator"]) + div {
  padding-left: 0.5rem;
}
`;
