/** Wrong access tokens, which an API has to refuse (RFC 9068 §4), and unusual ones, which it has to accept. */

import { encodePart } from "../../../ground/crypto/bytes.ts";
import { encryptJwe } from "../../../ground/crypto/jwe.ts";
import { type PublicJwk, thumbprint } from "../../../ground/crypto/jwk.ts";
import { signingAlgorithms } from "../../../ground/crypto/platform.ts";
import { joinJwt } from "../../../ground/crypto/jwt_parts.ts";
import type { Members } from "../../../ground/values/members.ts";
import { encodeOctets } from "../../../ground/values/octets.ts";
import { present } from "../../../ground/values/present.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import {
  answerInstead,
  breakSignature,
  busyAnswer,
  changeKeys,
  changeResponse,
  changesOf,
  emptySignature,
  forOtherAlg,
  membersOf,
  publish,
  removing,
  requireExtension,
  setting,
  type SignedParts,
  signHs256,
  signWithEmbeddedKey,
  signWithForeignKey,
  signWithFormOf,
  signWithPublicKey,
  signWithUnknownKey,
  together,
  type UnsignedParts,
  writeUnsigned,
  zeroSignature,
} from "../changes.ts";
import { type FaultsOf, faultsOf, fewMinutes } from "../faults_of.ts";
import { callsOtherServer, refusesAccessToken, usesAccessToken } from "../finds.ts";
import { findForeignCertificate } from "../foreign_keys.ts";
import type { ApiAnswer, CreateActs, Misbehaviour, PublishedKeyName, Tools, Watch } from "../misbehaviour.ts";
import { moveBack } from "../move_back.ts";
import { foreignPath, foreignPort, type FutureTime, type PastTime } from "../names.ts";
import {
  changeAudience,
  listIssuers,
  nameForeignUrl,
  narrowScope,
  shortenIssuer,
  spellIssuer,
  toggleAudienceSlash,
  writeIssuer,
  writeNeighbour,
} from "../neighbours.ts";
import { calledUrl } from "../outcome.ts";

const verification: ApiAnswer = { status: 401, error: "invalid_token", seenBy: "verification" };
const accepted: ApiAnswer = { status: 200 };
const signedInOtherwise: ApiAnswer = {
  status: 401,
  error: "insufficient_user_authentication",
  seenBy: "authentication",
  opaque: true,
};

/** The server does not see what an API of the client does. The APIs of the test kit notice every fault themselves. */
const watch: Watch = { invisible: true, elsewhere: refusesAccessToken };

const { anew, claims, header, signed } = changesOf("access_token");

/** A careful API may refuse the token as well, so its refusal proves nothing about a client. */
const odd = {
  level: "robustness",
  client: "Accepts the access token or refuses it, and does not fail.",
  api: { ...accepted, mayRefuse: true, mustNotFail: true },
  watch: { elsewhere: usesAccessToken, wordProvesNothing: true },
} as const;

/**
 * Publishes a key of each name for each alg of the server, as `change` leaves it. No other fault uses the key, because an API
 * knows all published keys.
 */
function publishBeside(
  names: readonly PublishedKeyName[],
  change: (key: Members, name: PublishedKeyName) => Members,
): CreateActs {
  return changeKeys((keys, { publishedKeyFor }) => {
    const algs = signingAlgorithms.filter((alg) => keys.some((key) => key["alg"] === alg));
    const others = names.flatMap((name) =>
      algs.map((alg) => change(publish(publishedKeyFor(name, alg), alg), name))
    );
    return [...keys, ...others];
  });
}

/** One of the published keys signs the token. */
function signedWithPublished(
  name: PublishedKeyName,
  change: (key: Members) => Members,
): Pick<Misbehaviour, "prepares" | "acts"> {
  return {
    prepares: ["key_set"],
    acts: together(publishBeside([name], change), anew(signWithPublished(name))),
  };
}

/** Publishes a key without `alg` besides those of the server. `choose` finds for which `alg` the key could be. */
function publishWithoutAlg(choose: (alg: string) => string): CreateActs {
  return changeKeys((keys, { publishedKeyFor }) => [
    ...keys,
    writeWithoutAlg(publishedKeyFor, choose(`${keys[0]?.["alg"]}`)),
  ]);
}

/** RFC 7517 §4.4: `alg` is optional. */
function writeWithoutAlg(publishedKeyFor: Tools["publishedKeyFor"], alg: string): PublicJwk {
  return without(publish(publishedKeyFor("hs256_alg_unpublished", alg), alg), "alg") as PublicJwk;
}

