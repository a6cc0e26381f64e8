import { setPreferences, usePreferences } from "../state/preferences.ts";
import { Segments } from "./fields.tsx";

/** What the user has chosen for this browser. */
export function PreferenceRows() {
  const { theme, timeZone, density } = usePreferences();
  return (
    <>
      <div class="row">
        <span class="quiet">Theme</span>
        <Segments
          label="Theme"
          value={theme}
          choices={{ system: "System", light: "Light", dark: "Dark" }}
          onChoose={(chosen) => setPreferences({ theme: chosen })}
        />
      </div>
      <div class="row">
        <span class="quiet">Time zone</span>
        <Segments
          label="Time zone"
          value={timeZone}
          choices={{ local: "Local", site: "Site", utc: "UTC" }}
          onChoose={(chosen) => setPreferences({ timeZone: chosen })}
        />
      </div>
      <div class="row">
        <span class="quiet">Rows</span>
        <Segments
          label="Height of rows"
          value={density}
          choices={{ comfortable: "Normal", compact: "Compact" }}
          onChoose={(chosen) => setPreferences({ density: chosen })}
        />
      </div>
    </>
  );
}
