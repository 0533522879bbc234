/** What all sources have in common: clients with redirect URIs and secrets, lifetimes, and a list of what is left out. */

import { createRandomBytes, randomText } from "../../../ground/crypto/bytes.ts";
import { unfitForRegistration } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import type { Members } from "../../../ground/values/members.ts";
import { isJsonObject, type JsonObject } from "../../../ground/schema/json_object.ts";
import { createPlainSchema } from "../../../server/plain_schema.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { CommandError } from "../terminal/command_error.ts";
import { objectOf, type Part, part, type Parts, writeJson } from "./part.ts";

export interface LearnContext {
  /** Where Postern will listen: `http://localhost:9000`. */
  readonly origin: string;
  readonly keepsSecrets: boolean;
  /** The metadata of a server without a configuration. It says what Postern can do. */
  readonly usual: Members;
  /** `values` are of the source, and belong to `owner`. An empty list says that nothing is left out. */
  leaveOut(sentence: string, values?: readonly string[], owner?: string): void;
  /** The sentences, which are ours, by their lines for the terminal, which also have text of others. */
  readonly leftOut: ReadonlyMap<string, string>;
}

export function createContext(options: Omit<LearnContext, "leaveOut" | "leftOut">): LearnContext {
  const leftOut = new Map<string, string>();
  return {
    ...options,
    leftOut,
    leaveOut(sentence, values, owner) {
      const named = [owner ?? [], values ?? []].flat().map(writeJson);
      if (values?.length !== 0) leftOut.set([sentence, ...named].join(" "), sentence);
    },
  };
}

/** Texts without duplicates, of a number and a length that no honest provider exceeds. */
export function readTexts(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  return [...new Set(texts)].filter(({ length }) => length > 0 && length <= 200).slice(0, 500);
}

// In a shell, in a query or in a program, each of them could end a text or begin another one.
const special = /[\s\p{Cc}'"\\$;&|<>()`]/u;

/** RFC 6749 appendix A.4. */
const scopeName = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Returns the names that a server takes, and that are one word everywhere. */
export function chooseScopes(names: readonly string[], { leaveOut }: LearnContext): readonly string[] {
  const isFit = (name: string) => scopeName.test(name) && !special.test(name);
  leaveOut("Scopes with a character that means something in a shell.", names.filter((name) => !isFit(name)));
  return names.filter(isFit);
}

/** Returns the issuer, or its path. No other text can stand for it, because clients compare it as text. */
export function requirePlain(issuer: string): string {
  if (!special.test(issuer)) return issuer;
  throw new CommandError(
    `the issuer ${
      writeJson(issuer)
    } has a character in its path that means something in a shell, such as $ or &`,
  );
}

export function readObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns a secret that stands in the file. An export may have asterisks in its place. */
export function learnSecret(secret: unknown, { keepsSecrets }: LearnContext): Part {
  return keepsSecrets && typeof secret === "string" && /[^*]/.test(secret)
    ? { value: secret, from: "The secret of the export." }
    : { value: randomText(createRandomBytes(), 32), from: "Random, in place of the real secret." };
}

/** Returns the members of a client with these URIs. */
export function learnUris(
  id: string,
  members: Readonly<Record<string, readonly string[]>>,
  { leaveOut }: LearnContext,
): Parts {
  const isFit = (uri: string) =>
    unfitForRegistration(uri, { allowsPrivateHttp: true }) === undefined && !uri.includes("*");
  const all = [...new Set(Object.values(members).flat())];
  const unfit = all.filter((uri) => !isFit(uri));
  leaveOut("URIs of a client that are no exact addresses: list each one.", unfit, id);
  const parts = Object.entries(members).map(([name, uris]) =>
    [name, part([...new Set(uris)].filter(isFit), "From the source.")] as const
  );
  const isPrivate = all.some((uri) => isFit(uri) && unfitForRegistration(uri) !== undefined);
  return {
    ...Object.fromEntries(parts),
    allow_private_http: part(isPrivate || undefined, "A URI is http in a local network."),
  };
}

/** Returns the lifetimes that Postern accepts. */
export function learnLifetimes(given: Parts): Part | undefined {
  const { properties: { lifetimes } = {} } = createPlainSchema();
  const fit = Object.entries(given).filter(([name, each]) =>
    each !== undefined && "value" in each && typeof each.value === "number" &&
    checkSchema({ [name]: each.value }, lifetimes!) === undefined
  );
  return objectOf(Object.fromEntries(fit), "In seconds.");
}