/** The secret of the HMAC is a form of the key without `alg`. */
function signedByKeyWithoutAlg(
  choose: (alg: string) => string,
): Pick<Misbehaviour, "prepares" | "acts"> {
  const sign = anew(async (jwt, tools) => {
    const { header, claims, signer: { publicJwk: { alg } } } = jwt;
    const { publishedKeyFor, sendFirst, variant } = tools;
    const key = writeWithoutAlg(publishedKeyFor, choose(alg));
    // An API loads the keys for a right token. For another alg, it may refuse before.
    if (choose(alg) === alg && variant === "empty") {
      sendFirst(await signWithPublished("hs256_alg_unpublished")(jwt, tools));
    }
    // An API that knows accepted tokens by their jti has another fault.
    const forged = { ...claims, jti: `${claims["jti"]}-2` };
    return await signWithFormOf(key, { header: { ...header, kid: key.kid }, claims: forged }, variant);
  });
  return { prepares: ["key_set"], acts: together(publishWithoutAlg(choose), sign) };
}

/** A key of this type does not fit a token of the server that has no kid. */
const ofOtherType = (alg: string) => alg === "ES256" || alg === "EdDSA" ? "RS256" : "ES256";

/** Signs with one of the published keys. */
const signWithPublished =
  (name: PublishedKeyName) =>
  ({ header, claims, signer }: UnsignedParts, { publishedKeyFor }: Tools): Promise<string> => {
    const key = publishedKeyFor(name, signer.publicJwk.alg);
    return signer.sign({ ...header, kid: thumbprint(key) }, claims, key);
  };

/** Publishes the key until the keys are loaded. */
function publishOnce(name: PublishedKeyName): CreateActs {
  return (tools) => {
    const { key_set: publish } = publishBeside([name], (key) => key)(tools);
    let isFirst = true;
    return {
      key_set(value, at) {
        if (!isFirst) return value;
        isFirst = false;
        return publish!(value, at);
      },
    };
  };
}

/** The kid is another one in each token. */
function signWithNewKid(
  { header, claims, signer }: UnsignedParts,
  { foreignKeyFor }: Tools,
): Promise<string> {
  return signer.sign({ ...header, kid: `${claims["jti"]}` }, claims, foreignKeyFor(signer.publicJwk.alg));
}

/** Adds a scope after the token was signed. */
function addScope({ claims, ...jwt }: SignedParts): string {
  const scope = `${claims["scope"] ?? ""} admin`.trimStart();
  return joinJwt({ ...jwt, claims: { ...claims, scope } });
}

/** An API can do without these claims, although every access token has them. */
const lacksRequired = (claim: string) => ({
  level: "hardening",
  server: `The access token has no ${claim}, which is required.`,
  rule: "RFC 9068 §2.2",
  acts: claims(removing(claim)),
} as const);

/** What a file, a database, an object of JavaScript or a map without such an entry has for these texts. */
const oddKids: Readonly<Record<string, { readonly kid: string; readonly secret: string }>> = {
  file_empty: { kid: "../../../../../../../../dev/null", secret: "" },
  file_known: { kid: "../../../../../../../../proc/sys/kernel/randomize_va_space", secret: "2\n" },
  query: { kid: "x' UNION SELECT 'x", secret: "x" },
  prototype: { kid: "__proto__", secret: `${{}}` },
  constructor: { kid: "constructor", secret: `${Object}` },
  empty: { kid: "", secret: "" },
  long: { kid: "k".repeat(3000), secret: "" },
};

/** What stands between the kid and the issuer. */
const joints: ReadonlyMap<string | undefined, string> = new Map([
  ["joined", ":"],
  ["joined_directly", ""],
  ["joined_by_slash", "/"],
  ["joined_by_bar", "|"],
]);

/** The other way round, the foreign issuer begins with the right one. */
const endings: ReadonlyMap<string | undefined, string> = new Map([
  ["issuer_first", ""],
  ["issuer_first_by_slash", "/"],
  ["issuer_first_by_colon", ":"],
]);

/** Returns a foreign issuer, and a kid: joined, this issuer and its own kid are the same text as the right one and that kid. */
function joinAlike(
  { variant, right, otherServer, kid }: {
    readonly variant: string | undefined;
    readonly right: string;
    readonly otherServer: string;
    readonly kid: string;
  },
): readonly [issuer: string, kid: string] {
  const [joint, ending] = [joints.get(variant), endings.get(variant)];
  if (joint !== undefined) return [`${otherServer}/?${joint}${right}`, `${kid}${joint}${otherServer}/?`];
  if (ending === undefined) return [otherServer, kid];
  const end = ending === ":" ? `:${foreignPort}` : foreignPath;
  return [right + end, end.slice(ending.length) + ending + kid];
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => letter < "a" ? letter.toLowerCase() : letter.toUpperCase());
}

/** Writes an opaque token that differs from this one in its end, after its end, or in its capitals. */
function writeSimilar(token: string, variant: string | undefined): string {
  if (variant === "capitals") return swapCase(token);
  return variant === "claims" ? `${token}-2` : token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
}

const otherApi = "https://another-api.test";
const hour = 3600;
// A token with it is short enough for a header of 8 KB.
const depth = 1500;
const dots = ".".repeat(4000);

