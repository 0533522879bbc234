/** A whole card of `openid-client` that checks signatures, in the process of the test: it is the kept one, and it needs no more runs than it should. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gradeOf } from "../../../src/kit/examine/card/grade.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { chooseForClients } from "../../../src/kit/faults/choose.ts";
import { areaOf, listVariants, type MisbehaviourName } from "../../../src/kit/faults/names.ts";
import { neverReached } from "../../../src/kit/faults/outcome.ts";
import { findUndeclared } from "../../../src/kit/faults/needs.ts";
import { examined } from "../examined/all.ts";
import { examinedApis, ofProfile } from "../examined/apis.ts";
import { apisBeyond } from "../examined/apis_beyond.ts";
import { clientsBeyond } from "../examined/clients_beyond.ts";
import { withoutSecret } from "../examined/examined.ts";
import {
  chooseForApi,
  chooseForClient,
  examineApiLibrary,
  examineLibrary,
  type LibraryCard,
} from "../examined/examine_library.ts";
import { expressOpenidConnect } from "../examined/express_openid_connect.ts";
import { openidClientWithSignatures } from "../examined/openid_client.ts";
import { examine } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

// In seconds. No library here waits so long, not even on a machine that is busy.
const within = 120;

test("examined: openid-client has its kept card, with few more runs than phases and misbehaviours", async () => {
  const kept = JSON.parse(readFileSync("docs/cards/openid_client_signatures.json", "utf8")) as LibraryCard;
  const runs: (string | undefined)[] = [];
  const card = await examineLibrary(
    {
      ...openidClientWithSignatures,
      // Without a registered algorithm, the library accepts this one, which costs less time than RS256.
      options: { ...withoutSecret, alg: "EdDSA" },
      client(as, scenario) {
        runs.push(scenario.name);
        return openidClientWithSignatures.client(as, scenario);
      },
    },
    kept.library,
    within,
  );
  const { phases, rows } = card;
  const hasRun = (name: MisbehaviourName) => {
    const { shows, needs = [] } = catalogue.get(name)!;
    // The usual runs decide the others.
    return shows === undefined && findUndeclared(needs, []) === undefined;
  };
  const names = rows.map(({ name }) => name).filter((name) => phases.includes(phaseOf(name)) && hasRun(name));
  const phasesTried = new Set(["login", ...rows.map(({ name }) => phaseOf(name))]).size;
  const outcomes = new Map(rows.map(({ name, outcome }) => [name, outcome]));
  const isApplicable = (name: MisbehaviourName) => outcomes.get(name) !== "not_applicable";
  const ran = names.filter((name) => runs.includes(name));
  assertEquals(names.filter((name) => isApplicable(name) && !runs.includes(name)), []);
  // The rows of an area with the same needs share the run that shows that they do not apply.
  const shared = ran.filter((name) => !isApplicable(name)).flatMap((name) => {
    const { needs, phase } = catalogue.get(name)!;
    return needs === undefined ? [] : [[areaOf(name), phase, ...needs].join(" ")];
  });
  assertEquals(shared, [...new Set(shared)]);
  // A row that is not reached, or whose first variant says enough, does not try them all.
  const endsEarly = new Set(
    rows.filter(({ outcome }) => !["noticed", "tolerated", "unharmed"].includes(outcome)).map(({ name }) =>
      name
    ),
  );
  const variants = ran.filter((name) => !endsEarly.has(name)).flatMap((name) => listVariants(name).slice(1));
  const fewest = ran.length + variants.length + phasesTried;
  assert(runs.length >= fewest && runs.length <= 1.2 * fewest, `${runs.length} runs, ${fewest} at least`);
  assertEquals(rows.filter(({ outcome }) => outcome === "hung"), []);
  // `deno task cards` makes the kept cards again.
  assertEquals(rows.map(({ name }) => name), kept.rows.map(({ name }) => name));
  const changed = rows.filter(({ outcome }, at) => outcome !== kept.rows[at]!.outcome)
    // Which algorithm is another one depends on the one of the server.
    .filter(({ name }) => name !== "id_token.alg_unregistered")
    // The fetch of Deno does not decode two codings.
    .filter(({ name }) => name !== "transport.compressed_chain")
    .map(({ name, outcome, because }) => ({ name, outcome, because }));
  assertEquals(changed, []);
});

test("examined: jose as an API has its kept card", async () => {
  const kept = JSON.parse(readFileSync("docs/api_cards/jose.json", "utf8")) as LibraryCard;
  assertEquals(await examineApiLibrary(examinedApis["jose"]!, kept.library), kept);
});

for (const [name, { package: library, use, notes, leaves, language }] of Object.entries(clientsBeyond)) {
  test(`examined: the card ${name} is of the use that the list says, with versions, a date and no row that is left out`, () => {
    const chosen = chooseForClient(leaves);
    checkBeyond(`docs/cards/${name}.json`, language, { package: library, use, notes, leaves }, chosen);
    assert(existsSync(`tests/kit/examined/beyond/${name}`));
  });
}

for (const [name, { package: library, use, notes, omits, language, program }] of Object.entries(apisBeyond)) {
  test(`examined: the API card ${name} is of the use that the list says, with versions, a date and no row that is left out`, () => {
    const chosen = chooseForApi(omits);
    checkBeyond(`docs/api_cards/${name}.json`, language, { package: library, use, notes }, chosen);
    assert(existsSync(`tests/kit/examined/beyond_apis/${program}`));
  });
}

/** A card may lack rows, because the machine on which they were added may lack its language. */
function checkBeyond(
  file: string,
  language: string,
  expected: Pick<LibraryCard["library"], "package" | "use" | "notes" | "leaves">,
  chosen: readonly MisbehaviourName[],
): void {
  const { library, rows } = JSON.parse(readFileSync(file, "utf8")) as LibraryCard;
  const { version, dependencies, date, language: used, ...others } = library;
  assertEquals<unknown>(others, expected);
  assertMatch(`${version} ${date}`, /^\d+(\.\d+)+ \d{4}-\d\d-\d\d$/);
  assertMatch(`${used}, ${dependencies}`, new RegExp(`^${language} [\\d.]+(, \\S+ [\\d.]+)+$`));
  assertEquals(rows.filter(({ name }) => !chosen.includes(name)), []);
}

