/** `postern help WORD`: finds a flag, a key of the configuration, a refusal, a misbehaviour, a call or a page, and explains it. */

import pages from "../../../../static/pages.json" with { type: "json" };
import reasons from "../../../../static/refusals.json" with { type: "json" };
import { describeMisbehaviour } from "../../../kit/faults/choose.ts";
import { misbehaviourNames } from "../../../kit/faults/names.ts";
import { findByWords } from "../../../kit/faults/plain_words.ts";
import { createConfigurationSchema } from "../../../server/configuration_schema.ts";
import { defaultIssuer } from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import { nearest } from "../../../ground/schema/nearest.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import { describeCalls } from "../../control/describe_calls.ts";
import { controlPath } from "../../guard/control_paths.ts";
import type { Command } from "../terminal/command.ts";
import { CommandError } from "../terminal/command_error.ts";
import { describeEntry, describeRows, type HelpRow, spell } from "../terminal/help.ts";
import { rowsOf } from "./misbehaviours.ts";
import { startFlags } from "../start/start_flags.ts";
import { listVariables } from "../configuration/variables.ts";

interface Entry {
  readonly kind: "flag" | "key" | "refusal" | "misbehaviour" | "call" | "page";
  readonly name: string;
  /** Other words that find it. */
  readonly words?: readonly string[];
  /** The first one says what it is. */
  readonly rows: readonly HelpRow[];
  readonly example?: string;
}

/** Explains what has this name, or lists what has it or a part of it. */
export function explainWord(given: string, commands: readonly Command[]): string {
  const word = fold(given);
  const entries = [...commands.flatMap(listFlags), ...listEntries()];
  const exact = entries.filter((entry) => namesOf(entry).includes(word));
  const similar = entries.filter(({ name }) => `_${fold(name)}`.includes(`_${word}`));
  const said = listSaid(given);
  const isSaid = ({ kind, name }: Entry) => said.has(`${kind} ${name}`);
  // A word such as "expired" ends the names of some misbehaviours, and means others, too.
  const isPlain = exact.length !== 1 && exact.every(({ name }) => name !== given);
  const named = exact.length > 0 ? exact : similar;
  const found = isPlain && (exact.length === 0 || exact.some(isSaid))
    ? entries.filter((entry) => named.includes(entry) || isSaid(entry))
    : named;
  if (found.length === 0) {
    const guess = nearest(word, [...entries.flatMap(namesOf), ...commands.map(nameOf)]);
    const advice = guess === undefined ? "the first letters of a name are enough" : `did you mean ${guess}?`;
    throw new CommandError(`nothing is called ${JSON.stringify(given)}: ${advice}`);
  }
  const whole = found.length === 1 ? found : found.filter(({ name }) => name === given);
  const chosen = whole.length === 1 ? whole[0] : undefined;
  const hits = found.filter((entry) => entry !== chosen).map((
    { kind, name, rows: [about] },
  ): HelpRow => [`${kind} ${name}`, about![1].split(/(?<=\.) /)[0]!]);
  const list = describeRows(hits, 40);
  if (chosen === undefined) {
    return [`${hits.length} hits: help KIND NAME explains one.`, ...list].join("\n");
  }
  const others = hits.length === 0
    ? ""
    : ["Others of this name: help KIND NAME explains one.", ...list].join("\n");
  const { name, rows, example = "" } = chosen;
  return [describeEntry(name, rows), example, others].filter((part) => part !== "").join("\n\n");
}

/** Returns the refusals and misbehaviours whose names say the same in other words. */
function listSaid(given: string): ReadonlySet<string> {
  const refusals = findByWords(given, Object.keys(reasons)).map((name) => `refusal ${name}`);
  return new Set([
    ...refusals,
    ...findByWords(given, misbehaviourNames).map((name) => `misbehaviour ${name}`),
  ]);
}

/** `--port` and `port` are the same word, and so are `POST /clock` and `post clock`. */
function fold(text: string): string {
  return text.toLowerCase().replace(/[ ./-]+/g, "_").replace(/^_/, "");
}

function namesOf({ kind, name, words = [] }: Entry): readonly string[] {
  const names = [name, name.split(/[ .]/).at(-1)!, ...words];
  return names.flatMap((each) => [fold(each), fold(`${kind} ${each}`)]);
}

function nameOf({ usage }: Command): string {
  return usage.split(" ")[0]!;
}

function listEntries(): readonly Entry[] {
  const calls = describeCalls({ url: defaultIssuer + controlPath, needsToken: false });
  return [
    ...listKeys("", createConfigurationSchema()),
    ...Object.entries(reasons).map(([name, texts]): Entry => ({
      kind: "refusal",
      name,
      rows: Object.entries(texts).map(([title, lines]) => [title, lines.join(" / ")]),
    })),
    ...misbehaviourNames.map((name): Entry => ({
      kind: "misbehaviour",
      name,
      rows: rowsOf(describeMisbehaviour(name)),
    })),
    ...pages.filter(({ words }) => words).map(({ file, title, words, summary, address }): Entry => ({
      kind: "page",
      name: title,
      words: words!,
      rows: [["what it does", summary], ["page", file]],
      example: address,
    })),
    ...calls.flatMap((group) => group.calls).map((
      { method, path, summary, members, example },
    ): Entry => ({
      kind: "call",
      name: `${method} ${path || "/"}`,
      rows: [
        ["what it does", summary],
        ...[...members.query, ...members.body].map(({ name, description = "" }) =>
          [name, description] as const
        ),
      ],
      example,
    })),
  ];
}

function listFlags(command: Command): readonly Entry[] {
  return Object.entries(command.flags).map(([name, flag]) => {
    const words = command.flags === startFlags ? listVariables(name, flag) : [];
    const rows: readonly HelpRow[] = [["what it does", flag.help], ["variables", words.join(", ")]];
    return { kind: "flag", name: `${nameOf(command)} --${name}`, words, rows, example: spell(name, flag) };
  });
}

function listKeys(path: string, { properties = {} }: Schema): readonly Entry[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = path + key;
    const rows = [["what it does", schema.description ?? ""]] as const;
    return [{ kind: "key", name, rows }, ...listKeys(`${name}.`, findObject(schema) ?? {})];
  });
}

/** Returns the object with members: the value, one of several alternatives, or what a list or an object holds. */
export function findObject(schema: Schema): Schema | undefined {
  const { properties, items, anyOf = [], additionalProperties: values } = schema;
  if (properties !== undefined) return schema;
  return [items, values, ...anyOf].map((each) => typeof each === "object" ? findObject(each) : undefined)
    .find((each) => each !== undefined);
}
