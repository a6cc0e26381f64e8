import { expect, it } from "vitest";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { importText as importFromText } from "../support/import-text.ts";
import { openConsole } from "../support/open-console.ts";
import type { World } from "../support/open-console.ts";

const hostToken = "support:manage+read:a-token-of-the-host";
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const open = () => openConsole({ hostToken, standardWebhooks: true });

const importText = (world: World, text: string, ...commandLine: string[]) =>
  importAs(hostToken, world, text, ...commandLine);

const importAs = (token: string, world: World, text: string, ...commandLine: string[]) =>
  importFromText(world, text, { hostToken: token, commandLine });

const list = async (world: World) => (await world.hookwright.webhooks.listForConsole("acc_1")).rows;

it("creates the webhooks of a CSV file once, with their secrets, and a receiver of Standard Webhooks verifies as before", async () => {
  await using world = await open();
  const text = [
    "url,events,secret,headers,site,name",
    `${world.origin}/a,"review.submitted order.paid",${secret},"{""X-Team"":""a, b""}",${world.site},Warehouse`,
    `${world.origin}/b,*,,,,`,
    "",
  ].join("\r\n");
  const account = ["--account", "acc_1"];
  expect(await importText(world, text, ...account, "--dry-run")).toMatchObject({
    status: 0,
    printed: "2 lines are valid. Nothing was created.",
  });
  expect(await list(world)).toEqual([]);
  const created = await importText(world, text, ...account);
  expect(created).toEqual({ status: 0, printed: "2 created, 0 unchanged, 0 refused.", complained: "" });
  expect(await importText(world, text, ...account)).toMatchObject({
    status: 0,
    printed: "0 created, 2 unchanged, 0 refused.",
  });
  expect(await list(world)).toMatchObject([
    { target_url: `${world.origin}/b`, events: ["*"], project_id: null },
    {
      target_url: `${world.origin}/a`,
      events: ["order.paid", "review.submitted"],
      project_id: world.site,
      name: "Warehouse",
      headers: ["X-Team"],
    },
  ]);

  // The receivers have the secret from the other sender, and its libraries, which accept what it has sent.
  const receivers = [new Webhook(secret), new SvixWebhook(secret)];
  const before = { id: "msg_1", body: '{"type":"order.paid","data":{}}', at: new Date() };
  const signature = receivers[1]?.sign(before.id, before.at, before.body) ?? "";
  const timestamp = String(Math.floor(before.at.getTime() / 1_000));
  const old = { "webhook-id": before.id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  for (const receiver of receivers) expect(() => receiver.verify(before.body, old)).not.toThrow();
  await world.publish("rev_1");
  await expect.poll(() => world.received.length).toBe(2);
  const delivery = world.received.find(({ headers }) => headers["x-team"] === "a, b");
  const headers = Object.fromEntries(
    Object.entries(delivery?.headers ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
  const body = String(delivery?.body);
  expect(body).toContain("review.submitted");
  for (const receiver of receivers) {
    expect(() => receiver.verify(body, headers)).not.toThrow();
    expect(() => receiver.verify(`${body} `, headers)).toThrow("No matching signature found");
  }
});

it("reads NDJSON with accounts of its own, and creates webhooks paused", async () => {
  await using world = await open();
  const line = {
    account_id: "acc_1",
    target_url: `${world.origin}/a`,
    events: ["order.paid"],
    project_id: null,
  };
  const text = `${JSON.stringify(line)}\n\n${JSON.stringify({ ...line, events: "*" })}`;
  expect(await importText(world, text, "--paused", "--json")).toMatchObject({ status: 0 });
  expect((await list(world)).map(({ status }) => status)).toEqual(["paused", "paused"]);
});

it("names each wrong line before it creates anything, and never a secret", async () => {
  await using world = await open();
  const url = `${world.origin}/a`;
  const text = [
    "account,url,events,secret,headers",
    `acc_1,${url},order.paid,${secret},`,
    `acc_1,${url},order.paid,,`,
    `acc_1,ftp://a.example,order.paid,,`,
    `acc_1,${url},,${secret},`,
    `acc_1,${url},order.created,short-secret,`,
    `acc_1,${url},order.created,,"{""Host"":""hidden-value""}"`,
    `acc_1,${url},order.created,,hidden-value`,
    `acc_1,${url},order.created`,
    `acc_1,${url},order.created *,,`,
    `,${url},"order.created`,
  ].join("\n");
  const { status, printed, complained } = await importText(world, text);
  expect({ status, printed }).toEqual({ status: 1, printed: "0 created, 0 unchanged, 9 refused." });
  expect(complained.split("\n").slice(1)).toEqual([
    "line 3: has the URL and the events of line 2.",
    "line 4: target_url must be an http or https URL.",
    "line 5: events must name at least one event, or *.",
    "line 6: signing_secret must be 24 to 128 visible ASCII characters.",
    "line 7: headers.Host: is set by the sender.",
    "line 8: headers must be a JSON object.",
    "line 9: has 3 fields, but the first line names 5.",
    "line 10: events must be * alone, or names.",
    "line 11: has a quotation mark that is not closed or doubled. What follows was not read.",
  ]);
  expect(complained).not.toMatch(/whsec|short-secret|hidden-value/u);
  expect(await list(world)).toEqual([]);
});

it.each([";", "\t"])("reads what spreadsheets write with %j between", async (separator) => {
  await using world = await open();
  const rows = [
    ["account", "url", "events", "name"],
    ["acc_1", `${world.origin}/a`, '"order.created;order.paid"', "A, b"],
  ];
  const text = rows.map((row) => row.join(separator)).join("\r\n");
  expect(await importText(world, text, "--dry-run")).toMatchObject({
    printed: "1 line is valid. Nothing was created.",
  });
  expect((await importText(world, text)).status).toBe(0);
  expect(await list(world)).toMatchObject([{ events: ["order.created", "order.paid"], name: "A, b" }]);
});

it("goes on after a line that the server refuses, and stops at what every line would get", async () => {
  await using world = await open();
  const good = `acc_1,${world.origin}/a,order.paid`;
  const text = (...lines: string[]) => ["account,url,events", ...lines].join("\n");
  expect(await importText(world, text(`acc_9,${world.origin}/a,*`))).toMatchObject({
    status: 1,
    complained: expect.stringContaining('line 2: account "acc_9": '),
  });
  const withSite = `acc_1,${world.origin}/b,order.paid,site_9`;
  expect(await importText(world, `account,url,events,site\n${withSite}\n${good},`)).toMatchObject({
    status: 1,
    printed: "1 created, 0 unchanged, 1 refused.",
    complained: expect.stringMatching(/^line 2: project_id/mu),
  });
  expect(await list(world)).toHaveLength(1);
});

it("finds unknown events and headers of the server before it creates anything", async () => {
  const events = {
    "stock.changed": {
      schema: { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } },
      sample: { id: "s_1" },
      description: "A stock changes.",
    },
  } as const;
  await using world = await openConsole({ hostToken, events, headerPrefix: "X-Acme" });
  const url = (name: string, names: string, header = "X-Team") =>
    JSON.stringify({ url: `${world.origin}/${name}`, events: names, headers: { [header]: "hidden-value" } });
  const good = [url("a", "order.paid stock.changed"), url("b", "*"), url("c", "*", "X-Service-Team")];
  const bad = [url("d", "order.paid stock.change"), url("e", "*", "x_acme_signature")];
  const account = ["--account", "acc_1"];
  for (const options of [["--dry-run"], []]) {
    const { status, complained } = await importText(
      world,
      [...good, ...bad].join("\n"),
      ...account,
      ...options,
    );
    expect([status, complained.split("\n").slice(1)]).toEqual([
      1,
      [
        "line 4: events: `stock.change` is not a known event; did you mean `stock.changed`? GET /v1/event-types lists them.",
        "line 5: headers.x_acme_signature: is set by the sender.",
      ],
    ]);
  }
  expect(await list(world)).toEqual([]);
  expect(await importText(world, good.join("\n"), ...account)).toMatchObject({
    printed: "3 created, 0 unchanged, 0 refused.",
  });
});

it("stops at a token that may not read, and prefers one that may", async () => {
  const writer = "writer:manage:a-token-that-writes";
  await using world = await openConsole({ hostToken: `${writer},${hostToken}`, standardWebhooks: true });
  const text = `account,url,events\nacc_1,${world.origin}/a,*\nacc_1,${world.origin}/b,*`;
  expect(await importAs(writer, world, text)).toEqual({
    status: 1,
    printed: "",
    complained: expect.stringMatching(/^hookwright: The host token "writer" does not have the scope "read"/u),
  });
  expect(await importAs("a-wrong-token", world, text)).toMatchObject({
    status: 3,
    complained: expect.stringMatching(/wrong\. Correct HOOKWRIGHT_HOST_TOKEN: /u),
  });
  expect(await importAs(`${writer},${hostToken}`, world, text, "--dry-run")).toMatchObject({ status: 0 });
});

it("shows no secret of a CSV file without a line of names", async () => {
  await using world = await open();
  const line = `${secret},${world.origin}/a,*`;
  const { status, complained } = await importText(world, `${line}\n${line}`, "--account", "acc_1");
  expect(status).toBe(1);
  expect(complained).toMatch(
    /^line 2: has an unknown field\. .*The first line of a CSV file names them\.$/mu,
  );
  expect(complained).not.toMatch(/whsec/iu);
});

it.each([
  ["", "the file has no webhooks"],
  ['\n[{"url":"https://a.example","events":"*"}]', "line 1: begins a JSON list. Write each object on a line"],
  ["url,events,url\nhttps://a.example,*,", "line 1: fields 1 and 3 have the same name."],
  ["url,events\rhttps://a.example,*\r", "line 2: account_id is missing."],
  [`url,events\n"${"x".repeat(2 ** 25)}`, "line 2: has a quotation mark that is not closed or doubled."],
  ["url,events\n", "the file has no webhooks"],
  ["url,colour\nhttps://a.example,red", 'line 2: has an unknown field, "colour". Known are account_id, '],
  ['{"url":"https://a.example",\n', "line 1: is not a JSON object"],
  [
    `{"url":"https://a.example","events":"*","name":"${"a".repeat(70_000)}"}`,
    "line 1: is longer than 65536 characters",
  ],
  ["url,events\nhttps://a.example,*", "account_id is missing. Add the field, or --account"],
])("%# is refused", async (text, message) => {
  await using world = await open();
  const { status, complained } = await importText(world, text);
  expect(status).toBeGreaterThan(0);
  expect(complained).toContain(message);
});

it("brings webhooks of all events to a server that has no events yet", async () => {
  await using world = await openConsole({ hostToken, builtInEvents: false });
  const account = ["--account", "acc_1"];
  expect(await importText(world, `url,events\n${world.origin}/a,*\n`, ...account)).toMatchObject({
    status: 0,
    printed: "1 created, 0 unchanged, 0 refused.",
  });
  expect(await importText(world, `url,events\n${world.origin}/b,order.paid\n`, ...account)).toMatchObject({
    status: 1,
    complained: expect.stringContaining("`order.paid` is switched off on this server"),
  });
});
