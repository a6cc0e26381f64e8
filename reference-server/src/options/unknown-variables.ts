import { findNearest } from "@hookwright/domain";
import type { Environment } from "@hookwright/cli";
import { options } from "./options.ts";
import { fileVariableOf } from "./secret-files.ts";

const prefix = "HOOKWRIGHT_";
/** The variables of the commands for integrators. */
const ofIntegrators = ["HOOKWRIGHT_SERVER", "HOOKWRIGHT_API_KEY", "HOOKWRIGHT_PASSWORD"];
const known: readonly string[] = [
  ...Object.values(options).map(({ variable }) => variable),
  ...Object.values(options).flatMap((option) => fileVariableOf(option) ?? []),
  ...ofIntegrators,
];

/** Kubernetes sets these variables in containers if a service has the name hookwright. */
const ofKubernetes = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_[A-Z]+(?:_(?:PROTO|PORT|ADDR))?)$/u;
const kubernetesAddress = /^(?:tcp|udp|sctp):\/\//u;

/** Whether Kubernetes has set a variable of ours, because a service has a name such as hookwright-admin. */
export function isServiceLink(name: string, value: string): boolean {
  return name.startsWith(prefix) && name.endsWith("_PORT") && kubernetesAddress.test(value.trim());
}

/** Returns a warning for each unknown variable with our prefix, because a typing error is easily overlooked. */
export function describeUnknownVariables(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = ""]) => {
    if (!name.startsWith(prefix) || value.trim() === "") return [];
    if (known.includes(name)) return isServiceLink(name, value) ? [describeServiceLink(name)] : [];
    if (ofKubernetes.test(name) || kubernetesAddress.test(value)) return [];
    const nearest = findNearest(withoutPrefix(name), known.map(withoutPrefix));
    const meant = known.find((variable) => withoutPrefix(variable) === nearest);
    const hint =
      meant === undefined ? "`hookwright serve --help` lists all variables." : `Did you mean ${meant}?`;
    return [`${name} is not a variable of hookwright and is ignored. ${hint}`];
  });
}

function describeServiceLink(name: string): string {
  const service = name.slice(0, -"_PORT".length).toLowerCase().replaceAll("_", "-");
  return `${name} is the address of the Kubernetes service ${service} and is ignored. If you want this setting, set the variable in the container. Otherwise set enableServiceLinks: false in the pod.`;
}

/** Some variables have no prefix: `HOOKWRIGHT_PORT` is meant to be `PORT`. */
function withoutPrefix(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