test("examined: each card of a client is made by deno task cards", () => {
  const files = readdirSync("docs/cards").map((file) => file.replace(/\.json$/, ""));
  assertEquals(files.sort(), [...Object.keys(examined), ...Object.keys(clientsBeyond)].sort());
});

test("examined: each card of an API is made by deno task cards", () => {
  const files = readdirSync("docs/api_cards").map((file) => file.replace(/\.json$/, ""));
  assertEquals(files.sort(), [...Object.keys(examinedApis), ...Object.keys(apisBeyond)].sort());
});

for (const file of readdirSync("docs/api_cards")) {
  test(`examined: ${file} has all rows that only RFC 9068 asks for, or none`, () => {
    const { rows } = JSON.parse(readFileSync(`docs/api_cards/${file}`, "utf8")) as LibraryCard;
    const found = rows.filter(({ name }) => ofProfile.includes(name)).length;
    assert(found === 0 || found === ofProfile.length, `${found} of ${ofProfile.length}`);
  });
}

test("examined: the application of express-openid-connect stops if the library gives it no access token", async () => {
  const { options = {}, client } = expressOpenidConnect;
  const { rows: [row] } = await examine({
    ...{ client, options, listen: true, only: ["token_response.expires_in_missing"], within },
  });
  assertEquals(row!.outcome, "broke", row!.because);
});

test("examined: express-openid-connect signs nobody in with an ID token that is not UTF-8", async () => {
  const { options = {}, client } = expressOpenidConnect;
  const { rows: [row] } = await examine({
    ...{ client, options, listen: true, only: ["id_token.sub_not_utf8"], within },
  });
  assertEquals(
    [row!.outcome, row!.because],
    ["noticed", "The client refused: Driver: no person is signed in"],
  );
});

const phaseOf = (name: MisbehaviourName) => catalogue.get(name)!.phase;

for (const file of readdirSync("docs/cards")) {
  test(`examined: ${file} has requests only where they prove a failure or an advice`, () => {
    const { rows } = JSON.parse(readFileSync(`docs/cards/${file}`, "utf8")) as LibraryCard;
    for (const { name, outcome, because, requests, ...others } of rows) {
      const grade = gradeOf({ outcome, level: catalogue.get(name)!.level });
      assertEquals(requests !== undefined, grade === "failed" || grade === "advice", name);
      if (because === undefined) assertEquals(outcome, "not_reached", name);
      else assert(!because.startsWith(neverReached), name);
      const { variant, ...more } = others;
      assert(variant === undefined || listVariants(name).includes(variant), name);
      assertEquals(more, {}, name);
    }
  });
}

const ofOthers: readonly string[] = ["access_token", "introspection", "mtls", "device"];
const page = readFileSync("docs/examined_clients.md", "utf8");

for (const file of readdirSync("docs/cards")) {
  test(`examined: each row that ${file} leaves out has a reason, and the matrix counts it`, () => {
    const { library, rows } = JSON.parse(readFileSync(`docs/cards/${file}`, "utf8")) as LibraryCard;
    const parts: readonly string[] = Object.values(library.leaves ?? {}).flat();
    const left = chooseForClients({}, "").filter((name) =>
      !ofOthers.includes(areaOf(name)) && !rows.some((row) => row.name === name)
    );
    assertEquals(left.filter((name) => ![name, areaOf(name)].some((part) => parts.includes(part))), []);
    const name = file.replace(/\.json$/, "");
    const line = page.split("\n").find((each) => each.startsWith("| [") && each.includes(`(#${name}-`))!;
    const counted = [...line.matchAll(/\[○&nbsp;(\d+)\]\(#[\w-]+-left "([^"]+)"\)/g)];
    const shown = counted.map(([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
    assertEquals(shown, left.length);
    for (const [, , reasons = ""] of counted) assert(reasons.endsWith("."), reasons);
  });
}
