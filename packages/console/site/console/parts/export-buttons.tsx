import type { Query } from "../api/console-api.ts";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-api.ts";
import { Button } from "./buttons.tsx";
import { FailureNote } from "./page.tsx";

export interface ExportButtonsProps {
  readonly path: string;
  /** The name of the file, without its ending. */
  readonly name: string;
  /** The filters of the list. */
  readonly query: Query;
  /** There are no rows. The buttons keep their place. @default false */
  readonly disabled?: boolean;
}

/** Save all rows of a list as a file, not only those that are loaded. */
export function ExportButtons({ path, name, query, disabled = false }: ExportButtonsProps) {
  const { api } = useConsole();
  const action = useAction();
  return (
    <>
      {["csv", "ndjson"].map((format) => (
        <Button
          key={format}
          busy={action.busy}
          disabled={disabled}
          onClick={() => void action.run(() => api.download(path, `${name}.${format}`, { ...query, format }))}
        >
          {`Export ${format.toUpperCase()}`}
        </Button>
      ))}
      <FailureNote failure={action.failure} />
    </>
  );
}
