/** docs/reference/misbehaviours.md. */
import { describeMisbehaviour } from "../../src/misbehaviours/choose.ts";
import { levels } from "../../src/misbehaviours/misbehaviour.ts";
import { areaOf, areas, misbehaviourNames } from "../../src/misbehaviours/names.ts";
import { code, listed, markNames, type Page, table } from "./markdown.ts";

export function writeMisbehaviours(): Page {
  const entries = misbehaviourNames.map(describeMisbehaviour);
  const counts = levels.map((level) =>
    `${entries.filter((entry) => entry.level === level).length} ${code(level)}`
  );
  return {
    title: "Misbehaviours",
    summary: `${entries.length} ways in which the server can be wrong, by area and name: ${listed(counts)}.`,
    parts: [
      'In a test, `as.misbehave("authorization_response.iss_wrong")` switches one on. `examine` runs a client once for ' +
      "each of them: [Examine a client](../examine_a_client.md). `postern misbehaviours NAME` explains one, and " +
      "`postern misbehaviours --json` prints all of them as data.",
      "The level is what the standard obliges the client to. `must` and `should`: the rule names the client's duty. " +
      "`hardening`: the rule is advice, or leaves the client a choice. `tolerate`: the server is unusual, but the client " +
      "has to go on. Not every client meets every misbehaviour: what it must use stands in brackets.",
      ...areas.flatMap((area) => {
        const inArea = entries.filter(({ name }) => areaOf(name) === area);
        if (inArea.length === 0) return [];
        return [
          `## ${area}`,
          table(
            ["name", "level", "the server", "a correct client", "rule"],
            inArea.map(({ name, level, server, client, rule, needs }) => [
              code(name.slice(area.length + 1)),
              level,
              markNames(server) + (needs === undefined ? "" : ` (${markNames(needs)})`),
              markNames(client),
              rule,
            ]),
          ),
        ];
      }),
    ],
  };
}