export const accessToken: FaultsOf<"access_token"> = faultsOf("access_token", {
  level: "must",
  phase: "call_api",
  client: "Refuses the access token.",
  api: verification,
  watch,
  needs: ["verified_access_token"],
  tolerated: { client: "Accepts the access token.", api: accepted, watch: { elsewhere: usesAccessToken } },
}, {
  expired: {
    server: "The access token has expired, by the clock of the server and by the real time.",
    rule: "RFC 9068 §4; RFC 6749 §7",
    api: { ...verification, opaque: true },
    acts: claims((claims, { findPast, variant }) => moveBack(claims, findPast(variant as PastTime))),
  },
  expired_after_use: {
    server: "The API accepted the access token before it expired, and gets it again.",
    client: "Refuses the access token, because nothing that it remembers outlives the exp.",
    rule: "RFC 9068 §4; RFC 7519 §4.1.4; RFC 6749 §7; RFC 7662 §4",
    api: { ...verification, endsAfterUse: true, opaque: true },
    needs: ["verified_access_token", "several_tokens"],
    // Only an examination waits for the end of a token that the API has accepted.
    acts: claims((claims, { findPast }) => moveBack(claims, findPast())),
  },
  expired_minutes_ago: {
    level: "hardening",
    server: "The access token expired twenty minutes ago, by the clock of the server and by the real time.",
    client: "Refuses the access token, because a leeway for clocks that differ is a few minutes at most.",
    rule: `RFC 9068 §4; RFC 7519 §4.1.4: ${fewMinutes}`,
    api: { ...verification, opaque: true },
    acts: claims((claims, { findPast }) => moveBack(claims, findPast("minutes_ago"))),
  },
  not_yet_valid: {
    server: "The nbf of the access token is in the future, by the clock of the server and by the real time.",
    rule: "RFC 7519 §4.1.5",
    acts: claims((claims, { findFuture, variant }) => {
      const nbf = findFuture(variant as FutureTime);
      const { exp } = claims;
      return {
        ...claims,
        nbf,
        ...present({ exp: typeof exp === "number" ? Math.max(exp, nbf) + hour : undefined }),
      };
    }),
  },
  expiry_missing: {
    server: "The access token has no exp, which is required, so it would never expire.",
    rule: "RFC 9068 §2.2, §4",
    acts: claims(removing("exp")),
  },
  expiry_text: {
    level: "hardening",
    server: "The exp of the access token is text instead of a number.",
    rule: "RFC 7519 §2, §4.1.4",
    bugs: ["CVE-2026-44459"],
    acts: claims((claims) => ({ ...claims, exp: `${claims["exp"]}` })),
  },
  expiry_huge: {
    ...odd,
    server: "The exp of the access token is 1e30, which no integer type can hold.",
    rule: "RFC 7519 §2, §4.1.4: a number in JSON has no limit",
    acts: claims(setting({ exp: 1e30 })),
  },
  not_before_text: {
    level: "hardening",
    server: "The nbf of the access token is a time in the future, as text instead of a number.",
    rule: "RFC 7519 §2, §4.1.5",
    acts: claims(setting(({ findFuture }) => ({ nbf: `${findFuture()}` }))),
  },
  valid_in_a_moment: {
    level: "robustness",
    server: "The nbf of the access token is two seconds in the future, because the clocks differ.",
    rule: "RFC 7519 §4.1.5: an API may allow for clocks that differ",
    acts: claims(setting(({ now }) => ({ nbf: Math.floor(now()) + 2 }))),
  },
  claim_twice: {
    server: "The access token has two members exp: the first one is in the future, the last one in the past.",
    client:
      "Refuses the access token, because it takes the last member, or no claims with such a name twice.",
    rule: "RFC 7519 §4; RFC 9068 §4",
    acts: anew(({ header, claims, signer }, { findPast }) => {
      const { exp, ...others } = claims;
      const text = JSON.stringify({ exp, ...others });
      return signer.sign(header, `${text.slice(0, -1)},"exp":${findPast()}}`);
    }),
  },
  issuer_missing: {
    server: "The access token has no iss.",
    rule: "RFC 9068 §2.2, §4",
    acts: claims(removing("iss")),
  },
  issuer_list: {
    server: "The iss of the access token is a list, which contains the right issuer.",
    rule: "RFC 7519 §4.1.1; RFC 9068 §4",
    bugs: ["CVE-2025-30144"],
    acts: claims(listIssuers),
  },
  issuer_part: {
    server: "The iss of the access token is only a part of the issuer.",
    client: "Refuses the access token, because it compares the whole iss.",
    rule: "RFC 7519 §2; RFC 9068 §4",
    bugs: ["CVE-2024-53861"],
    acts: claims(setting((tools) => ({ iss: shortenIssuer(tools) }))),
  },
  issuer_wrong: {
    server: "The iss of the access token resembles the expected issuer, but is a different issuer.",
    client: "Refuses the access token, because the iss must match exactly.",
    rule: "RFC 9068 §4; RFC 7519 §2",
    bugs: ["CVE-2026-22748"],
    acts: claims(setting((tools) => ({ iss: writeIssuer(tools) }))),
  },
  issuer_slash: {
    server: "The iss of the access token is the issuer in another spelling.",
    client: "Refuses the access token, because the iss must match exactly.",
    rule: "RFC 9068 §4; RFC 7519 §2",
    acts: claims(setting((tools) => ({ iss: spellIssuer(tools) }))),
  },
  audience_wrong: {
    server: "The aud of the access token is another API, which may have forwarded the token to this API.",
    rule: "RFC 9068 §4; RFC 7519 §2, §4.1.3; RFC 9700 §2.3",
    bugs: ["CVE-2025-62610"],
    api: { ...verification, opaque: true },
    acts: claims((claims, tools) => changeAudience(claims, tools, otherApi)),
  },
  audience_slash: {
    level: "hardening",
    server: "The aud of the access token differs from the API by a slash at its end.",
    client: "Refuses the access token, because the aud must match exactly.",
    rule: "RFC 7519 §2, §4.1.3: compared as text, but an API may take two texts for its own",
    api: { ...verification, opaque: true },
    acts: claims(toggleAudienceSlash),
  },
  audience_issuer: {
    level: "hardening",
    server: "The aud of the access token is the issuer, as in a token for userinfo.",
    client: "Refuses the access token, because it is not for this API.",
    rule: "RFC 9068 §3, §4: the issuer may be a second name of an API, for tokens that name no API",
    api: { ...verification, isForIssuer: true },
    acts: claims((claims, { issuer }) =>
      [claims["aud"]].flat().includes(issuer) ? claims : { ...claims, aud: issuer }
    ),
  },
  audience_missing: {
    server: "The access token has no aud, so it is for no API.",
    rule: "RFC 9068 §2.2, §4; RFC 9700 §2.3",
    bugs: ["CVE-2025-62610"],
    api: { ...verification, opaque: true },
    acts: claims(removing("aud")),
  },
  audience_empty: {
    server: "The aud of the access token names no API.",
    rule: "RFC 9068 §4; RFC 9700 §2.3",
    bugs: ["CVE-2020-26160", "CVE-2025-62610"],
    acts: claims(setting(({ variant }) => ({ aud: variant === "text" ? [""] : [] }))),
  },
  audience_list: {
    level: "tolerate",
    server: "The aud of the access token is a list, which names another API besides this one.",
    client: "Accepts the access token, because one value of aud names the API.",
    rule: "RFC 7519 §4.1.3; RFC 9068 §4",
    api: { ...accepted, opaque: true },
    acts: claims((claims) => ({ ...claims, aud: [otherApi, ...[claims["aud"]].flat()] })),
  },
  type_wrong: {
    server: "The typ of the access token is the typ of another kind of token.",
    rule: "RFC 9068 §4",
    acts: header((header, { variant }) => {
      const right = `${header["typ"]}`;
      return { ...header, typ: writeNeighbour(variant, right, right === "JWT" ? "logout+jwt" : "JWT") };
    }),
  },
  type_missing: {
    server: "The header of the access token has no typ.",
    rule: "RFC 9068 §4",
    acts: header(removing("typ")),
  },
  type_full: {
    level: "tolerate",
    server: "The typ of the access token is written with its prefix application/.",
    rule: "RFC 9068 §4",
    acts: header((header) => ({ ...header, typ: `application/${header["typ"]}` })),
  },
  id_token_instead: {
    server:
      "The access token is an ID token, which tells a client who signed in and gives no access to an API.",
    rule: "RFC 8725 §3.12; RFC 9068 §4",
    bugs: ["CVE-2025-68129"],
    acts: anew(({ header, claims, signer }) => {
      const { iss, sub, iat, exp, auth_time, client_id } = claims;
      const times = auth_time === undefined ? { iat, exp } : { iat, exp, auth_time };
      return signer.sign({ ...header, typ: "JWT" }, { iss, sub, aud: client_id, ...times });
    }),
  },
  alg_none: {
    server: "The access token has no signature, and its alg verifies nothing.",
    rule: "RFC 9068 §4; RFC 7515 §4.1.1, §5.2",
    bugs: ["CVE-2016-1000223", "CVE-2020-15084", "CVE-2022-23540", "CVE-2026-23993"],
    acts: anew(writeUnsigned),
  },
  alg_missing: {
    server: "The header of the access token has no alg.",
    client: "Refuses the access token, and assumes no alg.",
    rule: "RFC 7515 §4.1.1, §5.2",
    acts: header(removing("alg")),
  },
  encrypted_unsigned: {
    server:
      "The access token is encrypted to a public key, and contains a JWT without a signature, so anyone can have written it.",
    client: "Refuses the access token, because an encryption does not prove who wrote it.",
    rule: "RFC 9068 §2.1, §4; RFC 8725 §3.2",
    bugs: ["CVE-2026-29000"],
    acts: anew((jwt, { foreignKeyFor }) => {
      const { alg: _alg, ...own } = jwt.signer.publicJwk;
      const jwk = own.kty === "OKP" ? publish(foreignKeyFor("RS256"), "RSA-OAEP-256") : own;
      return encryptJwe(writeUnsigned(jwt), { jwk: { ...jwk, use: "enc" }, enc: "A256GCM", cty: "JWT" });
    }),
  },
  signature_zero: {
    server: "Every byte of the signature of the access token is zero.",
    rule: "RFC 9068 §4; RFC 7515 §5.2",
    bugs: ["CVE-2022-21449"],
    acts: signed(zeroSignature),
  },
  signature_alphabet: {
    server: "A character that base64url does not have is inserted into the signature of the access token.",
    client: "Refuses the access token, and does not skip the character.",
    rule: "RFC 7515 §2, §5.2",
    bugs: ["CVE-2022-25898"],
    api: { ...verification, isMalformed: true },
    acts: signed(({ text }, { variant }) =>
      `${text.slice(0, -4)}${variant === "backslash" ? "\\" : "!"}${text.slice(-4)}`
    ),
  },
  serialized_as_json: {
    server:
      "The access token is a JSON object that contains the parts of a right token, and other claims in its first name.",
    client: "Refuses the access token, because a JWT is never serialized as JSON.",
    rule: "RFC 7519 §1, §7.2; RFC 9068 §4",
    api: { ...verification, isMalformed: true },
    acts: signed(({ text, claims }) => {
      const [header, payload, signature] = text.split(".");
      const other = `${header}.${encodePart({ ...claims, sub: "another-subject" })}.`;
      return JSON.stringify({ [other]: "", protected: header, payload, signature });
    }),
  },
  signature_missing: {
    server: "The signature of the access token is empty, so anyone can have written it.",
    rule: "RFC 9068 §4; RFC 7515 §5.2",
    acts: signed(emptySignature),
  },
  signature_bad: {
    server: "The signature of the access token does not verify, because one byte of it differs.",
    rule: "RFC 9068 §4; RFC 7515 §5.2",
    acts: signed(breakSignature),
  },
  claims_tampered: {
    server: "A scope was added to the access token after it was signed.",
    rule: "RFC 9068 §4; RFC 7515 §5.2",
    acts: signed(addScope),
  },
  hs256_alg_unpublished: {
    server: "The access token is signed with an HMAC and names a new key without alg.",
    client: "Refuses the access token, because it chooses the algorithm itself and does not trust alg.",
    rule: "RFC 9068 §4; RFC 8725 §2.1, §3.1; RFC 7517 §4.4: a key need not have alg",
    bugs: ["CVE-2026-44699"],
    api: { ...verification, loads: 1 },
    ...signedByKeyWithoutAlg((alg) => alg),
  },
  hs256_alg_unpublished_other_type: {
    server: "The access token is signed with an HMAC and names a key of another type without alg.",
    client: "Refuses the access token, because it chooses the algorithm itself and does not trust alg.",
    rule: "RFC 9068 §4; RFC 8725 §2.1, §3.1; RFC 7517 §4.4: a key need not have alg",
    bugs: ["CVE-2026-44699"],
    needs: ["verified_access_token", "several_tokens"],
    ...signedByKeyWithoutAlg(ofOtherType),
  },
  hs256_with_public_key: {
    server:
      "The access token is signed with an HMAC, and its key is the public key of the server, in a usual form.",
    client: "Refuses the access token, because it chooses the algorithm itself and does not trust alg.",
    rule: "RFC 9068 §4; RFC 8725 §2.1, §3.1",
    bugs: [
      "CVE-2015-9235",
      "CVE-2016-1000223",
      "CVE-2022-29217",
      "CVE-2023-48223",
      "CVE-2023-48238",
      "CVE-2024-33663",
      "CVE-2024-37568",
      "CVE-2024-54150",
      "CVE-2026-34950",
    ],
    acts: anew(signWithPublicKey),
  },
  key_withdrawn: {
    level: "hardening",
    server:
      "The key of the access token was published once, and the API has loaded the keys without it since.",
    client: "Refuses the access token, because its key is no longer a key of the server.",
    rule: "OpenID Connect Core §10.1.1; RFC 9068 §4: no rule says how long an API may keep a key",
    bugs: ["GHSA-675f-rq2r-jw82", "jwks-rsa-java#239"],
    api: { ...verification, loads: 2 },
    needs: ["verified_access_token", "several_tokens"],
    prepares: ["key_set"],
    acts: together(
      publishOnce("key_withdrawn"),
      anew(async (jwt, tools) => {
        const sign = () => signWithPublished("key_withdrawn")(jwt, tools);
        tools.sendFirst(await sign());
        // An unknown kid, for which the API loads the keys again.
        tools.sendFirst(await signWithNewKid(jwt, tools));
        return await sign();
      }),
    ),
  },
  keys_unavailable: {
    server:
      "A request for the keys gets the status 503, and the access token has a kid that the API does not know.",
    client: "Refuses the access token, because it cannot verify it.",
    rule: "RFC 9068 §4; RFC 7515 §5.2",
    api: { ...verification, loads: 1 },
    needs: ["verified_access_token", "several_tokens"],
    prepares: ["arrival"],
    acts: together(
      answerInstead("jwks", busyAnswer(503, "60")),
      signed(signWithNewKid),
    ),
  },
  huge: {
    level: "hardening",
    server: "The access token is a text of many dots.",
    client: "Refuses the access token, and does not fail.",
    rule: "RFC 6750 §3.1; RFC 7519 §7.2: a JWT has two or four dots; no rule limits the size; CWE-770",
    bugs: ["CVE-2025-22868", "CVE-2025-27144", "CVE-2025-30204"],
    api: { ...verification, mustNotFail: true, mayBeTooLong: true },
    needs: ["verified_access_token", "several_tokens"],
    acts: anew((_jwt, { variant }) => ".".repeat(variant === "dots_1m" ? 1_000_000 : 60_000)),
  },
  kid_missing: {
    level: "robustness",
    server: "The access token has no kid, and one of the published keys is for its alg and for signatures.",
    client: "Tries the key that fits, and accepts the access token.",
    rule: "RFC 7515 §4.1.4, Appendix D: the kid is optional, and use, key_ops and alg tell which keys fit",
    prepares: ["key_set"],
    acts: together(
      publishBeside(["kid_missing"], (key) => ({ ...forOtherAlg(key), use: "enc" })),
      header(removing("kid")),
    ),
  },
  kid_odd: {
    server: "The kid of the access token is odd, and its HMAC key is what a careless look-up would find.",
    client: "Refuses the access token, because the server has no such key.",
    rule: "RFC 9068 §4; RFC 8725 §3.1, §3.10",
    bugs: ["CVE-2025-65945", "CVE-2026-45363"],
    acts: anew(({ header, claims }, { variant }) => {
      const { kid, secret } = oddKids[`${variant}`]!;
      return signHs256({ ...header, kid }, claims, secret);
    }),
  },
  kid_unknown: {
    server: "The kid of the access token names the key that signed it, which the server does not publish.",
    rule: "RFC 9068 §4",
    acts: anew(signWithUnknownKey),
  },
  kid_unknown_many: {
    level: "hardening",
    server: "Fifty access tokens follow each other, each with another kid, which names no published key.",
    client: "Refuses the access tokens, and loads the keys for a few of them only.",
    rule: "RFC 9068 §4; RFC 7517 §4.5: no rule limits how often an API loads the keys",
    api: { ...verification, times: 50 },
    acts: anew(signWithNewKid),
  },
  kid_unusual: {
    level: "hardening",
    server: "The kid of the access token is odd, and names no key of the server.",
    client: "Refuses the access token, and does not fail.",
    rule: "RFC 7515 §4.1.4; RFC 6750 §3.1: any text can be a kid, and no rule forbids the status 500",
    api: { ...verification, mustNotFail: true },
    acts: anew(({ header, claims, signer }, { foreignKeyFor, variant }) => {
      const { kid } = oddKids[`${variant}`]!;
      return signer.sign({ ...header, kid }, claims, foreignKeyFor(signer.publicJwk.alg));
    }),
  },
  key_other: {
    server: "The kid of the access token names a key of the server, but another key signed it.",
    rule: "RFC 9068 §4; RFC 7515 §5.2",
    acts: anew(signWithForeignKey),
  },
  key_replaced: {
    level: "robustness",
    server: "The server publishes a new key besides its first one, and signs the access token with it.",
    client: "Loads the keys again when it does not know the kid, and accepts the access token.",
    rule: "OpenID Connect Core §10.1.1; RFC 9068 §4: the metadata name the keys",
    api: { ...accepted, loads: 1 },
    needs: ["verified_access_token", "several_tokens"],
    ...signedWithPublished("key_replaced", (key) => key),
  },
  key_use_enc: {
    level: "hardening",
    server: "The published key that signed the access token is for encryption.",
    client: "Refuses the access token, because the key is not for signatures.",
    rule: "RFC 7517 §4.2: use says what a key is for, but no rule says what an API does otherwise",
    ...signedWithPublished("key_use_enc", (key) => ({ ...key, use: "enc" })),
  },
  key_operations_other: {
    level: "hardening",
    server: "The key_ops of the published key that signed the access token allow no verification.",
    client: "Refuses the access token, because the key is not for signatures.",
    rule: "RFC 7517 §4.3: key_ops say what a key is for, but no rule says what an API does otherwise",
    ...signedWithPublished(
      "key_operations_other",
      (key) => ({ ...without(key, "use"), key_ops: ["encrypt"] }),
    ),
  },
  key_alg_other: {
    server: "The published key that signed the access token is for another alg.",
    client: "Refuses the access token, because a key is for one alg only.",
    rule: "RFC 8725 §3.1; RFC 7517 §4.4",
    prepares: ["key_set"],
    acts: together(
      // An API may load the keys once, before it gets a token of any variant.
      publishBeside(
        ["key_alg_other", "key_alg_signatures"],
        (key, name) => forOtherAlg(key, name === "key_alg_signatures" ? "for_signatures" : undefined),
      ),
      anew((jwt, tools) => {
        const name = tools.variant === "for_signatures" ? "key_alg_signatures" : "key_alg_other";
        return signWithPublished(name)(jwt, tools);
      }),
    ),
  },
  key_embedded: {
    server: "The header of the access token contains the key that verifies it.",
    client: "Refuses the access token, because it trusts the published keys of the server only.",
    rule: "RFC 9068 §4; RFC 8725 §3.10",
    bugs: ["CVE-2018-0114", "CVE-2025-24976", "CVE-2026-27962"],
    acts: anew(signWithEmbeddedKey),
  },
  certificate_embedded: {
    server:
      "The header of the access token contains a certificate that signs itself, and its key signed the token.",
    client: "Refuses the access token, because it trusts the published keys of the server only.",
    rule: "RFC 9068 §4; RFC 8725 §3.10",
    acts: anew(({ header, claims, signer }, { foreignKeyFor, variant }) => {
      const key = foreignKeyFor(signer.publicJwk.alg);
      const x5c = [encodeOctets(findForeignCertificate(`${key.kty}`)!, "base64")];
      const kid = variant === "kid_own" ? { kid: thumbprint(key) } : {};
      return signer.sign({ ...without(header, "kid"), ...kid, x5c }, claims, key);
    }),
  },
  key_by_url: {
    server: "The header of the access token has a URL of a foreign server where the key should be loaded.",
    client: "Refuses the access token, and sends no request to the URL.",
    rule: "RFC 9068 §4; RFC 8725 §3.10",
    watch: { ...watch, never: callsOtherServer, neverSays: calledUrl },
    acts: anew(({ header, claims, signer }, tools) => {
      const key = tools.foreignKeyFor(signer.publicJwk.alg);
      const [name = ""] = `${tools.variant}`.split("_");
      const url = { [name]: nameForeignUrl(name === "x5u" ? `${key.kty}.pem` : "jwks", tools) };
      return signer.sign({ ...header, kid: thumbprint(key), ...url }, claims, key);
    }),
  },
  crit_unknown: {
    server:
      "The header of the access token has an unknown extension and says that a verifier must understand it.",
    rule: "RFC 7515 §4.1.11; RFC 9068 §4",
    bugs: ["CVE-2025-59420", "CVE-2026-32597", "CVE-2026-35042"],
    acts: header(requireExtension),
  },
  scope_missing: {
    server: "The access token is valid, but it lacks the scope that the API requires.",
    client: "Refuses the access token with the status 403.",
    rule: "RFC 6749 §3.3, §7; RFC 6750 §3.1",
    api: { status: 403, error: "insufficient_scope", seenBy: "scope", opaque: true },
    acts: claims(({ scope, ...claims }, { variant }) => {
      if (variant === "absent") return claims;
      const right = typeof scope === "string" ? scope.split(" ") : [];
      return { ...claims, scope: narrowScope(variant, right) };
    }),
  },
  acr_weak: {
    level: "hardening",
    server: "The access token has just been issued, and its acr is not the one that the API needs.",
    client: "Refuses the access token, and names the acr that it needs.",
    rule: "RFC 9470 §3, §6: the API decides what it needs",
    api: { ...signedInOtherwise, claim: "acr" },
    acts: claims(({ acr, ...claims }, { variant }) =>
      variant === "absent" ? claims : { ...claims, acr: writeNeighbour(variant, `${acr ?? "mfa"}`, "0") }
    ),
  },
  auth_time_old: {
    level: "hardening",
    server: "The access token has just been issued, and no auth_time shows a sign-in of today.",
    client: "Refuses the access token, and names the max_age that it needs.",
    rule: "RFC 9470 §3, §6: the API decides what it needs",
    api: { ...signedInOtherwise, claim: "auth_time" },
    acts: claims(({ auth_time: _time, ...claims }, { findPast, variant }) =>
      variant === "absent" ? claims : { ...claims, auth_time: findPast() }
    ),
  },
  unreadable: {
    server: "The access token is a text that no server issued.",
    client: "Refuses the access token with the status 401, and does not fail.",
    rule: "RFC 6749 §7; RFC 6750 §3.1",
    bugs: ["CVE-2025-22868", "CVE-2025-27144", "CVE-2025-30204"],
    api: {
      ...verification,
      mustNotFail: true,
      opaque: (token, variant) => variant === "dots" ? dots : token.slice(0, token.length / 2),
    },
    acts: signed(({ signature }, { variant }) => variant === "dots" ? dots : signature.slice(0, 40)),
  },
  revoked: {
    level: "hardening",
    server: "The access token is revoked at the server, which an API sees only by introspection.",
    client: "Refuses the access token, if a revocation has to end access before the token expires.",
    rule: "RFC 6750 §3.1; RFC 7009 §3",
    api: { status: 401, error: "invalid_token", seenBy: "server", opaque: true },
    acts: changeResponse("token", async (answer, { revoke }) => {
      const { access_token: token } = membersOf(answer);
      if (typeof token !== "string") return answer;
      await revoke(token);
      return { ...answer };
    }),
  },
  similar_to_accepted: {
    server: "The API has just got a right access token, from which this one differs in one part.",
    client: "Refuses the access token, because it knows an accepted token by its whole text.",
    rule: "RFC 9068 §4; RFC 7515 §5.2; RFC 6749 §7",
    api: { ...verification, opaque: writeSimilar },
    bugs: ["CVE-2026-35030", "CVE-2026-35039"],
    needs: ["verified_access_token", "several_tokens"],
    acts: signed((jwt, { sendFirst, variant }) => {
      sendFirst(jwt.text);
      if (variant === "claims") return addScope(jwt);
      return variant === "capitals"
        ? joinJwt({ ...jwt, signature: swapCase(jwt.signature) })
        : breakSignature(jwt);
    }),
  },
  two_issuers_one_kid: {
    server:
      "The API has just got an access token of a foreign issuer, and this one has its key, and the right issuer.",
    client: "Refuses the access token, because it keeps the keys of each issuer apart.",
    rule: "RFC 9068 §4; RFC 8725 §3.8",
    bugs: ["CVE-2025-59936"],
    api: { ...verification, namesOtherServer: true },
    needs: ["verified_access_token", "several_tokens"],
    acts: anew(async ({ header, claims, signer }, { foreignKeyFor, otherServer, sendFirst, variant }) => {
      const key = foreignKeyFor(signer.publicJwk.alg);
      const kid = thumbprint(key);
      const right = `${claims["iss"]}`;
      const [other, similarKid] = joinAlike({ variant, right, otherServer, kid });
      sendFirst(await signer.sign({ ...header, kid }, { ...claims, iss: other }, key));
      return await signer.sign({ ...header, kid: similarKid }, claims, key);
    }),
  },
  subject_missing: {
    level: "hardening",
    server: "The access token has no sub, which is required, so it names no person.",
    rule: "RFC 9068 §2.2",
    acts: claims(removing("sub")),
  },
  subject_similar: {
    server: "The sub of the access token resembles the sub of another person.",
    client: "Does not answer as to the other person, because a sub must match exactly.",
    rule: "RFC 7519 §2, §4.1.2: a sub is case-sensitive, and compared as text",
    api: { ...accepted, isOfAnotherPerson: true },
    needs: ["verified_access_token", "several_tokens"],
    // Only an examination compares the answers to several people.
    watch: { elsewhere: usesAccessToken, wordProvesNothing: true, successProvesNothing: true },
    acts: claims((claims, { variant }) => ({
      ...claims,
      sub: writeNeighbour(variant, `${claims["sub"]}`, "another-person"),
    })),
  },
  issued_at_missing: lacksRequired("iat"),
  id_missing: lacksRequired("jti"),
  client_id_missing: lacksRequired("client_id"),
  issued_in_future: {
    level: "robustness",
    server: "The iat of the access token is half a minute in the future, because the clocks differ.",
    rule: "RFC 7519 §4.1.6: iat tells the age of a token, and forbids nothing",
    acts: claims(setting(({ now }) => ({ iat: Math.floor(now()) + 30 }))),
  },
  claims_unknown: {
    level: "tolerate",
    server: "The access token has claims that no standard defines.",
    client: "Ignores the claims, and accepts the access token.",
    rule: "RFC 7519 §4",
    api: { ...accepted, opaque: true },
    acts: claims(setting({ "https://as.test/unknown-claim": { version: 7, tags: [] } })),
  },
  nested_deeply: {
    ...odd,
    server: "A claim of the access token has 1,500 lists in each other.",
    rule: "RFC 8259 §9: a parser may limit the depth",
    acts: anew(({ header, claims, signer }) => {
      const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
      return signer.sign(header, `${JSON.stringify(claims).slice(0, -1)},"https://as.test/deep":${deep}}`);
    }),
  },
  long: {
    level: "robustness",
    server: "The access token has more than 4,000 characters, because it names the groups of the person.",
    rule: "RFC 6749 §5.1: no rule limits the size",
    // The client has to keep the token, too.
    watch: {},
    acts: claims(
      setting({ groups: Array.from({ length: 120 }, (_, index) => `group-${index}-of-the-person`) }),
    ),
  },
});
