/** Each misbehaviour tells clients apart: one that checks from one that does not, or one that goes on from one that stops. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { isTolerance } from "../../../src/kit/faults/misbehaviour.ts";
import { linkRules } from "../../../src/server/pages/rule_link.tsx";
import { areaOf, faults, serverMisbehaviours } from "../../../src/kit/faults/names.ts";
import {
  type Card,
  examine,
  HarnessError,
  type MisbehaviourName,
  misbehaviourNames,
  type MockOptions,
  type Outcome,
} from "../../../src/kit/mod.ts";
import type { LibraryCard } from "../examined/examine_library.ts";
import { test } from "../../runner.ts";
import { detailTypes } from "./clients/authorization_details.ts";
import { createClient } from "./clients/client.ts";
import {
  brittle,
  confidentialClient,
  type Habits,
  naive,
  quick,
  quickAlg,
  Refusal,
  strict,
} from "./clients/habits.ts";

// In seconds. No client here waits so long, not even on a machine that is busy.
const within = 60;

const alg = quickAlg;

/** PKCE or a nonce protects a client from these, too (RFC 9700 §2.1). */
const guarded: readonly MisbehaviourName[] = [
  "authorization_response.repeated",
  "authorization_response.state_changed",
  "authorization_response.state_missing",
  "authorization_response.state_of_another_browser",
  "authorization_response.state_of_another_login",
  "authorization_response.state_similar",
];

const goesOn = (name: MisbehaviourName) => isTolerance(catalogue.get(name)!.level);

/** The outcomes of a client that checks, except where they depend on the algorithm: examined_test.ts makes its card again. */
const { rows } = JSON.parse(readFileSync("docs/cards/openid_client_signatures.json", "utf8")) as LibraryCard;
const kept = new Map(rows.map(({ name, outcome }) => [name, outcome]));

const isKept = (name: MisbehaviourName, outcome: Outcome) =>
  name !== "id_token.alg_unregistered" && kept.get(name) === outcome;

/** Whether a client that checks is shown elsewhere: examine_api_test.ts has an API that checks these tokens. */
const isRightElsewhere = (name: MisbehaviourName) =>
  catalogue.get(name)!.api !== undefined || isKept(name, goesOn(name) ? "tolerated" : "noticed");

const examinations = {
  strict: { habits: strict, only: ["id_token.alg_unregistered"] },
  quick: {
    habits: quick,
    only: serverMisbehaviours.filter((name) => !isRightElsewhere(name)),
    alg,
  },
  naive: {
    habits: naive,
    alg,
    only: serverMisbehaviours.filter((name) =>
      !goesOn(name) && !guarded.includes(name) && !isKept(name, "fooled")
    ),
  },
  unguarded: { habits: { ...naive, guards: [] }, only: guarded, alg, clients: [confidentialClient] },
  // Two kinds of keys are unusual for it.
  brittle: { habits: brittle, only: serverMisbehaviours.filter(goesOn) },
} satisfies Readonly<Record<string, Examination>>;

type Kind = keyof typeof examinations;

/** A client, which misbehaviours it meets, and more options of the server. */
interface Examination extends Pick<MockOptions, "alg" | "clients"> {
  readonly habits: Habits;
  readonly only: readonly MisbehaviourName[];
}

function chooseRight(name: MisbehaviourName): Kind {
  return name === "id_token.alg_unregistered" ? "strict" : "quick";
}

function chooseWrong(name: MisbehaviourName): Kind {
  if (goesOn(name)) return "brittle";
  return guarded.includes(name) ? "unguarded" : "naive";
}

const cards = new Map<string, Promise<Card>>();

/** Examines the client of this kind once for all tests of an area, and returns the row of its card. */
async function findRow(name: MisbehaviourName, kind: Kind) {
  const { habits, only, ...options }: Examination = examinations[kind];
  const key = `${kind} ${areaOf(name)}`;
  const card = cards.get(key) ?? examine({
    client: createClient(habits),
    only: only.filter((each) => areaOf(each) === areaOf(name)),
    within,
    does: ["mcp", "pages", "two_browsers", "two_refreshes", "several_tokens"],
    options: { authorizationDetails: detailTypes, mtls: {}, ...options },
  });
  cards.set(key, card);
  return (await card).rows.find((row) => row.name === name)!;
}

async function requireOutcome(name: MisbehaviourName, kind: Kind, expected: Outcome): Promise<void> {
  if (isKept(name, expected)) return;
  const { outcome, because, requests } = await findRow(name, kind);
  assertEquals(outcome, expected, because);
  // A reader needs the requests to follow the verdict.
  assert(requests.length > 0, because);
  assertEquals(new Set(requests.map(({ id }) => id)).size, requests.length);
}

/** The clients here have no key for encryption. encrypted_compressed_test.ts has some. */
const isEncrypted = (name: MisbehaviourName) => catalogue.get(name)!.needs?.includes("encrypted_id_token");

// Faulty proofs and certificates are in requests to an API, which examineApi sends.
for (const name of serverMisbehaviours) {
  const { needs = [], watch } = catalogue.get(name)!;
  const { sign, wordProvesNothing, successProvesNothing, mayKeepKeys } = watch;
  // visit_test.ts has applications with pages.
  if (needs.includes("pages") || isEncrypted(name)) continue;
  // Without a sign, nothing shows that a client of this kind is right.
  const isSilent = wordProvesNothing && sign === undefined;
  test(`misbehaviours: ${name} tells the clients apart`, async () => {
    if (!isRightElsewhere(name)) {
      const expected = goesOn(name) ? "tolerated" : isSilent ? "unknown" : "noticed";
      await requireOutcome(name, chooseRight(name), expected);
    }
    // The brittle client loads the keys once.
    // Nothing shows that its API needs the claim.
    if (catalogue.get(name)!.api?.claim !== undefined) {
      return await requireOutcome(name, chooseWrong(name), "not_applicable");
    }
    const provesNothing = goesOn(name) ? wordProvesNothing || mayKeepKeys : successProvesNothing;
    await requireOutcome(
      name,
      chooseWrong(name),
      provesNothing ? "unknown" : goesOn(name) ? "broke" : "fooled",
    );
  });
}

