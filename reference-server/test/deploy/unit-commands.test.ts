import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readUnitInstallation } from "../support/backup-page.ts";
import { hasProgram } from "../support/has-program.ts";
import { readPage, scriptWith, serverCommands } from "../support/pages.ts";
import { startSystemd, whyNoSystemd } from "../support/systemd.ts";
import type { Systemd } from "../support/systemd.ts";

const commands = serverCommands();

it("the commands of the runbook find the storage of the server without an option", () => {
  expect(commands).toEqual(["hookwright check-storage", "hookwright doctor"]);
  expect(readPage("docs/operations/runbook.md")).not.toMatch(
    /hookwright (?:doctor|check-storage) --storage/u,
  );
});

const mayRun = whyNoSystemd() === undefined && hasProgram("dbus-daemon", "dbus");

describe.runIf(mayRun)("the unit, installed as the page says", { tags: ["long"] }, () => {
  let systemd: Systemd;
  beforeAll(async () => {
    systemd = await startSystemd();
  }, 30_000);
  afterAll(() => systemd[Symbol.asyncDispose]());

  /** Also of a command that fails. */
  const outputOf = (commands: string): Promise<string> =>
    systemd.run(`cd repository\n(${commands}\n) 2>&1\necho exit $?`);

  it("starts", async () => {
    await systemd.run("systemctl start dbus");
    expect(await outputOf(`${readUnitInstallation()}\nsystemctl is-active hookwright`)).toMatch(/^active$/mu);
    expect(await outputOf(createWebhook)).toContain("signing_secret");
  });

  it.each(commands)("%s has the storage, the secret and the user of the unit", async (command) => {
    const output = await outputOf(command.replace("hookwright", "hookwright-command"));
    expect(output).toContain("file:/var/lib/hookwright");
    expect(output).toMatch(/opens the stored values$|nothing is damaged\.$/mu);
    const owners = await systemd.run("stat --format=%u /var/lib/hookwright/* /var/lib/hookwright/ | sort -u");
    expect(owners.trim()).toMatch(/^\d+$/u);
  });

  it("replaces its secret as the page says", async () => {
    const steps = scriptWith("docs/operations/secret-rotation.md", "hookwright-command rotate-secret");
    const before = await systemd.run("cat /etc/hookwright/secret");
    expect(await outputOf(`set -e\n${steps}`)).toMatch(/encrypted 1 of 1[^]*^exit 0$/mu);
    expect(await systemd.run("cat /etc/hookwright/secret")).not.toBe(before);
    expect(await outputOf("hookwright-command doctor")).toMatch(/^ok +secret .* opens the stored values$/mu);
  });

  it("finds another storage in a drop-in", async () => {
    const output = await outputOf(`echo redis://127.0.0.1:1 > /etc/hookwright/storage_url
cp reference-server/deploy/systemd/hookwright.service.d/* /etc/systemd/system/hookwright.service.d/
systemctl daemon-reload
hookwright-command doctor`);
    expect(output).toMatch(/^failed +storage .*127\.0\.0\.1:1 is unreachable[^]*^exit 1$/mu);
  });

  it("passes on arguments as they are", async () => {
    const given = "/nowhere/$HOME/\u0024{HOME}/a b";
    expect(await outputOf(`hookwright-command check-storage --storage 'file:${given}'`)).toContain(given);
  });

  it("names what is wrong with another unit", async () => {
    expect(await outputOf("HOOKWRIGHT_UNIT=dbus hookwright-command doctor")).toBe(
      "hookwright-command: ExecStart of dbus.service does not run `hookwright serve`.\nexit 2\n",
    );
  });
});

/** As a host does. Its signing secret is encrypted. */
const createWebhook = `
host() { curl -sS -X "$1" "http://127.0.0.1:3000/host/v1/$2" -H "Authorization: Bearer $(cat /etc/hookwright/host_token)" \
  -H 'Content-Type: application/json' -d "$3"; }
host PUT accounts/acc_bakery '{"name":"Bakery","email":"owner@example.com"}'
host PUT projects/site_shop '{"account_id":"acc_bakery","name":"Shop"}'
key=$(host POST accounts/acc_bakery/api-keys '{"name":"First"}' | sed -E 's/.*"api_key":"([^"]+)".*/\\1/')
curl -sS http://127.0.0.1:3000/v1/webhooks -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
  -d '{"event":"order.created","target_url":"https://93.184.215.14/hooks"}'
`;
