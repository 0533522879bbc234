/** A setting and a lifetime: how the server answers a visitor, and how long it says that it remembers the visit. */

import { assertEquals, assertThrows } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../src/server/features/mod.ts";
import { json } from "../../src/server/http/respond.ts";
import type { Feature } from "../../src/server/oauth/feature.ts";
import { createLifetime } from "../../src/server/oauth/lifetime.ts";
import { refuseOption } from "../../src/server/oauth/set_up_mistake.ts";
import { type Setting, settingOf } from "../../src/server/oauth/feature_values.ts";
import { describeConfiguration } from "../../src/server/setup/configuration.ts";
import { requireConfiguration } from "../../src/server/setup/read_settings.ts";
import { gatherSlots } from "../../src/server/slots.ts";
import { assertCannotCreate } from "../server/oauth/refusals.ts";
import { createWorld, inWorld, type WorldOptions } from "../world.ts";
import type { Toy } from "./toys.ts";

interface Greeting {
  readonly words: readonly string[];
}

const greeting: Setting<Greeting, string> = {
  name: "toyGreeting",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["words"],
    properties: { words: { type: "array", items: { type: "string" } } },
  },
  read({ words } = { words: ["hello"] }, { issuer }) {
    if (words.includes("bye")) refuseOption("toyGreeting.words", "must be friendly", '"bye"');
    return [...words, "from", issuer].join(" ");
  },
};

const memory = createLifetime("toyVisit", { maximum: 3600, default: "5m" });

const feature: Feature = {
  name: "toy_setting",
  spec: "none",
  settings: [greeting, memory],
  endpoints: [{
    method: "GET",
    path: "/toy_setting",
    refusal: "json",
    handle: (_exchange, { settings }) => json([settingOf(settings, greeting), settingOf(settings, memory)]),
  }],
};

/** The public type does not know the options. */
function configure(toyGreeting: unknown, toyVisit: unknown): WorldOptions {
  const lifetimes: object = { toyVisit };
  const configuration = { toyGreeting, lifetimes };
  return configuration;
}

export const settingToy: Toy = {
  kind: "a setting",
  feature,
  options: configure({ words: ["good", "day"] }, "1m"),
  async works(world) {
    const answer = await world.get("/toy_setting");
    assertEquals(await answer.json(), ["good day from https://as.test", 60]);
    const bare = { clients: [], features: [feature] };
    await inWorld(bare, async (usual) => {
      assertEquals(await (await usual.get("/toy_setting")).json(), ["hello from https://as.test", 300]);
    });
    const create = (options: WorldOptions, features: readonly Feature[]) => () =>
      createWorld({ ...options, clients: [], features });
    const refusals: readonly (readonly [WorldOptions, string])[] = [
      [configure({ words: 1 }, 1), "toyGreeting.words must be an array of strings, not 1"],
      [configure({ words: ["bye"] }, 1), 'toyGreeting.words must be friendly, not "bye"'],
      [configure({ words: [] }, "2h"), "lifetimes.toyVisit must be a whole number of seconds from 1 to 3600"],
      [configure({ words: [] }, "1 min"), "lifetimes.toyVisit must be a number of seconds or text"],
    ];
    for (const [options, message] of refusals) await assertCannotCreate(create(options, [feature]), message);
    const unknown = configure({ words: [] }, 1);
    await assertCannotCreate(create(unknown, []), "toyGreeting is not known");
    await assertCannotCreate(create({}, [feature, feature]), "two features offer the option toyGreeting");
    const taken: Feature = { ...feature, settings: [{ name: "issuer", schema: {} }] };
    await assertCannotCreate(create({}, [taken]), "every server reads the option issuer already");

    // `--config` checks the text of a file against the same schema.
    const schema = describeConfiguration(gatherSlots([...defaultFeatures(everyFeature), feature]));
    const read = (text: string) => requireConfiguration(JSON.parse(text), schema);
    const text = '{ "toyGreeting": { "words": ["hi"] }, "lifetimes": { "toyVisit": 5 } }';
    assertEquals(Object.keys(read(text)), ["toyGreeting", "lifetimes"]);
    assertThrows(() => read('{ "toyGreting": {} }'), TypeError, "did you mean toyGreeting?");
  },
};
