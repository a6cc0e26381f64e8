import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { setPreferences, usePreferences } from "../state/preferences.ts";
import { shortcuts } from "./use-shortcuts.ts";

/** All shortcuts, and a switch that turns them off. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const { shortcuts: setting } = usePreferences();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {shortcuts.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={setting === "on"}
          onChange={({ currentTarget }) =>
            setPreferences({ shortcuts: currentTarget.checked ? "on" : "off" })
          }
        />
        Use these shortcuts. Search stays available.
      </label>
      <div class="actions end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
