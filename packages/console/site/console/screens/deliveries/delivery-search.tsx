import { useLayoutEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { replaceQuery } from "../../state/use-route.ts";

/** The search of the log. */
export function DeliverySearch({ text }: { readonly text: string }) {
  const [typed, setTyped] = useState(text);
  useLayoutEffect(() => setTyped(text), [text]);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        replaceQuery({ q: typed.trim() });
      }}
    >
      <input
        type="search"
        aria-label="Delivery, body or record id"
        placeholder="Delivery, body or record id"
        data-shortcut="/"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit">Search</Button>
    </form>
  );
}
