/** Sister rows: a comparison is careless in the same ways wherever the value stands, so each has the variants of the others. */

import { assert, assertEquals } from "@std/assert";
import { listVariants } from "../../../src/kit/faults/names.ts";
import { createMock, examine, examineApi, type MisbehaviourName } from "../../../src/kit/mod.ts";
import { decodeJwt } from "jose";
import { test } from "../../runner.ts";
import { createClient } from "./clients/client.ts";
import { type Comparison, confidentialClient, quick, quickAlg } from "./clients/habits.ts";

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
  "the person": [
    { rows: ["userinfo.sub_similar"], lacks: ["another"], reason: "userinfo.sub_other sends it." },
    {
      rows: ["refresh.id_token_other_subject"],
      lacks: ["another", "full_width", "low_byte", "normalization"],
      reason:
        "A check that takes any sub falls for each, and the sub of the first ID token would have to end in a letter that has two forms.",
    },
    {
      rows: ["access_token.subject_similar"],
      lacks: ["another", "full_width", "low_byte", "normalization"],
      reason:
        "Another person is what each answer is compared with, and the sub would have to end in such a letter.",
    },
    {
      rows: ["introspection.subject_other"],
      lacks: ["full_width", "low_byte", "normalization"],
      reason: "The sub of the access token would have to end in a letter that has two forms.",
    },
  ],
  "the state": [
    {
      rows: ["authorization_response.state_changed", "authorization_response.state_similar"],
      lacks: ["part"],
      reason: "The first character is a part.",
    },
    {
      rows: ["logout.state_changed"],
      lacks: [
        ...["encoded", "end", "first_character", "invisible_character", "line_break", "own_form"],
        "white_space",
      ],
      reason: "Each costs a login and a sign-out, and nothing but a page depends on the state of a sign-out.",
    },
  ],
  "the nonce": [
    {
      rows: ["id_token.nonce_wrong"],
      lacks: ["another"],
      reason: "A check that takes any nonce falls for each.",
    },
    { rows: ["proof.nonce_wrong"] },
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
  ["line_break", (received, expected) => new RegExp(`^${escapeText(expected)}$`, "m").test(received)],
  ["full_width", (received, expected) => narrow(received) === expected],
  ["low_byte", (received, expected) => lowBytes(received) === lowBytes(expected)],
];

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

function narrow(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (each) => String.fromCharCode(each.charCodeAt(0) - 0xfee0));
}

/** What is left of a text that is written as ISO 8859-1. */
function lowBytes(text: string): string {
  return Array.from(text, (each) => String.fromCharCode(each.charCodeAt(0) & 0xff)).join("");
}

const isOfState = (name: MisbehaviourName) => name.startsWith("authorization_response.state_");

for (const [variant, compares] of careless) {
  test(`sisters: a client that takes ${variant} for the right value is fooled wherever a row sends it`, async () => {
    const only = Object.values(sisters).flat().flatMap(({ rows }) => rows)
      .filter((name) => !/^(?:access_token|proof|userinfo\.jwt|introspection\.jwt|logout\.state)/.test(name))
      .filter((name) => listVariants(name).includes(variant));
    assert(only.length > 0);
    const within = 60;
    for (const isCareless of [true, false]) {
      const habits = { ...quick, ...isCareless ? { compares } : {}, follows: true } as const;
      const terms = { within, does: ["id_token_auth_time"] } as const;
      const others = await examine({
        ...terms,
        client: createClient(habits),
        only: only.filter((name) => !isOfState(name)),
        options: { alg: quickAlg },
      });
      // PKCE and a nonce would protect the login, too.
      const ofState = !only.some(isOfState) ? undefined : await examine({
        ...terms,
        client: createClient({ ...habits, guards: [] }),
        only: only.filter(isOfState),
        options: { alg: quickAlg, clients: [confidentialClient] },
      });
      const rows = [...others.rows, ...ofState?.rows ?? []];
      assertEquals(rows.map(({ name }) => name).sort(), only.toSorted());
      for (const { name, outcome, because } of rows) {
        assertEquals([name, outcome], [name, isCareless ? "fooled" : "noticed"], because);
        assert(!isCareless || because.startsWith(`With the variant ${variant}: `), because);
      }
    }
  });
}

