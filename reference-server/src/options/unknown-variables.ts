import { findNearest } from "@hookwright/domain";
import type { Environment } from "../program.ts";
import { options } from "./options.ts";

const prefix = "HOOKWRIGHT_";
const known: readonly string[] = Object.values(options).map(({ variable }) => variable);

/** What Kubernetes sets in each container beside a service that is called hookwright. */
const ofKubernetes = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_[A-Z]+(?:_(?:PROTO|PORT|ADDR))?)$/u;
const kubernetesAddress = /^(?:tcp|udp|sctp):\/\//u;

/** A sentence for each variable that has our prefix and means nothing, since a mistyped one is easily overlooked. */
export function describeUnknownVariables(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = ""]) => {
    if (!name.startsWith(prefix) || known.includes(name) || value.trim() === "") return [];
    if (ofKubernetes.test(name) || kubernetesAddress.test(value)) return [];
    const nearest = findNearest(withoutPrefix(name), known.map(withoutPrefix));
    const meant = known.find((variable) => withoutPrefix(variable) === nearest);
    const hint = meant === undefined ? "`hookwright serve --help` lists them all." : `Did you mean ${meant}?`;
    return [`${name} is not a variable of hookwright, and is ignored. ${hint}`];
  });
}

/** Some have none: `HOOKWRIGHT_PORT` is meant to be `PORT`. */
function withoutPrefix(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
