/** docs/reference/misbehaviours.md. */
import { type DescribedMisbehaviour, describeMisbehaviour } from "../../src/kit/faults/choose.ts";
import { levels } from "../../src/kit/faults/misbehaviour.ts";
import { type Area, areaOf, areas, misbehaviourNames } from "../../src/kit/faults/names.ts";
import { type Neighbour, neighbours } from "../../src/kit/faults/names.ts";
import { writeNeighbour } from "../../src/kit/faults/neighbours.ts";
import { code, listed, markNames, type Page, table } from "./markdown.ts";
import { writeAdvisories } from "./real_flaws.ts";

export function writeMisbehaviours(): Page {
  const entries = misbehaviourNames.map(describeMisbehaviour);
  const counts = levels.map((level) =>
    `${entries.filter((entry) => entry.level === level).length} ${code(level)}`
  );
  return {
    title: "Misbehaviours",
    summary: `${entries.length} ways in which the server can be wrong, by area and name: ${listed(counts)}.`,
    index: (name, area) => code(`${area}.${name}`),
    parts: [
      'In a test, `as.misbehave("authorization_response.iss_wrong")` switches one on. `examine` runs a client once for ' +
      "each of them: [Examine a client](../examine_a_client.md). `deno task misbehaviours NAME` explains one, and " +
      "`deno task misbehaviours --json` prints all of them as data.",
      "The level says why a client should notice the mistake. `must` and `should`: a rule demands it. `tolerate`: the " +
      "server is unusual, and a rule says that the client goes on. `robustness`: a correct client goes on, but no rule " +
      "demands it. `hardening`: no rule demands it, but it is safer. The brackets say what the client needs for this fault to happen. The areas `proof` and `certificate` are for APIs: `examineApi` tries them, " +
      "and `examine` does not. In the area `login`, the server is right: `examine` judges what the client sends.",
      "Some misbehaviours have variants, and a card tries all of them in one row. A test chooses one: " +
      '`as.misbehave("id_token.hs256_with_public_key", { variant: "jwk" })`.',
      "The variants in this table are wrong values that share text with the right one. A careless comparison takes one " +
      "of them for it. The rule of each row says why the value is wrong. `another` resembles nothing, `constructor` is a member that each object of JavaScript inherits, " +
      "`comma` is one scope of several names, a URL with `host_inside` has a host that begins with the right one, and `without_tls` is the right URL with http. A JWT without a signature has " +
      "the alg `none`, `None` (`capitalized`), `NoNe` (`mixed_case`), `none` after a space (`white_space`), `foo` (`unknown`) or an empty text (`empty`).",
      table(
        ["variant", ...examples.map((right) => `for ${code(right)}`), "passes a comparison that"],
        neighbours.map((name) => [
          `<code>${name}</code>`,
          ...examples.map((right) =>
            `<code>${
              writeNeighbour(name, right, "").replace("\u00ad", "\\u00ad").replace("\n", "\\n")
            }</code>`
          ),
          careless[name],
        ]),
      ),
      ...areas.flatMap((area) => {
        const inArea = entries.filter(({ name }) => areaOf(name) === area);
        if (inArea.length === 0) return [];
        const isAboutApis = inArea.some(({ api }) => api !== undefined);
        return [
          `## ${area}`,
          ...(aboutAreas[area] ?? []),
          isAboutApis ? describeForApis(area, inArea) : table(
            ["name", "level", "the server", "a correct client", "rule"],
            inArea.map(({ name, level, server, client, rule, needs, variants }) => [
              code(name.slice(area.length + 1)),
              level,
              markNames(server) + describeVariants(variants) +
              (needs === undefined ? "" : ` (${markNames(needs)})`),
              markNames(client),
              rule,
            ]),
          ),
        ];
      }),
      "## Advisories",
      "These are the published flaws that the misbehaviours catch. [Flaws of real libraries](../real_flaws.md) says what each " +
      "of them is.",
      writeAdvisories(),
    ],
  };
}

const examples = ["https://api.test/orders", "my.app"];

/** The comparisons that each neighbour passes. */
const careless: Readonly<Record<Neighbour, string>> = {
  suffix: "looks at the beginning, at the host or at the origin only, or looks for the text anywhere",
  prefix: "looks at the end only, or looks for the text anywhere",
  part: "looks for the received text in the right one",
  end: "wants the right value to end with it",
  capitals: "ignores capital letters",
  white_space: "removes white space",
  line_break: "removes white space, or is a regular expression whose end matches at a line, too",
  encoded: "decodes the value",
  similar_host: "takes the right value for a regular expression",
  other_scheme: "ignores the scheme",
  other_port: "ignores the port",
  subdomain: "takes each host of the domain",
  after_colon: "cuts at a colon",
  after_dot: "cuts at a dot",
  after_slash: "cuts at a slash",
  after_question_mark: "cuts off a query",
  after_hash: "cuts off a fragment",
  invisible_character: "compares by an order of words, as a dictionary does",
  before_slash: "takes the end after a slash",
};

/** The texts before the tables of some areas. */
const aboutAreas: { readonly [A in Area]?: readonly string[] } = {
  login: [
    "A client creates these values for each login. `examine` compares the logins of two runs at a right server, so a " +
    "server cannot have these faults. Only logins that redeemed a code count, and what the client repeats inside of one " +
    "login is right: a pushed request, a retry, a reload.",
  ],
  access_token: [
    'A test of an API uses the same names: `await as.forge("access_token.expired", { scope: "orders" })` resolves to ' +
    "`{ name, token, verdict }`. The verdict has the status and the error that the API must answer. Over HTTP, " +
    '`POST /_postern/forge` takes `{ "name": "access_token.expired" }`. `as.forgeries` and `GET /_postern/forgeries` leave ' +
    "out the rows that only some APIs can refuse, such as `acr_weak`: ask for one by its name. " +
    "[Test an API](../test_an_api.md) has a complete test.",
    "The API itself finds every fault except `access_token.revoked`. For that, it must ask the server by introspection. " +
    "If access tokens are opaque, only the faults with a star are possible.",
  ],
  proof: [
    "These faults are in requests to an API, so a server cannot have them. `examineApi` and " +
    "`deno task examine-api --dpop` send them: [Test an API](../test_an_api.md#a-card-of-the-api).",
  ],
  certificate: [
    "These faults are in requests to an API, so a server cannot have them. `examineApi` with `certificate` sends them: " +
    "[Test an API](../test_an_api.md#a-card-of-the-api).",
  ],
};

function describeVariants(variants: readonly string[] | undefined): string {
  return variants === undefined ? "" : ` Variants: ${listed(variants.map(code))}.`;
}

function describeForApis(area: Area, entries: readonly DescribedMisbehaviour[]): string {
  return table(
    ["name", "level", "the fault", "the API answers", "rule"],
    entries.map(({ name, level, server, rule, api, variants }) => [
      code(name.slice(area.length + 1)) + (api?.opaque ? " \\*" : ""),
      level,
      markNames(server) + describeVariants(variants),
      api?.error === undefined ? "accepts it" : `${api.status} ${code(api.error)}`,
      rule,
    ]),
  );
}
