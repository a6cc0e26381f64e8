import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { RandomRequest } from "../../hookwright/test/differential/random-request.ts";
import { publications } from "../../hookwright/test/differential/host-requests.ts";
import { createNames } from "../../hookwright/test/differential/names.ts";
import { publicRequests } from "../../hookwright/test/differential/public-requests.ts";
import { toRequest } from "../../hookwright/test/differential/to-request.ts";
import { openMockSide } from "./support/open-mock-side.ts";
import { openRealSide } from "./support/open-real-side.ts";
import type { Side } from "./support/side.ts";

/** `PARITIES=1000` plays 1,000 histories. */
const { PARITIES } = process.env;
const numRuns = Number(PARITIES ?? 40);
const options = { numRuns, endOnFailure: PARITIES === undefined };
const timeout = 60_000 + numRuns * 5_000;

type Act = (side: Side) => Promise<void>;
type Step = RandomRequest | { readonly type: "act"; readonly name: string; readonly act: Act };

const act = (name: string, act: Act): Step => ({ type: "act", name, act });

/**
 * Events of the sites. There are only two subscriber records, because the successor of the first of several
 * records with one address is not specified.
 */
const published = publications.map(({ event, project_id, data: { id, ...fields } }) => {
  const data = { ...fields, id: event === "subscriber.created" && id !== "1" ? "2" : id };
  return act(`${event} ${JSON.stringify(data)}`, (side) => side.publish(event, project_id, data));
});
const happened = fc.oneof(
  { weight: 12, arbitrary: published },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      act("little is left of the plan", (side) =>
        side.changeAccount({ plan: { monthly_new_subscribers: 3, blog_posts_per_site: 2 } }),
      ),
      act("the plan has no contacts", (side) => side.changeAccount({ plan: { crm: false } })),
      act("a demo", (side) => side.changeAccount({ demo: true })),
      act("suspended", (side) => side.changeAccount({ status: "suspended" })),
      act("Ada has left", (side) => side.unsubscribe("site_1", "ada@example.com")),
      act("Bob's mail has bounced", (side) => side.suppress("bob@example.com")),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constant(
      act("all is well again", (side) =>
        side.changeAccount({
          status: "active",
          demo: false,
          plan: { crm: true, monthly_new_subscribers: null, blog_posts_per_site: null },
        }),
      ),
    ),
  },
);
const steps = fc.array(fc.oneof({ weight: 2, arbitrary: publicRequests }, happened), {
  minLength: 50,
  maxLength: 150,
  size: "max",
});

/** A side and its normalised answers. */
function createPlayer(side: Side): (step: Step) => Promise<unknown> {
  const names = createNames();
  const resolve = (text: string): string => names.resolve(text.replace(/^~hwk\.\d+~$/, side.key));
  return async (step) => {
    if (step.type === "act")
      return step.act(side).then(
        () => "done",
        // The mock uses the field name of its seed.
        ({ code }: { readonly code?: string }) => code,
      );
    const response = await side.fetch(toRequest(step, "http://api.example", resolve));
    const headers = [...response.headers].filter(([name]) => !isOfOneSide(name));
    return { status: response.status, headers, body: names.name(await response.text()) };
  };
}

/** The mock has no rate limits. The length is also that of a cursor. */
function isOfOneSide(header: string): boolean {
  return header.startsWith("ratelimit") || header === "x-request-id" || header === "content-length";
}

it("after any sequence of events and requests the mock answers like the service", { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      let time = Date.UTC(2026, 10, 20, 9, 30);
      const now = () => time;
      await using real = await openRealSide(now);
      await using mock = openMockSide(now);
      const sides = [real, mock];
      for (const side of sides) {
        await side.addProject("site_1", "Shop", "Europe/London");
        await side.addProject("site_2", "Blog", "Asia/Tokyo");
        await side.addEmailList("list_1", "site_1", "News");
        await side.addEmailList("list_2", "site_2", "News");
      }
      const players = sides.map(createPlayer);
      for (const step of all) {
        // Most events are in the second in which the records were created.
        time += 7;
        const [expected, answered] = await Promise.all(players.map((play) => play(step)));
        expect({ step, answered }).toEqual({ step, answered: expected });
      }
    }),
    options,
  );
});
