/** Learns a configuration from the metadata of a provider (RFC 8414 §2, OpenID Connect Discovery §3). */

import { signingAlgorithms } from "../../../ground/crypto/platform.ts";
import type { Members } from "../../../ground/values/members.ts";
import {
  type MetadataAddresses,
  pathProfiles,
  paths,
  usualPaths,
} from "../../../server/oauth/contracts/paths.ts";
import { claimsOfScope, isPersonal } from "../../../server/oauth/people/claims.ts";
import { createPlainSchema } from "../../../server/plain_schema.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { demoPeople } from "../../../server/setup/demo.ts";
import { usualValues } from "./compare_metadata.ts";
import {
  chooseScopes,
  type LearnContext,
  learnSecret,
  readObjects,
  readTexts,
  requirePlain,
} from "./learn_parts.ts";
import { objectOf, type Part, part, type Parts, partsOf } from "./part.ts";
import { writeValue } from "../../../ground/values/write_value.ts";

/** What is known about a provider. */
export interface Provider {
  readonly metadata: Members;
  /** The document at `jwks_uri`. */
  readonly keys?: unknown;
  readonly addresses?: MetadataAddresses;
}

export const invented = "Invented: the source does not have it.";

/** Returns the members of the configuration. `source` is for comments, in our words. */
export function learnMetadata(
  { metadata, keys, addresses = {} }: Provider,
  context: LearnContext,
  source = "the metadata",
): Parts {
  const { usual, origin } = context;
  const listed = (name: string) => readTexts(metadata[name]);
  const isUsual = (name: string, value: string) => readTexts(usual[name]).includes(value);
  const ofMember = (name: string) => `From ${name} of ${source}.`;
  const listUsual = (name: string) => listed(name).filter((each) => isUsual(name, each));
  const methods = readTexts(metadata[methodsMember] ?? usualValues[methodsMember])
    .filter((each) => isUsual(methodsMember, each));
  const scopes = listed("scopes_supported").filter((each) => !isUsual("scopes_supported", each));
  const acrValues = listed("acr_values_supported").filter((each) => /^[\x21-\x7e]+$/.test(each));
  const pushes = metadata["require_pushed_authorization_requests"] === true || undefined;
  const named = listed("claims_supported").filter(isPersonal);
  const claims = named.filter((name) => !standardClaims.includes(name));
  const off = Object.entries(switches).map(([option, member]) =>
    [option, part(metadata[member] ? undefined : false, `The metadata has no ${member}.`)] as const
  );
  const issSent = metadata[switches.issAnnounced] ? undefined : "absent";
  return {
    issuer: part(origin + pathOfIssuer(metadata), "The path is the provider's, the host is this machine."),
    paths: learnPaths(metadata, usual, source),
    metadata: objectOf(partsOf(addresses, "From the addresses that answered."), "Where the metadata is."),
    alg: learnAlgorithm(listed("id_token_signing_alg_values_supported"), keys, context),
    clientAuthMethods: part(methods, ofMember(`${methodsMember} (or its usual value)`)),
    scopes: learnScopes(scopes, ofMember("scopes_supported"), context),
    acrValues: part(acrValues, ofMember("acr_values_supported")),
    requirePushedRequests: part(pushes, ofMember("require_pushed_authorization_requests")),
    ...Object.fromEntries(off),
    issSent: part(issSent, "A provider that does not announce iss usually sends none."),
    clients: learnClient(metadata, methods, listUsual("grant_types_supported"), context),
    ...learnClaims(
      Object.fromEntries(named.map((name) => [name, claims.includes(name) ? "invented" : undefined])),
      { idToken: claims, userinfo: claims },
      `${ofMember("claims_supported")} The metadata has no kinds.`,
    ),
  };
}

const methodsMember = "token_endpoint_auth_methods_supported";

/** What is off if the metadata does not have the member. */
const switches = {
  registration: "registration_endpoint",
  clientDocuments: "client_id_metadata_document_supported",
  dpop: "dpop_signing_alg_values_supported",
  issAnnounced: "authorization_response_iss_parameter_supported",
};

/** Only a path in its usual form is a path of an issuer here (RFC 8414 §2). */
function pathOfIssuer({ issuer }: Members): string {
  const path = new URL(requirePlain(writeValue(issuer))).pathname.replace(/\/{2,}/g, "/");
  return path === "/" && !writeValue(issuer).endsWith("/") ? "" : path;
}

