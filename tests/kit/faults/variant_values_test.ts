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
