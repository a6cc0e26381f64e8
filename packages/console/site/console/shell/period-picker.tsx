import { overviewPeriods } from "../state/periods.ts";
import { useConsole } from "../state/console-context.ts";
import { Segments } from "../parts/segments.tsx";
import { replaceQuery } from "../state/use-route.ts";

/** Chooses the period of the charts. The choice is in the address. */
export function PeriodPicker() {
  const { period } = useConsole();
  return (
    <Segments
      label="Period"
      value={period}
      choices={overviewPeriods.map((each) => [each, each])}
      onChoose={(chosen) => replaceQuery({ period: chosen === "24h" ? "" : chosen })}
    />
  );
}
