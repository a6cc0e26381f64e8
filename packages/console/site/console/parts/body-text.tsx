/** It may scroll, so it must be focusable. Not every browser does this itself. */
export function BodyText({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <pre tabIndex={0} role="group" aria-label={name}>
      {children}
    </pre>
  );
}
