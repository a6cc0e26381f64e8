import type { Query } from "../api/console-api.ts";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-api.ts";
import { Menu } from "./menu.tsx";
import { FailureNote } from "./page.tsx";

export interface ExportMenuProps {
  readonly path: string;
  /** The name of the file, without its ending. */
  readonly name: string;
  /** The filters of the list. */
  readonly query: Query;
  /** There are no rows. The button keeps its place. @default false */
  readonly disabled?: boolean;
}

/** Save all rows of a list as a file, not only those that are loaded. */
export function ExportMenu({ path, name, query, disabled = false }: ExportMenuProps) {
  const { api } = useConsole();
  const action = useAction();
  const save = (format: string): Promise<unknown> =>
    action.run(() => api.download(path, `${name}.${format}`, { ...query, format }));
  return (
    <>
      <Menu
        label="Export"
        text="Export"
        busy={action.busy}
        disabled={disabled}
        items={["csv", "ndjson"].map((format) => ({
          text: format.toUpperCase(),
          onChoose: () => void save(format),
        }))}
      />
      <FailureNote failure={action.failure} />
    </>
  );
}
