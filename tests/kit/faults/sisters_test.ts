/** Sister rows: a comparison is careless in the same ways wherever the value stands, so each has the variants of the others. */

import { assert, assertEquals } from "@std/assert";
import { listVariants } from "../../../src/kit/faults/names.ts";
import { examine, type MisbehaviourName } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { createClient } from "./clients/client.ts";
import { type Comparison, quick, quickAlg } from "./clients/habits.ts";

/** Each place of a value has one row or several, and lacks variants only for the reason beside them. */
type Sisters = readonly {
  readonly rows: readonly MisbehaviourName[];
  readonly lacks?: readonly string[];
  readonly reason?: string;
}[];

const sisters: Readonly<Record<string, Sisters>> = {
  "the issuer": [
    {
      rows: ["metadata.issuer_mismatch", "metadata.issuer_slash"],
      lacks: ["end", "constructor"],
      reason: "A client that parses the issuer fails at a text without a scheme, by no check of its own.",
    },
    { rows: ["authorization_response.iss_wrong", "authorization_response.iss_slash"] },
    { rows: ["jarm.issuer_other"] },
    {
      rows: ["id_token.iss_wrong", "id_token.iss_slash", "id_token.iss_part"],
      lacks: ["part"],
      reason: "The row of a part calls it shorter.",
    },
    { rows: ["userinfo.jwt_iss_wrong"] },
    {
      rows: ["access_token.issuer_wrong", "access_token.issuer_slash", "access_token.issuer_part"],
      lacks: ["another", "part"],
      reason: "The row of a part calls it shorter, and access_token.two_issuers_one_kid has another issuer.",
    },
    { rows: ["introspection.jwt_issuer_wrong"] },
    { rows: ["logout.issuer_wrong"] },
  ],
  "the audience that is a client": [
    { rows: ["jarm.audience_other"] },
    { rows: ["id_token.aud_wrong"] },
    { rows: ["userinfo.jwt_aud_wrong"] },
    { rows: ["logout.audience_wrong"] },
  ],
  "the audience that is an API": [
    { rows: ["access_token.audience_wrong"] },
    { rows: ["introspection.audience_other"] },
    { rows: ["introspection.jwt_audience_wrong"] },
  ],
};

/** These name no comparison of their own: they are what only a row of a part sends. */
const ofPart: readonly string[] = ["shorter", "scheme"];

for (const [value, places] of Object.entries(sisters)) {
  test(`sisters: the rows of ${value} have the same variants, with named exceptions`, () => {
    const variantsOf = ({ rows }: Sisters[number]) =>
      rows.flatMap(listVariants).filter((variant) => !ofPart.includes(variant));
    const all = new Set(places.flatMap(variantsOf));
    for (const place of places) {
      const own = variantsOf(place);
      assertEquals(
        [...all].filter((variant) => !own.includes(variant)).sort(),
        (place.lacks ?? []).toSorted(),
        place.rows.join(),
      );
      assertEquals(place.lacks === undefined, place.reason === undefined);
    }
  });
}

const cutAt = (end: string): Comparison => (received, expected) => received.split(end, 1)[0] === expected;

/** Each with the only variant that it takes for the right value. */
const careless: readonly (readonly [variant: string, compares: Comparison])[] = [
  ["constructor", (received, expected) => received in { [expected]: true }],
  ["invisible_character", (received, expected) => received.replaceAll("\u00ad", "") === expected],
  ["after_question_mark", cutAt("?")],
  ["after_hash", cutAt("#")],
];

for (const [variant, compares] of careless) {
  test(`sisters: a client that takes ${variant} for the right value is fooled wherever a row sends it`, async () => {
    const only = Object.values(sisters).flat().flatMap(({ rows }) => rows)
      .filter((name) => /^(?:metadata|authorization_response|id_token|jarm|logout)\./.test(name))
      .filter((name) => listVariants(name).includes(variant));
    assert(only.length > 3);
    const terms = { only, within: 60, options: { alg: quickAlg } } as const;
    for (const isCareless of [true, false]) {
      const client = createClient({ ...quick, ...isCareless ? { compares } : {}, follows: true });
      const { rows } = await examine({ ...terms, client });
      for (const { name, outcome, because } of rows) {
        assertEquals([name, outcome], [name, isCareless ? "fooled" : "noticed"], because);
        assert(!isCareless || because.startsWith(`With the variant ${variant}: `), because);
      }
    }
  });
}
