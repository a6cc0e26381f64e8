/** So many characters at the end are always visible. */
const tailLength = 6;

export interface MiddleTextProps {
  readonly text: string;
  /** A text up to this length stays in one part. */
  readonly whole: number;
}

/** A text that loses its middle if there is not enough room, because many ids and paths begin alike. */
export function MiddleText({ text, whole }: MiddleTextProps) {
  // Only ASCII is divided: other writing systems join characters.
  if (text.length <= whole || !/^[\x20-\x7e]+$/u.test(text)) return <bdi>{text}</bdi>;
  return (
    <bdi class="middle-text">
      <span>{text.slice(0, -tailLength)}</span>
      <span>{text.slice(-tailLength)}</span>
    </bdi>
  );
}