const controlled = serverMisbehaviours.filter((name) =>
  !["itself", undefined].includes(catalogue.get(name)!.control) && !isEncrypted(name)
);

test("misbehaviours: a client that also refuses the right variant has not noticed the fault", async () => {
  const { rows } = await examine({
    client: createClient(brittle),
    only: controlled,
    options: { authorizationDetails: detailTypes },
  });
  for (const { name, outcome, because } of rows) {
    const { control } = catalogue.get(name)!;
    // This client goes on there, and its requests prove what it noticed.
    if (outcome === "noticed") assertEquals(name, "resource.challenge_lookalike");
    // It refuses the metadata, which are no fault yet.
    else if (outcome === "not_reached") assertEquals(name, "authorization_response.mix_up");
    else {assertMatch(
        `${outcome}: ${because}`,
        new RegExp(`^unknown: The client did not go on with ${control} either: `),
      );}
  }
});

for (const guards of [["pkce"], ["nonce"]] as const) {
  test(`misbehaviours: a login that ${guards} protects needs no state (RFC 9700 §2.1)`, async () => {
    const { rows } = await examine({
      client: createClient({ ...naive, guards, repeats: [] }),
      // There, PKCE and a nonce lead to a refusal (two_browsers_test.ts), as a code that comes again does.
      only: guarded.filter((name) => !/another_browser|repeated/.test(name)),
      options: { alg, clients: [confidentialClient] },
    });
    for (const { name, outcome, because } of rows) {
      // It shows no check, and it does nothing wrong.
      assert(!["fooled", "noticed", "not_reached"].includes(outcome), `${name}: ${outcome}. ${because}`);
    }
  });
}

/** In these areas, the client works in another way than in the run without a fault. */
const ownWays = [
  "resource.challenge_missing",
  "dpop.nonce_rotates",
  "dpop.bearer_challenge",
  "registration.refused",
  "client_document.refused",
  "pushed_request.refused",
  "device.poll_html",
] as const;

for (const name of ownWays) {
  const { phase } = catalogue.get(name)!;
  test(`misbehaviours: the brittle client of ${name} succeeds while the server is right`, async () => {
    // It has the checks of the strict one, too.
    const client = createClient(brittle);
    const { phases } = await examine({
      client: (as, scenario) =>
        client(
          as,
          scenario.phase === phase && scenario.name === undefined ? { ...scenario, name } : scenario,
        ),
      only: [name],
    });
    assert(phases.includes(phase));
  });
}

test("misbehaviours: a client that gives up at insufficient_scope asked for neither scope (RFC 6750 §3.1)", async () => {
  const client = createClient(strict);
  const { rows: [row] } = await examine({
    only: ["resource.scope_only_missing"],
    client: (as, scenario) =>
      client({
        ...as,
        fetch: async (...request) => {
          const response = await as.fetch(...request);
          if (response.status === 403) throw new Refusal("the API answers 403");
          return response;
        },
      }, scenario),
  });
  assertEquals(
    [row?.outcome, row?.because],
    [
      "unknown",
      "The client sent no request that shows the fault, but this does not prove that it is right. " +
      "It refused: Refusal: the API answers 403",
    ],
  );
});

for (const outcome of ["broke", "tolerated"] as const) {
  const end = outcome === "broke" ? "fails" : "goes on";
  test(`misbehaviours: a client that cuts the slash of the API and then ${end}: ${outcome} (RFC 9728 §3.1)`, async () => {
    const client = createClient(strict);
    const { rows: [row] } = await examine({
      only: ["resource.path_slash"],
      client(as, scenario) {
        let isNamed = false;
        const fetch: typeof as.fetch = async (url, init) => {
          // A right server names the address in its challenge.
          const isComputed = !isNamed && `${url}`.includes("/oauth-protected-resource");
          const response = await as.fetch(isComputed ? `${url}`.replace(/\/$/, "") : url, init);
          isNamed ||= response.headers.get("www-authenticate")?.includes("resource_metadata") === true;
          // The application fails, which is no refusal of the client.
          if (response.status === 404 && outcome === "broke") throw new HarnessError("there is no metadata");
          return response;
        };
        return client({ ...as, fetch }, scenario);
      },
    });
    assertEquals(row?.outcome, outcome, row?.because);
  });
}

test("misbehaviours: every name has its entry in the catalogue, and each entry its sentences", () => {
  for (const name of misbehaviourNames) {
    const entry = catalogue.get(name);
    assert(entry !== undefined, name);
    for (const sentence of [entry.server, entry.client]) {
      assert(/^[A-Z].*\.$/.test(sentence), `${name}: ${sentence}`);
    }
  }
  for (const names of Object.values(faults)) assertEquals<readonly string[]>(names, [...names].sort());
});

test("rule link: each rule of the catalogue names a document that has an address", () => {
  for (const [name, { rule }] of catalogue) assert(linkRules(rule)[0]?.url, `${name}: ${rule}`);
});
