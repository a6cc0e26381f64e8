/** The styles that the page adds to those of the viewer. They use the viewer's colour variables. */
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

/* Hides the OpenAPI contact, which is required but not useful to readers of another company's API. */
.scalar-app a[href="https://github.com/hookwright/hookwright"] {
  display: none;
}

/* On a phone the two do not fit side by side. */
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
