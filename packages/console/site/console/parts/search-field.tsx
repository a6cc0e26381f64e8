import { useLayoutEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";

export interface SearchFieldProps {
  /** What can be searched for. */
  readonly label: string;
  /** The text that is searched for now. */
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** The search of a list. The key `/` moves the focus to it. */
export function SearchField({ label, text, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  useLayoutEffect(() => setTyped(text), [text]);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        data-shortcut="/"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit">Search</Button>
    </form>
  );
}
