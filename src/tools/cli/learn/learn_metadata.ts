/** Learns a configuration from the metadata of a provider (RFC 8414 §2, OpenID Connect Discovery §3). */

import { createRandomBytes, randomText } from "../../../server/crypto/bytes.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../../../server/crypto/platform.ts";
import type { Members } from "../../../server/oauth/members.ts";
import { type MetadataAddresses, pathProfiles, paths, usualPaths } from "../../../server/oauth/paths.ts";
import { claimsOfScope, isPersonal } from "../../../server/oauth/people/claims.ts";
import { createPlainSchema } from "../../../server/plain_schema.ts";
import { checkSchema } from "../../../server/schema/check_schema.ts";
import { isJsonObject } from "../../../server/schema/json_object.ts";
import { type Part, part, type Parts } from "./part.ts";

/** What is known about a provider. */
export interface Provider {
  readonly metadata: Members;
  /** The document at `jwks_uri`. */
  readonly keys?: unknown;
  readonly addresses?: MetadataAddresses;
}

export interface LearnOptions {
  /** Where Postern will listen: `http://localhost:9000`. */
  readonly origin: string;
  /** The metadata of a server without a configuration. It says what Postern can do. */
  readonly usual: Members;
}

export const invented = "Invented: the source does not have it.";

/** Returns the members of the configuration. */
export function learnMetadata({ metadata, keys, addresses = {} }: Provider, options: LearnOptions): Parts {
  const { usual } = options;
  const listed = (name: string) => readTexts(metadata[name]);
  const both = (name: string) => listed(name).filter((each) => readTexts(usual[name]).includes(each));
  const ofMember = (name: string) => `From ${name} of the metadata.`;
  const without = (name: string, value: unknown) =>
    metadata[name] === undefined || metadata[name] === false
      ? part(value, `The metadata has no ${name}.`)
      : undefined;
  const issAnnounced = without("authorization_response_iss_parameter_supported", false);
  const acrValues = listed("acr_values_supported").filter((each) => /^[\x21-\x7e]+$/.test(each));
  const ofScopes = Object.values(claimsOfScope).flat();
  const ownClaims = listed("claims_supported").filter((name) => !ofScopes.includes(name));
  const methods = both("token_endpoint_auth_methods_supported");
  return {
    issuer: part(
      options.origin + pathOfIssuer(metadata),
      "The path is that of the provider's issuer. The host is this machine.",
    ),
    paths: learnPaths(metadata, usual),
    metadata: Object.keys(addresses).length === 0
      ? undefined
      : part(addresses, "From the addresses that answered."),
    alg: learnAlgorithm(listed("id_token_signing_alg_values_supported"), keys),
    clientAuthMethods: methods.length === 0
      ? undefined
      : part(methods, ofMember("token_endpoint_auth_methods_supported")),
    scopes: learnScopes(
      listed("scopes_supported").filter((each) => !readTexts(usual["scopes_supported"]).includes(each)),
      ofMember("scopes_supported"),
    ),
    acrValues: acrValues.length === 0 ? undefined : part(acrValues, ofMember("acr_values_supported")),
    requirePushedRequests: metadata["require_pushed_authorization_requests"] === true
      ? part(true, ofMember("require_pushed_authorization_requests"))
      : undefined,
    registration: without("registration_endpoint", false),
    clientDocuments: without("client_id_metadata_document_supported", false),
    dpop: without("dpop_signing_alg_values_supported", false),
    issAnnounced,
    issSent: issAnnounced && part("absent", "A provider that does not announce iss usually sends none."),
    clients: learnClient(metadata, methods, both("grant_types_supported")),
    ...learnClaims(
      Object.fromEntries(ownClaims.map((name) => [name, "invented"])),
      { idToken: ownClaims, userinfo: ownClaims },
      `${ofMember("claims_supported")} The metadata has no kinds.`,
    ),
  };
}

function pathOfIssuer({ issuer }: Members): string {
  const { pathname } = new URL(String(issuer));
  // Only a path in its usual form is a path of an issuer here (RFC 8414 §2).
  const path = pathname.replace(/\/{2,}/g, "/");
  return path === "/" && !String(issuer).endsWith("/") ? "" : path;
}

/** Texts without duplicates, of a number and a length that no honest provider exceeds. */
export function readTexts(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  return [...new Set(texts)].filter(({ length }) => length > 0 && length <= 200).slice(0, 500);
}

function learnPaths(metadata: Members, usual: Members): Part | undefined {
  const base = String(metadata["issuer"]).replace(/\/$/, "");
  const ofUsual = String(usual["issuer"]).length;
  const learned = new Map<string, { readonly path: string; readonly member: string }>();
  for (const [name, usualPath] of Object.entries(usualPaths)) {
    const [member] = Object.entries(usual).find(([, url]) => String(url).slice(ofUsual) === usualPath) ?? [];
    const url = member === undefined ? undefined : metadata[member];
    if (member === undefined || typeof url !== "string" || !URL.canParse(url)) continue;
    const path = url.startsWith(`${base}/`) ? url.slice(base.length) : pathAtOrigin(url, base);
    const isFit = path !== undefined &&
      checkSchema({ [name]: path }, createPlainSchema().properties!["paths"]!) === undefined;
    if (isFit) learned.set(name, { path, member });
  }
  const [profile] =
    Object.entries(pathProfiles).find(([, { paths }]) =>
      learned.size > 3 && [...learned].every(([name, { path }]) => path === paths[name as keyof typeof paths])
    ) ?? [];
  if (profile !== undefined) {
    return part(profile, "The endpoints of the metadata have the paths of this profile.");
  }
  const others = Object.entries({ ...paths, ...usualPaths }).filter(([name]) => !learned.has(name));
  const members: Record<string, Part> = {};
  for (const [name, { path, member }] of learned) {
    const isTaken = others.some(([, each]) => each === path) ||
      Object.values(members).some((each) => "value" in each && each.value === path);
    if (!isTaken) members[name] = part(path, `From ${member} of the metadata.`);
  }
  return Object.keys(members).length === 0
    ? undefined
    : { members, from: "The paths below the issuer. Those that the metadata lacks are Postern's." };
}