const url = "https://api.test/orders";
const ownNonce = "A-Nonce-of-the-API";
type Proof = Readonly<Record<string, unknown>>;
const decodeProof = (proof: string): Proof => ({ ...decodeJwt(proof) });

/** Checks of a proof, each with the only variants that it takes for the right one. */
const proofChecks: readonly (readonly [
  name: "proof.nonce_wrong" | "proof.method_wrong",
  isRight: (proof: Proof) => boolean,
  variant: string | undefined,
])[] = [
  ["proof.nonce_wrong", ({ nonce }) => `${nonce}` in { [ownNonce]: true }, "constructor"],
  ["proof.nonce_wrong", ({ nonce }) => `${nonce}`.trim() === ownNonce, "white_space"],
  ["proof.nonce_wrong", ({ nonce }) => new RegExp(`^${ownNonce}$`, "m").test(`${nonce}`), "line_break"],
  ["proof.nonce_wrong", ({ nonce }) => decodeURIComponent(`${nonce}`) === ownNonce, "encoded"],
  ["proof.nonce_wrong", ({ nonce }) => `${nonce}`.endsWith(ownNonce), "prefix"],
  ["proof.nonce_wrong", ({ nonce }) => ownNonce.endsWith(`${nonce}`), "end"],
  ["proof.nonce_wrong", ({ nonce }) => nonce === ownNonce, undefined],
  ["proof.method_wrong", ({ htm = "" }) => htm !== "DELETE", "suffix"],
  ["proof.method_wrong", ({ htm }) => `${htm}`.startsWith("GET"), "suffix"],
  ["proof.method_wrong", ({ htm }) => /GET$/.test([htm].flat().join(" ")) && !Array.isArray(htm), "prefix"],
  ["proof.method_wrong", ({ htm }) => htm !== undefined && "GET".startsWith(`${htm}`), "part"],
  ["proof.method_wrong", ({ htm }) => [htm].flat().includes("GET"), "in_list"],
  ["proof.method_wrong", ({ htm = "GET" }) => htm === "GET", "absent"],
  ["proof.method_wrong", ({ htm }) => htm === "GET", undefined],
];

for (const [name, isRight, variant] of proofChecks) {
  test(`sisters: ${name} finds an API for which ${isRight} (RFC 9449 §4.3)`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const { rows: [row] } = await examineApi({
      as,
      dpop: { url },
      only: [name],
      call(_token, proof = "") {
        const claims = decodeProof(proof);
        const error = claims["nonce"] === undefined || name === "proof.nonce_wrong" && !isRight(claims)
          ? "use_dpop_nonce"
          : name === "proof.method_wrong" && !isRight(claims)
          ? "invalid_dpop_proof"
          : undefined;
        if (error === undefined) return new Response("orders");
        const headers = { "www-authenticate": `DPoP error="${error}"`, "dpop-nonce": ownNonce };
        return new Response(null, { status: 401, headers });
      },
    });
    const expected = [variant === undefined ? "noticed" : "fooled", variant];
    assertEquals([row!.outcome, row!.variant], expected, row!.because);
  });
}

for (const [needed, variant] of [["orders", "without_last"], ["email", "without_first"]] as const) {
  test(`sisters: an API that needs two names of a scope, and looks for ${needed} only, falls for a token without the other one (RFC 6749 §3.3)`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const scope = ["orders", "email"];
    for (const names of [[needed], scope]) {
      const { rows: [row] } = await examineApi({
        ...{ as, scope },
        only: ["access_token.scope_missing"],
        call(token) {
          const given = `${decodeJwt(token)["scope"] ?? ""}`.split(" ");
          return new Response(null, { status: names.every((name) => given.includes(name)) ? 200 : 403 });
        },
      });
      const expected = names === scope ? ["noticed", undefined] : ["fooled", variant];
      assertEquals([row!.outcome, row!.variant], expected, row!.because);
    }
  });
}
