import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { App } from "./apps.ts";
import { npmInstall, runInstalled } from "./install.ts";
import { readPlaces } from "./read-guide.ts";
import { findBlock, save } from "./receiving-guide.ts";

const embedding = fileURLToPath(new URL("../../examples/embedding/", import.meta.url));
const frameworks = fileURLToPath(new URL("../apps/", import.meta.url));

/** In production private targets are refused, but for single origins. */
const trustsReceiver = [
  /privateTargets: HOOKWRIGHT_PRIVATE_TARGETS === "allow",.*/u,
  "trustedOrigins: HOOKWRIGHT_PRIVATE_TARGETS === undefined ? [] : [HOOKWRIGHT_PRIVATE_TARGETS],",
] as const;

/** Builds the app in its own folder, with our packed packages and other dependencies from npm. */
export async function buildApp(app: App, folder: string, packed: readonly string[]): Promise<void> {
  await cp(path.join(frameworks, app.framework), folder, { recursive: true });
  for (const [example, place] of Object.entries(app.places)) {
    const text = (await readFile(path.join(embedding, example), "utf8")).replace(...trustsReceiver);
    await save(folder, place, change(text, app.instead?.[example]));
  }
  const route = findBlock(app.receivingRoute);
  const [shared = "", place = ""] = readPlaces(route);
  await save(folder, shared, findBlock("receive.ts").code);
  await save(folder, place, change(route.code, app.instead?.[app.receivingRoute]));

  await npmInstall(folder, packed);
  const [program, ...args] = app.build;
  for (let build = 0; build < app.builds; build += 1) await runInstalled(folder, program, args);
}

/** Applies the changes that the guides describe. */
function change(text: string, changes: readonly (readonly [string, string])[] = []): string {
  return changes.reduce((changed, [one, other]) => replaceOnce(changed, one, other), text);
}

function replaceOnce(text: string, one: string, other: string): string {
  if (!text.includes(one)) throw new Error(`an example no longer contains\n${one}`);
  return text.replace(one, other);
}
