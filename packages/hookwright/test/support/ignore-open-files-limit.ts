import { beforeEach, vi } from "vitest";

/** A machine with a low limit of open files gets a log line at the start. Tests that expect all log lines do without it. */
export function ignoreOpenFilesLimit(): void {
  beforeEach(() => {
    const report = vi.spyOn(process.report, "getReport").mockReturnValue({});
    return () => report.mockRestore();
  });
}
