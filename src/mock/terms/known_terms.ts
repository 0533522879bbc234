/** Terms as a test wrote them: in JavaScript a misspelt name would be left out silently, and the test prove nothing. */

import { types } from "node:util";
import { describeKind } from "./describe_value.ts";
import { isMembers } from "./members.ts";

interface Form {
  readonly wanted: string;
  fits(value: unknown): boolean;
}

const text: Form = { wanted: "text", fits: isText };
const texts: Form = { wanted: "text, or a list of it", fits: (value) => [value].flat().every(isText) };
const members: Form = { wanted: "an object", fits: isMembers };
const yesOrNo: Form = { wanted: "true or false", fits: (value) => typeof value === "boolean" };
const port: Form = {
  wanted: "a whole number from 0 to 65535",
  fits: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
};
const browser: Form = {
  wanted: "what as.browser() gives",
  fits: (value) => isMembers(value) && types.isMap(value["cookies"]),
};

/** What a term means is the same wherever the kit takes it. */
const forms: Readonly<Record<string, Form>> = {
  ...{ client: text, person: text, as: text, redirectUri: text, prompt: text, nonce: text },
  ...{ audience: text, realm: text, resourceMetadata: text, host: text, port },
  ...{ scope: texts, resource: texts, claims: members, params: members, clientKey: members },
  ...{ deny: yesOrNo, itself: yesOrNo, once: yesOrNo, tls: yesOrNo, browser },
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** Every name of the terms: one that is forgotten here does not compile. */
export function namesOf<Terms>(names: Record<keyof Terms, true>): readonly string[] {
  return Object.keys(names);
}

/** `doing` continues "Cannot". */
export function requireKnownTerms(doing: string, terms: unknown, known: readonly string[]): void {
  requireObject(doing, terms, `an object, and in it ${known.join(", ")}`);
  const unknown = Object.keys(terms).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new TypeError(`Cannot ${doing} with ${unknown.join(", ")}: known are ${known.join(", ")}`);
  }
  for (const [name, value] of Object.entries(terms)) {
    const form = forms[name];
    if (value === undefined || form === undefined || form.fits(value)) continue;
    throw new TypeError(
      `Cannot ${doing}: expected ${name} to be ${form.wanted}, but got ${describeKind(value)}`,
    );
  }
}

/** `doing` continues "Cannot"; `wanted` says what was expected. */
export function requireObject(doing: string, value: unknown, wanted: string): asserts value is object {
  if (isMembers(value)) return;
  throw new TypeError(`Cannot ${doing} with ${describeKind(value)}: expected ${wanted}`);
}
