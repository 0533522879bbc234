/** A card as SARIF 2.1.0, against the schema of OASIS. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { Ajv2020 } from "ajv/2020";
import addFormats from "ajv-formats";
import { readFile } from "node:fs/promises";
import { type Card, type CardRow, examine, formatCard, type FormatCardTerms } from "../../../src/kit/mod.ts";
import { describeMisbehaviour } from "../../../src/kit/faults/choose.ts";
import { createClient } from "../faults/clients/client.ts";
import { naive } from "../faults/clients/habits.ts";
import { readKept } from "../../kept_lines.ts";
import { test } from "../../runner.ts";

const schemaFile = "tests/kit/examine/sarif/sarif-2.1.0.json";

interface Location {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string };
    readonly region: { readonly startLine: number };
  };
}

interface Sarif {
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly version?: string;
        readonly semanticVersion?: string;
        readonly rules: readonly { id: string; helpUri?: string; help: { text: string } }[];
      };
    };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly Location[];
      readonly relatedLocations?: readonly Location[];
    }[];
  }[];
}

/** Checks the file against the schema, and returns its run. */
async function sarifOf(card: Card, terms?: FormatCardTerms): Promise<Sarif["runs"][0]> {
  return await requireSarif(await formatCard(card, "sarif", terms));
}

async function requireSarif(text: string): Promise<Sarif["runs"][0]> {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const isValid = ajv.validate(JSON.parse(await readFile(schemaFile, "utf8")), JSON.parse(text));
  assert(isValid, ajv.errorsText());
  return (JSON.parse(text) as Sarif).runs[0]!;
}

const placeOf = ({ physicalLocation: { artifactLocation, region } }: Location) =>
  `${artifactLocation.uri}:${region.startLine}`;

const rowOf = (name: CardRow["name"], more: Partial<CardRow>): CardRow => ({
  ...describeMisbehaviour(name),
  ...{ outcome: "fooled", because: "The client succeeded with the wrong answer.", requests: [] },
  ...more,
});

test("sarif: the tool has the version of this project, also for programs that compare versions", async () => {
  const { version } = JSON.parse(await readFile("deno.json", "utf8"));
  const { tool: { driver } } = await sarifOf({ phases: ["login"], rows: [] });
  assertEquals([driver.version, driver.semanticVersion], [version, version]);
});

test("sarif: a result is at the line that called examine, and its rule has a link to the section", async () => {
  const only = ["id_token.nonce_unasked", "authorization_response.iss_wrong"] as const;
  const card = await examine({ client: createClient(naive), only });
  const { results, tool: { driver: { rules } } } = await sarifOf(card);
  const result = results.find(({ ruleId }) => ruleId === "authorization_response.iss_wrong")!;
  assertEquals(result.level, "error");
  assertMatch(
    result.message.text,
    /^Goes on when the parameter iss [^.]*\. fooled: [^]*POST \/oauth2\/token/,
  );
  assertEquals(rules[result.ruleIndex]?.id, result.ruleId);
  assertMatch(
    rules[result.ruleIndex]!.help.text,
    /^The parameter iss .*\nRule: RFC 9207 §2\.4.*\nTry it: npx postern start .*iss_wrong$/,
  );
  assertEquals(rules[result.ruleIndex]?.helpUri, "https://www.rfc-editor.org/rfc/rfc9207#section-2.4");
  const [uri, line] = placeOf(result.locations[0]!).split(/:(?=\d+$)/);
  assertEquals(uri, import.meta.url);
  const source = await readFile(new URL(import.meta.url), "utf8");
  assertMatch(source.split("\n")[Number(line) - 1]!, /await examine\(/);
});

test("sarif: the files of forms.txt are valid, with exceptions, an earlier card and a problem", async () => {
  const files = readKept("tests/kit/examine/forms.txt").filter(([title]) => title!.endsWith(" sarif"));
  assertEquals(files.length, 5);
  for (const [, ...lines] of files) await requireSarif(lines.join("\n").replace("…", "2.1.0"));
});

test("sarif: the line is that of the innermost frame in the driver, and other frames are related locations", async () => {
  const cases: Readonly<Record<string, readonly [driver: string, output: string, expected: string]>> = {
    Node: [
      "test/login.mjs",
      "TypeError: no\n    at check (file:///shop/node_modules/a%20library/index.js:31:9)\n" +
      "    at logIn (file:///shop/test/login.mjs:12:3)\n    at file:///shop/test/login.mjs:40:1\n" +
      "    at node:internal/main/run_main_module:36:49\nsee https://as.test:443/a.ts",
      "test/login.mjs:12 file:///shop/node_modules/a%20library/index.js:31",
    ],
    "Node, in a pipe": [
      "test/login.mjs",
      "TypeError: no\n    at check (node_modules/a/index.js:31:9)\n    at use (src/use.mjs:3:9)\n    at test/login.mjs:12:3",
      "test/login.mjs:12 src/use.mjs:3",
    ],
    Python: [
      "test_login.py",
      'File "/shop/test_login.py", line 20, in test\nFile "/usr/lib/python3/dist-packages/authlib/jose.py", line 7, in decode',
      "test_login.py:20 file:///usr/lib/python3/dist-packages/authlib/jose.py:7",
    ],
    Go: ["login_test.go", "    login_test.go:40: oauth2: no\n", "login_test.go:40"],
    Java: [
      "test/Login.java",
      "at org.a.Client.read(Client.java:8)\nat shop.Login.run(Login.java:9)",
      "test/Login.java:9 Client.java:8",
    ],
    nothing: ["login.rb", "no frame", "login.rb:1"],
  };
  for (const [name, [file, output, expected]] of Object.entries(cases)) {
    const row = rowOf("keys.empty", { outcome: "crashed", because: `The client refused: ${output}` });
    const { results: [result] } = await sarifOf({ phases: ["login"], rows: [row] }, { driver: { file } });
    const { locations, relatedLocations = [] } = result!;
    assertEquals([...locations, ...relatedLocations].map(placeOf).join(" "), expected, name);
  }
});