function learnPaths(metadata: Members, usual: Members, source: string): Part | undefined {
  const base = writeValue(metadata["issuer"]).replace(/\/$/, "");
  const known = new Set<string>(Object.values({ ...paths, ...usualPaths }));
  const learned: Record<string, string> = {};
  const members: Record<string, Part | undefined> = {};
  for (const [name, usualPath] of Object.entries(usualPaths)) {
    const member = Object.keys(usual).find((each) => usual[each] === `${usual["issuer"]}${usualPath}`) ?? "";
    const path = findPath(metadata[member], base);
    const isFit = checkSchema({ [name]: path }, createPlainSchema().properties!["paths"]!) === undefined;
    if (path === undefined || !isFit || path !== usualPath && known.has(path)) continue;
    known.add(path);
    learned[name] = path;
    members[name] = part(path, `From ${member} of ${source}.`);
  }
  const all = Object.entries(learned);
  const profile = Object.entries(pathProfiles).find(([, { paths }]) =>
    all.length > 3 && all.every(([name, path]) => path === paths[name as keyof typeof paths])
  );
  if (profile !== undefined) return part(profile[0], "The endpoints have the paths of this profile.");
  return objectOf(members, "Below the issuer. Paths that are left out are Postern's.");
}

/** Returns the path below the issuer. If the issuer has no path, an endpoint at another host keeps its path. */
function findPath(url: unknown, base: string): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  if (url.startsWith(`${base}/`)) return url.slice(base.length);
  return new URL(base).pathname === "/" ? new URL(url).pathname : undefined;
}

function learnAlgorithm(
  announced: readonly string[],
  keys: unknown,
  { leaveOut }: LearnContext,
): Part | undefined {
  const known = signingAlgorithms.filter((each) => announced.includes(each));
  if (known.length === 0) {
    leaveOut("Postern signs with RS256, and has none of the algorithms for ID tokens:", announced);
  }
  const ofKeys = readObjects(isJsonObject(keys) && keys["keys"]).filter(({ use = "sig" }) => use === "sig")
    .map(({ alg, kty }) => alg ?? usualAlgorithms[writeValue(kty)]);
  const signing = known.find((each) => ofKeys.includes(each));
  return signing === undefined
    ? part(known[0], "One of id_token_signing_alg_values_supported of the metadata.")
    : part(signing, "An algorithm of the metadata for which the provider has a key.");
}

/** By the type of a key without an algorithm. */
const usualAlgorithms: Readonly<Record<string, string>> = { RSA: "RS256", EC: "ES256", OKP: "EdDSA" };

function learnScopes(names: readonly string[], from: string, context: LearnContext): Part | undefined {
  const sentences = chooseScopes(names, context).map((name) => [name, `Use ${name}`]);
  return objectOf(partsOf(Object.fromEntries(sentences), "The sentence is invented."), from);
}

// Other grant types need more of a configuration than their name.
const plainGrants = ["authorization_code", "refresh_token", "client_credentials"];

/** Returns a method that needs no key. `methods` are those of the metadata. */
export function guessMethod(methods: readonly string[]): string | undefined {
  return ["client_secret_basic", "client_secret_post", "none"]
    .find((each) => methods.length === 0 || methods.includes(each));
}

function learnClient(
  metadata: Members,
  methods: readonly string[],
  grants: readonly string[],
  context: LearnContext,
): Part {
  const method = guessMethod(methods);
  if (method === undefined) {
    return { value: [], from: "The metadata has no method with a secret: add a client." };
  }
  const isPublic = method === "none";
  const fit = plainGrants.filter((each) =>
    grants.includes(each) && !(isPublic && each === "client_credentials")
  );
  const hasPkce = readTexts(metadata["code_challenge_methods_supported"]).includes("S256");
  const isPairwise = `${readTexts(metadata["subject_types_supported"])}` === "pairwise";
  const members: Parts = {
    client_id: part("app", invented),
    client_secret: isPublic ? undefined : learnSecret(undefined, context),
    redirect_uris: part(["http://localhost:3000/callback"], invented),
    token_endpoint_auth_method: part(method, "One of the methods of the metadata, or the usual one."),
    grant_types: part(
      fit.includes("authorization_code") ? fit : [],
      "From grant_types_supported of the metadata.",
    ),
    require_pkce: part(
      hasPkce || isPublic ? undefined : false,
      "code_challenge_methods_supported of the metadata has no S256.",
    ),
    subject_type: part(isPairwise ? "pairwise" : undefined, "The only one of subject_types_supported."),
  };
  return { items: [{ members, from: "Metadata names no clients." }], from: invented };
}

export const standardClaims: readonly string[] = Object.values(claimsOfScope).flat();

const claimsOfAll: readonly string[] = ["name", "email", "email_verified"];

/** Returns people who have the claims, and in which tokens these are. The demo people have values of standard ones. */
export function learnClaims(
  claims: Members,
  claimsIn: Readonly<Record<string, readonly string[]>>,
  from: string,
  ofValues: string = invented,
): Parts {
  const tokens = objectOf(partsOf(claimsIn, from), from);
  if (tokens === undefined) return {};
  const names = [...Object.keys(claims), ...claimsOfAll];
  const items = demoPeople.map(({ username, claims: own = {} }): Part => {
    const known = Object.fromEntries(Object.entries(own).filter(([name]) => names.includes(name)));
    const members = partsOf({ ...claims, ...known }, ofValues);
    const all = { members, from: "The names are learned, and the values invented." };
    return { members: { username: part(username, invented), claims: all }, from: invented };
  });
  return { people: { items, from: invented }, claimsIn: tokens };
}