/** Of an issuer without a path, endpoints at another host keep their path. */
function pathAtOrigin(url: string, base: string): string | undefined {
  return new URL(base).pathname === "/" ? new URL(url).pathname : undefined;
}

function learnAlgorithm(announced: readonly string[], keys: unknown): Part | undefined {
  const known = signingAlgorithms.filter((each) => announced.includes(each));
  const ofKeys = new Set(listKeyAlgorithms(keys));
  const signing = known.find((each) => ofKeys.has(each));
  if (signing !== undefined) {
    return part(signing, "An algorithm of the metadata for which the provider has a key.");
  }
  return known.length === 0
    ? undefined
    : part(known[0], "The first known one of id_token_signing_alg_values_supported of the metadata.");
}

const algorithmOfKey: Readonly<Record<string, SigningAlgorithm>> = {
  RSA: "RS256",
  EC: "ES256",
  OKP: "EdDSA",
};

function listKeyAlgorithms(document: unknown): readonly unknown[] {
  const keys = isJsonObject(document) && Array.isArray(document["keys"]) ? document["keys"] : [];
  return keys.filter(isJsonObject).filter(({ use = "sig" }) => use === "sig").map(({ alg, kty }) =>
    alg ?? algorithmOfKey[String(kty)]
  );
}

/** The names must be those of scopes (RFC 6749 appendix A.4). */
export function learnScopes(names: readonly string[], from: string): Part | undefined {
  const fit = names.filter((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name));
  const members = Object.fromEntries(
    fit.map((name) => [name, part(`Use ${name}`, "The sentence is invented.")]),
  );
  return fit.length === 0 ? undefined : { members, from };
}

// Other grant types need more of a configuration than their name.
const plainGrants = ["authorization_code", "refresh_token", "client_credentials"];

function learnClient(
  metadata: Members,
  methods: readonly string[],
  grants: readonly string[],
): Part {
  const method = ["client_secret_basic", "client_secret_post", "none"]
    .find((each) => methods.length === 0 || methods.includes(each));
  if (method === undefined) {
    return {
      items: [],
      from: "The metadata has no method with a secret or without: add a client with its keys.",
    };
  }
  const isPublic = method === "none";
  const fitGrants = plainGrants.filter((each) =>
    grants.includes(each) && !(isPublic && each === "client_credentials")
  );
  const subjects = readTexts(metadata["subject_types_supported"]);
  const members: Parts = {
    client_id: part("app", invented),
    client_secret: isPublic ? undefined : part(randomText(createRandomBytes(), 32), "Invented, and random."),
    redirect_uris: part(["http://localhost:3000/callback"], invented),
    token_endpoint_auth_method: part(method, "One of the methods of the metadata, or the usual one."),
    grant_types: fitGrants.includes("authorization_code")
      ? part(fitGrants, "From grant_types_supported of the metadata.")
      : undefined,
    require_pkce: readTexts(metadata["code_challenge_methods_supported"]).includes("S256")
      ? undefined
      : part(false, "The code_challenge_methods_supported of the metadata has no S256."),
    subject_type: subjects.includes("pairwise") && !subjects.includes("public")
      ? part("pairwise", "From subject_types_supported of the metadata.")
      : undefined,
  };
  return { items: [{ members, from: "Metadata names no clients." }], from: invented };
}

/** Returns people who have the claims, and in which tokens these are. The values are invented. */
export function learnClaims(
  claims: Members,
  claimsIn: Readonly<Record<string, readonly string[]>>,
  from: string,
): Parts {
  const listed = Object.entries(claimsIn).map(([token, names]) => [token, names.filter(isPersonal)] as const)
    .filter(([, names]) => names.length > 0);
  if (listed.length === 0) return {};
  const describePerson = (username: string, name: string): Part => {
    const usual = { name, email: `${username}@example.com`, email_verified: true };
    const values = Object.entries({ ...claims, ...usual }).filter(([claim]) => isPersonal(claim));
    const members = Object.fromEntries(values.map(([claim, value]) => [claim, part(value, invented)]));
    const all = { members, from: "The names are learned, and the values invented." };
    return { members: { username: part(username, invented), claims: all }, from: invented };
  };
  const people = [describePerson("alice", "Alice Adams"), describePerson("bob", "Bob Brown")];
  const members = Object.fromEntries(listed.map(([token, names]) => [token, part(names, from)]));
  return { people: { items: people, from: invented }, claimsIn: { members, from } };
}
