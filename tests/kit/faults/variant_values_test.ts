/** What variants write in places that no comparison of the whole text shows, and the careless check that each is for. */

import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { decodeJwt } from "jose";
import { examine, type ExamineTerms, type MisbehaviourName } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { createClient } from "./clients/client.ts";
import { quick, quickAlg } from "./clients/habits.ts";

const within = 60;
const event = "http://schemas.openid.net/event/backchannel-logout";

const eventChecks: Readonly<
  Record<string, readonly [(events: unknown) => boolean, variant: string | undefined]>
> = {
  "any event": [(events) => events !== undefined, "another"],
  "an event that begins with it": [(events) => keysOf(events).some((key) => key.startsWith(event)), "suffix"],
  "an event that ends with it": [(events) => keysOf(events).some((key) => key.endsWith(event)), "prefix"],
  "the event in capitals or small letters": [
    (events) => keysOf(events).some((key) => key.toLowerCase() === event),
    "capitals",
  ],
  "the event with any scheme": [
    (events) => keysOf(events).some((key) => key.replace("https:", "http:") === event),
    "other_scheme",
  ],
  "a text or a member with it": [
    (events) => typeof events === "string" ? events.includes(event) : keysOf(events).includes(event),
    "text",
  ],
  "a list or a member with it": [
    (events) => Array.isArray(events) ? events.includes(event) : keysOf(events).includes(event),
    "list",
  ],
  "a member with it": [(events) => keysOf(events).includes(event), undefined],
};

function keysOf(events: unknown): readonly string[] {
  return typeof events === "object" && !Array.isArray(events) ? Object.keys(events ?? {}) : [];
}

for (const [what, [isRight, variant]] of Object.entries(eventChecks)) {
  test(`variants: a client that takes ${what} for a logout (OpenID Connect Back-Channel Logout §2.6)`, async () => {
    const { rows: [row] } = await examine({
      only: ["logout.event_other"],
      options: { alg: quickAlg },
      within,
      async client(as, scenario) {
        const serve = () =>
          scenario.serve(async (request) => {
            const token = new URLSearchParams(await request.text()).get("logout_token");
            return new Response(null, { status: isRight(decodeJwt(`${token}`)["events"]) ? 200 : 400 });
          });
        await createClient(quick)(as, { ...scenario, serve });
      },
    });
    assertEquals([row!.outcome, row!.variant], [variant === undefined ? "noticed" : "fooled", variant]);
  });
}

type Checks = (token: Readonly<Record<string, unknown>>, first: Readonly<Record<string, unknown>>) => boolean;

const client = "app";

/** Careless checks of an ID token. Each goes with the one variant for which it falls. */
const tokenChecks: readonly (readonly [MisbehaviourName, variant: string | undefined, Checks])[] = [
  ["id_token.aud_foreign_too", "foreign_first", ({ aud }) => [aud].flat().at(-1) === client],
  ["id_token.aud_foreign_too", "foreign_last", ({ aud }) => [aud].flat()[0] === client],
  [
    "id_token.aud_foreign_too",
    "azp_of_other",
    ({ aud, azp }) => [aud].flat().length === 1 || [aud].flat().includes(azp),
  ],
  [
    "id_token.aud_foreign_too",
    undefined,
    ({ aud, azp }) => [aud].flat().length === 1 || azp === client,
  ],
  ["id_token.aud_foreign_too", undefined, ({ aud }) => [aud].flat().every((each) => each === client)],
  [
    "id_token.at_hash_wrong",
    "part",
    ({ at_hash: hash }, first) => `${first["expected"]}`.startsWith(`${hash}`),
  ],
  ["id_token.at_hash_wrong", undefined, ({ at_hash: hash }, first) => hash === first["expected"]],
  ["refresh.id_token_other_subject", "suffix", ({ sub }, first) => `${sub}`.startsWith(`${first["sub"]}`)],
  ["refresh.id_token_other_subject", "prefix", ({ sub }, first) => `${sub}`.endsWith(`${first["sub"]}`)],
  ["refresh.id_token_other_subject", "part", ({ sub }, first) => `${first["sub"]}`.startsWith(`${sub}`)],
  [
    "refresh.id_token_other_subject",
    "capitals",
    ({ sub }, first) => `${sub}`.toLowerCase() === `${first["sub"]}`.toLowerCase(),
  ],
  ["refresh.id_token_other_subject", undefined, ({ sub }, first) => sub === first["sub"]],
];

for (const [name, variant, isRight] of tokenChecks) {
  test(`variants: ${name} finds a check that falls for ${variant ?? "none"}`, async () => {
    const { rows: [row] } = await examine({
      only: [name],
      options: { alg: quickAlg },
      within,
      client: check(isRight),
    });
    assertEquals(
      [row!.outcome, row!.variant],
      [variant === undefined ? "noticed" : "fooled", variant],
      row!.because,
    );
  });
}

