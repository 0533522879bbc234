/** docs/reference/look_alike_survey.md. */
import { lookAlikeNames } from "../../src/kit/faults/look_alikes/providers.ts";
import { code, listed, markNames, type Page, table } from "./markdown.ts";
import { type Call, type Survey, surveys } from "../../tests/kit/survey/survey.ts";
import { tried } from "../../tests/kit/survey/tried.ts";

export function writeLookAlikeSurvey(): Page {
  return {
    title: "What libraries call at providers",
    summary: `Which addresses ${countLibraries()} libraries call at ${
      listed(lookAlikeNames.map((name) => code(name)), "and")
    }, and which of them the look-alikes answer.`,
    parts: [
      "The list of what a [look-alike](look_alikes.md) answers comes from what libraries call. Each row is read from the " +
      "source of the library in that version. A test of Postern calls each address that is covered in the way of the " +
      "library, and reads the members that the library reads.",
      "## Tried by hand",
      "These logged in unchanged, by the proxy or in a process, beside those in the tests. They asked who the person is, and " +
      "refreshed and revoked where they can:",
      table(
        ["libraries", "look-alikes"],
        tried.map(([libraries, names]) => [libraries, names.map((name) => code(name)).join(", ")]),
      ),
      ...lookAlikeNames.flatMap((name) => [`## ${name}`, ...describe(surveys[name])]),
    ],
  };
}

function countLibraries(): number {
  const names = Object.values(surveys).flatMap(({ libraries }) => libraries.map(([name]) => name));
  return new Set(names.filter((name) => !name.includes("'s ")).map((name) => name.replace(/ [\d.]+$/, "")))
    .size;
}

function describe({ calls, libraries }: Survey): readonly string[] {
  return [
    table(
      ["call", "address", "how", "the look-alike"],
      Object.entries(calls).map(([title, call]) => [
        title,
        code(call.at),
        describeHow(call),
        call.leftOut === undefined ? describeReads(call) : `Left out. ${markNames(call.leftOut)}`,
      ]),
    ),
    table(
      ["library", "where", "calls"],
      libraries.map(([name, source, ...titles]) => [name, source, titles.join("; ")]),
    ),
  ];
}

function describeReads({ reads }: Call): string {
  return reads === undefined || reads === "0"
    ? "Answers."
    : `Answers with ${reads.split(" ").map(code).join(", ")}.`;
}

const secrets = {
  basic: "the secret by Basic",
  "Basic:": "the secret by Basic, with a colon after the scheme",
  both: "the secret by Basic and among them",
  parameters: "the secret among them",
  signed: "a signed JWT as secret",
};

function describeHow({ at, sends, secret, token, scope, headers, leftOut }: Call): string {
  const body = at.startsWith("GET") || token !== undefined && sends === undefined ? [] : [
    {
      json: "JSON",
      query: "parameters in the query",
      untyped: "a form without its type",
      form: "a form",
    }[sends ?? "form"],
  ];
  const parts = [
    ...(leftOut === undefined ? body : []),
    ...(secret === undefined ? [] : [secrets[secret]]),
    ...(token === undefined ? [] : [describeToken(token)]),
    ...(scope === undefined || scope === "" ? [] : [`the scope ${code(scope)}`]),
    ...(headers?.["accept"] === undefined ? [] : [code("Accept: application/json")]),
  ];
  return parts.join(", ");
}

function describeToken(token: NonNullable<Call["token"]>): string {
  if (token === "Bearer" || token === "token") return `the scheme ${code(token)}`;
  return `the token as ${code(token.replace("parameter ", ""))}`;
}
