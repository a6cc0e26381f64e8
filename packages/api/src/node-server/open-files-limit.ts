let known: number | undefined;

/** The limit of open files of this process, including sockets. `undefined` if there is none or it is unknown. */
export function openFilesLimit(): number | undefined {
  // A report takes 15 ms, and the limit stays.
  known ??= readLimit();
  return known;
}

function readLimit(): number | undefined {
  // Other runtimes have no report, and Windows has no such limit. Node raises its soft limit itself at start-up.
  const report: unknown = readReport();
  const limit = valueAt(valueAt(valueAt(report, "userLimits"), "open_files"), "soft");
  return typeof limit === "number" ? limit : undefined;
}

function readReport(): unknown {
  const { report } = process;
  if (typeof report?.getReport !== "function") return undefined;
  // Otherwise the report resolves the host names of all connections. Node's types do not have this setting yet.
  const setting = "excludeNetwork";
  const before: unknown = Reflect.get(report, setting);
  Reflect.set(report, setting, true);
  try {
    return report.getReport();
  } finally {
    Reflect.set(report, setting, before);
  }
}

function valueAt(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
