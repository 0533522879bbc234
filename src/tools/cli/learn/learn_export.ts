/** What the exports of other servers have in common: clients with redirect URIs and secrets, and lifetimes. */

import { createRandomBytes, randomText } from "../../../server/crypto/bytes.ts";
import { unfitForRegistration } from "../../../server/oauth/clients/redirect_uri.ts";
import { isJsonObject, type JsonObject } from "../../../server/schema/json_object.ts";
import { createPlainSchema } from "../../../server/plain_schema.ts";
import { checkSchema } from "../../../server/schema/check_schema.ts";
import { type Part, part, type Parts } from "./part.ts";
import type { LeftOut } from "./write_learned.ts";

export interface ExportOptions {
  /** Where Postern will listen: `http://localhost:9000`. */
  readonly origin: string;
  readonly keepsSecrets: boolean;
}

export interface ExportContext extends ExportOptions {
  readonly leaveOut: (sentence: string, ...values: readonly string[]) => void;
}

export function createContext(
  options: ExportOptions,
): ExportContext & { readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  return { ...options, leftOut, leaveOut: (sentence, ...values) => leftOut.push({ sentence, values }) };
}

export function readObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns a secret that stands in the file. An export may have asterisks in its place. */
export function learnSecret(secret: unknown, { keepsSecrets }: ExportOptions): Part | undefined {
  return keepsSecrets && typeof secret === "string" && /[^*]/.test(secret)
    ? part(secret, "The secret of the export.")
    : part(randomText(createRandomBytes(), 32), "Random, in place of the real secret.");
}

/** Returns the members of a client with these URIs. */
export function learnUris(
  id: string,
  members: Readonly<Record<string, readonly string[]>>,
  { leaveOut }: ExportContext,
): Parts {
  const isFit = (uri: string) =>
    unfitForRegistration(uri, { allowsPrivateHttp: true }) === undefined && !uri.includes("*");
  const all = [...new Set(Object.values(members).flat())];
  const unfit = all.filter((uri) => !isFit(uri));
  if (unfit.length > 0) {
    leaveOut(
      "URIs of a client that are no exact addresses: list each one.",
      ...(id === "" ? [] : [id, ...unfit]),
    );
  }
  const parts = Object.entries(members).map(([name, uris]) =>
    [name, part([...new Set(uris)].filter(isFit), "The exact ones of the source.")] as const
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
  return fit.length === 0 ? undefined : { members: Object.fromEntries(fit), from: "In seconds." };
}