/** Logs in, refreshes if the row is about that, and uses the access token if the ID token seems right. */
function check(isRight: Checks): ExamineTerms["client"] {
  return async (as, { phase }) => {
    let tokens = await as.login("alice", { client, scope: "openid email offline_access" });
    const first = decodeJwt(`${tokens.id_token}`);
    if (phase === "refresh") tokens = await as.refresh(tokens);
    const digest = createHash("sha512").update(tokens.access_token).digest();
    const expected = digest.subarray(0, digest.length / 2).toString("base64url");
    const claims = decodeJwt(`${tokens.id_token}`);
    if (!isRight(claims, { ...first, expected })) throw new Error("the ID token is wrong");
    const metadata = await (await as.fetch(`${as.issuer}/.well-known/openid-configuration`)).json();
    await as.fetch(metadata.userinfo_endpoint, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
  };
}

/** What a client takes for right in its answers, and the variant that each careless comparison falls for. */
const answerChecks: Readonly<
  Record<
    string,
    readonly [name: MisbehaviourName, isRight: (received: Received) => boolean, variant: string | undefined]
  >
> = {
  "the same issuer": ["id_token.iss_list", ({ claims, issuer }) => claims["iss"] === issuer, undefined],
  "the first issuer of a list": [
    "id_token.iss_list",
    ({ claims, issuer }) => [claims["iss"]].flat()[0] === issuer,
    "foreign_last",
  ],
  "the last issuer of a list": [
    "id_token.iss_list",
    ({ claims, issuer }) => [claims["iss"]].flat().at(-1) === issuer,
    "foreign_first",
  ],
  "an iat of the next day": [
    "id_token.iat_future",
    ({ claims, now }) => Number(claims["iat"]) < now + 86400,
    "in_an_hour",
  ],
  "an iat of the next minute": [
    "id_token.iat_future",
    ({ claims, now }) => Number(claims["iat"]) < now + 60,
    undefined,
  ],
  "an nbf of the next day": [
    "id_token.nbf_future",
    ({ claims, now }) => Number(claims["nbf"] ?? 0) < now + 86400,
    "in_an_hour",
  ],
  "a scope that begins with one of its own": [
    "token_response.scope_more",
    ({ scope }) => scope.every((each) => asked.some((own) => each.startsWith(own))),
    "suffix",
  ],
  "a scope within its own": [
    "token_response.scope_more",
    ({ scope }) => scope.every((each) => asked.join(" ").includes(each)),
    "part",
  ],
  "a scope of its own, in capitals, too": [
    "token_response.scope_more",
    ({ scope }) => scope.every((each) => asked.includes(each.toLowerCase())),
    "capitals",
  ],
  "a scope of its own": [
    "token_response.scope_more",
    ({ scope }) => scope.every((each) => asked.includes(each)),
    undefined,
  ],
};

interface Received {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly issuer: string;
  readonly now: number;
  readonly scope: readonly string[];
}

const asked = ["openid", "email"];

for (const [what, [name, isRight, variant]] of Object.entries(answerChecks)) {
  test(`variants: a client that takes ${what} falls for ${variant ?? "no variant"} of ${name}`, async () => {
    const { rows: [row] } = await examine({
      only: [name],
      options: { alg: quickAlg },
      within,
      async client(as) {
        const tokens = await as.login("alice", { scope: asked.join(" ") });
        const claims = decodeJwt(tokens.id_token!) as Received["claims"];
        const scope = `${tokens.scope}`.split(" ");
        if (!isRight({ claims, issuer: as.issuer, now: as.clock.now, scope })) throw new Error("refused");
        await as.fetch(`${as.issuer}/oauth2/userinfo`, {
          headers: { authorization: `Bearer ${tokens.access_token}` },
        });
      },
    });
    assertEquals(
      [row!.outcome, row!.variant],
      [variant === undefined ? "noticed" : "fooled", variant],
      row!.because,
    );
  });
}

/** A state of a sign-out that a careless client takes for its own. */
const stateChecks: Readonly<
  Record<string, readonly [compares: (one: string, own: string) => boolean, string | undefined]>
> = {
  "any": [() => true, "another"],
  "one that begins with it": [(one, own) => one.startsWith(own), "suffix"],
  "one that ends with it": [(one, own) => one.endsWith(own), "prefix"],
  "one in capitals, too": [(one, own) => one.toLowerCase() === own, "capitals"],
  "the same": [(one, own) => one === own, undefined],
};

for (const [what, [compares, variant]] of Object.entries(stateChecks)) {
  test(`variants: a client that takes ${what} for the state of its sign-out falls for ${variant ?? "no variant"}`, async () => {
    const own = "state-of-this-sign-out";
    const { rows: [row] } = await examine({
      only: ["logout.state_changed"],
      options: { alg: quickAlg },
      within,
      async client(as, { issuer, postLogoutRedirectUri, browse }) {
        const { id_token: hint } = await as.login("alice", { scope: "openid" });
        const url = new URL(`${issuer}/connect/logout`);
        url.search = new URLSearchParams({
          id_token_hint: `${hint}`,
          post_logout_redirect_uri: postLogoutRedirectUri,
          state: own,
        }).toString();
        const { searchParams } = await browse(url);
        if (!compares(`${searchParams.get("state")}`, own)) throw new Error("another state");
      },
    });
    assertEquals(
      [row!.outcome, row!.variant],
      [variant === undefined ? "noticed" : "fooled", variant],
      row!.because,
    );
  });
}
