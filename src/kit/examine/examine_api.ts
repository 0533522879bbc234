/** Examines an API: sends it every faulty token, proof and certificate, and writes a card of what it refused. */

import types from "../../../static/other_terms.json" with { type: "json" };
import { describeProof } from "../../server/client/dpop_key.ts";
import { createRandomBytes, randomText } from "../../ground/crypto/bytes.ts";
import { type Jwk, thumbprint } from "../../ground/crypto/jwk.ts";
import { importSigningKey, signWithHeader } from "../../ground/crypto/jwt.ts";
import { parseJwt } from "../../ground/crypto/jwt_parts.ts";
import { catalogue } from "../faults/catalogue.ts";
import { keptKeys } from "../faults/judge.ts";
import { chooseMisbehaviours } from "../faults/choose.ts";
import type { Level, Misbehaviour, ProofParts } from "../faults/misbehaviour.ts";
import {
  afterUse,
  type Area,
  type ForgeryName,
  type MisbehaviourName,
  sameSubject,
} from "../faults/names.ts";
import type { Claims } from "../../ground/values/members.ts";
import { pause, within as endsWithin } from "../../server/runtime/real_timer.ts";
import { deriveSigningJwk } from "../mock/conditions/derived_key.ts";
import type { ClientCertificate } from "../mock/client/client_certificates.ts";
import type { Tenant } from "../mock/tenant.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { usernameIn } from "../mock/terms/username_in.ts";
import { requireTerms } from "../mock/terms/known_options.ts";
import { requireFunction } from "../mock/terms/wrong_term.ts";
import type { ForgeTerms } from "../mock/tokens/forge.ts";
import { loadedOften } from "../faults/mends.ts";
import { type ApiOutcome, describeApiAnswer, describeForgery, errorsOf, type Sent } from "./api_outcome.ts";
import { readRefusedBy, type RefusedBy } from "./refused_by.ts";
import { describeRow } from "./card_row.ts";
import type { Card, CardRow } from "./examine.ts";
import { present } from "../../ground/values/present.ts";
import { runVariants } from "./run_variants.ts";

/** What to examine, and how. */
export interface ExamineApiTerms {
  /** The server whose tokens the API accepts. */
  readonly as: Tenant;
  /**
   * Sends a request to the API and resolves to its answer. With a proof, the request has the scheme `DPoP` and the header
   * `DPoP`. Without a proof, it has the scheme `Bearer`. With a certificate, the request shows it.
   */
  readonly call: (
    token: string,
    proof?: string,
    certificate?: ClientCertificate,
  ) => Response | Promise<Response>;
  /** The scope that the request needs. */
  readonly scope?: string | readonly string[];
  /** The `aud` that names the API. Default: the only configured resource, or the issuer. */
  readonly audience?: string;
  /** The username of the person of the tokens. */
  readonly username?: string;
  /** @deprecated Use `username`. */
  readonly person?: string;
  /** The id of the client of the tokens. */
  readonly client?: string;
  /** Claims that the API needs in each token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The request, if the API supports DPoP: then all tokens are bound to a key, and faulty proofs are sent, too. */
  readonly dpop?: { readonly url: string; readonly method?: string };
  /**
   * The certificate of the client, if the API supports mutual TLS (RFC 8705): then all tokens are bound to it, and faulty
   * requests are sent, too. Not together with `dpop`.
   */
  readonly certificate?: ClientCertificate;
  /** Names of misbehaviours or of areas. Default: all that are about APIs. */
  readonly only?: readonly (MisbehaviourName | Area)[];
  /** The levels of the misbehaviours. Default: all. */
  readonly level?: Level | readonly Level[];
  /**
   * What the API answers in place of a refusal with the status 400, 401 or 403. For example, `redirect`, `status:404`, or
   * `body:access denied` for an answer with this text.
   */
  readonly refusedBy?: RefusedBy | readonly RefusedBy[];
  /** The time for one request, in seconds of real time. Default: 3. @exclusiveMinimum 0 */
  readonly within?: number;
}

const doing = "examine an API";
/** A certificate may have more members than `certificate()` returns. */
const shownCertificate: Schema = {
  type: "object",
  required: ["thumbprint"],
  properties: { thumbprint: { type: "string" } },
};

/** The right token has to pass at first, and after each faulty one: the refusals of an API that refuses it prove nothing. */
export async function examineApi(terms: ExamineApiTerms): Promise<Card> {
  requireTerms(doing, terms, types.ExamineApiTerms, { certificate: shownCertificate });
  requireFunction(doing, terms.call, "a function as call, which sends a token to the API");
  const { only, level: levels, dpop, certificate } = terms;
  if (dpop !== undefined && certificate !== undefined) {
    throw new TypeError(
      `Cannot ${doing} with both dpop and certificate, because a token is bound to one key: leave out one of them`,
    );
  }
  const names = chooseMisbehaviours({ only, levels }, `Cannot ${doing}`)
    .filter((name) => catalogue.get(name)!.api !== undefined);
  if (names.length === 0) throw new TypeError(`Cannot ${doing}: no chosen misbehaviour is about APIs`);
  // An API loads the keys once.
  const publishing = names.filter((name) => publishesKeys(name) && loadsOf(name) === 0)
    .map((name) => terms.as.misbehave(name, { probability: 0 }));
  try {
    const caller = createCaller(terms);
    const refusal = await caller.findRefusal();
    if (refusal !== undefined) {
      throw new Error(
        `Cannot ${doing}, because it does not accept the right token: ${refusal}${adviceOn(refusal)}`,
      );
    }
    const rows = new Map<MisbehaviourName, CardRow>();
    for (const name of names.toSorted((one, other) => rankOf(one) - rankOf(other))) {
      const entry = catalogue.get(name)!;
      rows.set(name, describeRow(name, { requests: [], ...await examineOne(name, entry, caller) }));
    }
    return { phases: ["call_api"], rows: names.map((name) => rows.get(name)!) };
  } finally {
    for (const each of publishing) each[Symbol.dispose]();
  }
}

/** Whether the server publishes the key of the faulty token, besides its own. */
function publishesKeys(name: MisbehaviourName): boolean {
  return catalogue.get(name)!.prepares?.includes("key_set") === true;
}

/** How often the API has to load the keys during the row, because they change. */
function loadsOf(name: MisbehaviourName): number {
  return catalogue.get(name)!.api?.loads ?? 0;
}

/**
 * The rows for which the keys change come early, because an API may wait for a time before it loads them again. Before them comes
 * the token that only one published key must fit, and last the many tokens for which an API may load no keys.
 */
function rankOf(name: MisbehaviourName): number {
  if (name === "access_token.kid_missing") return 0;
  return catalogue.get(name)!.api?.times !== undefined ? 3 : loadsOf(name) > 0 ? 1 : 2;
}

async function examineOne(name: MisbehaviourName, entry: Misbehaviour, caller: Caller): Promise<ApiOutcome> {
  const found = await sendFault(name, entry, caller);
  const { outcome, requests = [] } = found;
  if (outcome === "not_applicable" || outcome === "hung" || requests.length > 0) return found;
  const refusal = await caller.findRefusal();
  if (refusal === undefined) return found;
  const because = `Afterwards the API does not accept the right token: ${refusal}`;
  // An API that accepted the faulty token was wrong then, however it answers now.
  if (outcome === "fooled") return { ...found, because: `${found.because} ${because}` };
  return { outcome: entry.api!.mustNotFail ? "broke" : "unknown", because };
}

async function sendFault(name: MisbehaviourName, entry: Misbehaviour, caller: Caller): Promise<ApiOutcome> {
  if (entry.proofs !== undefined) return await caller.sendProofs(name, entry);
  if (entry.certificate !== undefined) return await caller.sendCertificate(name, entry);
  if (entry.api!.isOfAnotherPerson) return await caller.sendSimilarSubjects(name as ForgeryName, entry);
  return await caller.sendForgery(name as ForgeryName, entry);
}

interface Caller {
  /** Sends the right token. Returns a sentence if the API does not accept it. */
  findRefusal(): Promise<string | undefined>;
  sendForgery(name: ForgeryName, entry: Misbehaviour): Promise<ApiOutcome>;
  sendSimilarSubjects(name: ForgeryName, entry: Misbehaviour): Promise<ApiOutcome>;
  sendProofs(name: MisbehaviourName, entry: Misbehaviour): Promise<ApiOutcome>;
  sendCertificate(name: MisbehaviourName, entry: Misbehaviour): Promise<ApiOutcome>;
}

function createCaller(
  { as, call, dpop, certificate, refusedBy, within = 3, ...terms }: ExamineApiTerms,
): Caller {
  const findDeclared = readRefusedBy(refusedBy, doing);
  const random = createRandomBytes();
  // A frozen key is imported once.
  const privateJwk = dpop && Object.freeze(deriveSigningJwk("ES256", random));
  const tokenOptions = describeTokens(terms, privateJwk, certificate);

  let nonce: string | undefined;
  let sample: Promise<string> | undefined;
  /** Returns a right token that is only read: each token that is sent is a new one. */
  const readSample = () => sample ??= as.mint(tokenOptions);

  const describeParts = (accessToken: string): ProofParts => {
    const { d: _d, ...jwk } = privateJwk!;
    const { url, method = "GET" } = dpop!;
    const jti = randomText(random, 16);
    return {
      ...describeProof({ alg: "ES256", jwk }, {
        method,
        url,
        jti,
        now: as.clock.now,
        accessToken,
        ...present({ nonce }),
      }),
      privateJwk: privateJwk!,
      sign: async (header, claims, key = privateJwk!) =>
        await signWithHeader(await importSigningKey(key, "ES256"), header, claims),
    };
  };

  const proveRightly = async (token: string) => {
    if (privateJwk === undefined) return undefined;
    const { header, claims, sign } = describeParts(token);
    return await sign(header, claims);
  };

  const sendWith = (shown: ClientCertificate | undefined, token: string, proof?: string) =>
    settle(async () => {
      const response = await call(token, proof, shown);
      // An API may offer nonces that it does not demand.
      if (nonce !== undefined || demandsNonce(response)) nonce = response.headers.get("dpop-nonce") ?? nonce;
      return { response, declared: await findDeclared(response) };
    }, within);
  const send = (token: string, proof?: string) => sendWith(certificate, token, proof);

  // An API that answered too late is examined again, so it may have loaded the keys before.
  const hasLoadedKeyOf = (name: MisbehaviourName) =>
    as.requests.jwks.some(({ altered = [] }) => altered.some(({ by }) => by === name));

  /** With a proof that is right. RFC 9449 §9: the API may demand a nonce, which its answer has. */
  const sendRightly = async (token: string) => {
    const known = nonce;
    const sent = await send(token, await proveRightly(token));
    const isDemanded = "response" in sent && nonce !== known &&
      demandsNonce(sent.response);
    return isDemanded ? await send(token, await proveRightly(token)) : sent;
  };

  /** Returns nothing if the API did not accept the token, or if its answer does not end. */
  const readAnswer = async (sent: Sent): Promise<string | undefined> => {
    if (!("response" in sent) || sent.declared !== undefined || !sent.response.ok) return undefined;
    const text = sent.response.text().catch(() => undefined);
    return await endsWithin(within, text) ? await text : undefined;
  };

  const judgeRight = async (token: string) =>
    describeApiAnswer({ level: "tolerate", api: { status: 200 } }, await sendRightly(token));
  const findRefusalOf = async (token: string) => {
    const { outcome, because } = await judgeRight(token);
    return outcome === "tolerated" ? undefined : because;
  };

  const mintWith = (claims: Claims) =>
    as.mint({ ...tokenOptions, claims: { ...tokenOptions.claims, ...claims } });
  const mintPadded = (padding: string) => mintWith({ "https://as.test/padding": padding });

  const isOwnName = async (audience: string) =>
    [parseJwt(await readSample())?.claims["aud"]].flat().includes(audience);

  /** Whether the API accepts a right token of this length, which a claim fills. */
  const acceptsLength = async (length: number) => {
    const { length: least } = await mintPadded("");
    // Four characters of a JWT are three octets.
    const token = await mintPadded("x".repeat(Math.floor((length - least) * 3 / 4)));
    return await findRefusalOf(token) === undefined;
  };

  /** A right token apart from its end. Two with the same end differ in their `jti` only. */
  const mintUntil = (end: number) => mintWith({ iat: end - hour, exp: end });
  // An API that fails or is late has not refused.
  const refusesUntil = async (end: number) => (await judgeRight(await mintUntil(end))).outcome === "broke";

  /** Finds the leeway of the API, and sends a token that it accepts at first, and that ends by this leeway. */
  const sendAfterUse = async (entry: Misbehaviour): Promise<ApiOutcome> => {
    const start = Math.floor(as.clock.now);
    // Each API refuses a token that ended before the first, and accepts one that ends after the second.
    let [refused, accepted] = [-hour, usualLifetime];
    if (!await refusesUntil(start + refused)) return leaveOut(acceptsExpired);
    if (await refusesUntil(start + accepted)) return { outcome: "unknown", because: endsTooSoon };
    while (accepted - refused > 1) {
      const middle = Math.floor((refused + accepted) / 2);
      if (await refusesUntil(Math.floor(as.clock.now) + middle)) refused = middle;
      else accepted = middle;
    }
    // On a busy machine, time has gone by since the token that the API accepted.
    for (const margin of [1, 5]) {
      const end = Math.floor(as.clock.now) + accepted + margin;
      const token = await mintUntil(end);
      if (await findRefusalOf(token) === undefined) return await sendAgain(entry, token, { end, refused });
    }
    return { outcome: "unknown", because: endsTooSoon };
  };

  /** Sends the token after its end. */
  const sendAgain = async (
    entry: Misbehaviour,
    token: string,
    { end, refused }: { readonly end: number; readonly refused: number },
  ): Promise<ApiOutcome> => {
    const before = as.clock.now;
    const isFrozen = as.clock.frozen;
    try {
      // The token that was refused before may have come late, so that its leeway is longer.
      for (const seconds of [end - refused - before, ...longer]) {
        if (isFrozen) as.clock.advance(seconds);
        else await pause(seconds);
        // Another token with this end shows that the time has come for the API, too.
        if (await refusesUntil(end)) return describeApiAnswer(entry, await sendRightly(token));
      }
      return { outcome: "unknown", because: anotherClock };
    } finally {
      if (isFrozen) as.clock.set(before);
    }
  };

  return {
    async findRefusal() {
      return await findRefusalOf(await as.mint(tokenOptions));
    },
    async sendForgery(name, entry) {
      if (!entry.api!.opaque && !isJwt(await readSample())) {
        return leaveOut(needsJwt);
      }
      const { times = 1, claim, endsAfterUse, isForIssuer } = entry.api!;
      if (isForIssuer && await isOwnName(as.issuer)) return leaveOut(namedAsIssuer);
      if (endsAfterUse) return await sendAfterUse(entry);
      if (claim !== undefined && terms.claims?.[claim] === undefined) return leaveOut(needsNo(claim));
      const { length: loadsBefore } = as.requests.jwks;
      for (let sent = 1; sent < times; sent++) {
        const { token } = await as.forge(name, tokenOptions);
        const earlier = describeApiAnswer(entry, await sendRightly(token));
        if (earlier.outcome !== "noticed") return earlier;
      }
      const needed = loadsOf(name);
      const changing = needed === 0 ? undefined : as.misbehave(name, { probability: 0 });
      let asksOtherIssuer = false;
      const judgeVariant = async (variant: string | undefined): Promise<ApiOutcome> => {
        const forgery = await as.forge(name, { ...tokenOptions, ...present({ variant }) });
        for (const token of forgery.first) await sendRightly(token);
        const sent = await sendRightly(forgery.token);
        asksOtherIssuer ||= forgery.issuerRequests.length > 0;
        const judged = describeForgery(entry, sent, forgery.requests);
        const { outcome } = judged;
        const loads = as.requests.jwks.length - loadsBefore;
        if (times > 1 && outcome === "noticed" && loads > mostLoads) {
          return { outcome: "fooled", because: `${loadedOften}${loads} times for ${times} tokens.` };
        }
        const mayBeTooLong = entry.api!.mayBeTooLong && outcome !== "fooled" && !namesError(sent);
        if (mayBeTooLong && !await acceptsLength(forgery.token.length)) {
          return { outcome: "not_reached", because: tooLong };
        }
        const isBlind = publishesKeys(name) && !hasLoadedKeyOf(name);
        const hasOldKeys = loads < needed;
        // An API that accepts a token without its key has verified nothing, and one with the key may keep it for a time.
        const isOfOldKeys = outcome === "noticed" || outcome === "broke" ||
          outcome === "fooled" && needed > 1 && !isBlind;
        if (hasOldKeys && isOfOldKeys) return { outcome: "unknown", because: `The API ${keptKeys}` };
        return needed === 0 && isBlind && outcome === "noticed"
          ? { outcome: "unknown", because: unseenKey }
          : judged;
      };
      try {
        const judged = await runVariants(name, judgeVariant);
        const hasOneIssuer = entry.api!.namesOtherServer && !asksOtherIssuer;
        return hasOneIssuer && judged.outcome === "noticed" ? leaveOut(oneIssuer) : judged;
      } finally {
        changing?.[Symbol.dispose]();
      }
    },
    async sendSimilarSubjects(name, entry) {
      const subject = subjectOf(await readSample());
      if (subject === undefined) return leaveOut(needsJwt);
      const readFor = async (sub: string) => await readAnswer(await sendRightly(await mintWith({ sub })));
      const [answer, again] = [await readFor(subject), await readFor(subject)];
      // A person without data may get the answer of each person whom the API does not know.
      if (answer === undefined || answer !== again || answer === await readFor("another-person")) {
        return leaveOut(showsNoPerson);
      }
      const judged = await runVariants(name, async (variant): Promise<ApiOutcome> => {
        const { token } = await as.forge(name, { ...tokenOptions, ...present({ variant }) });
        const sent = await sendRightly(token);
        const answered = describeApiAnswer(entry, sent);
        const text = await readAnswer(sent);
        if (text === undefined) {
          const isRefused = "response" in sent && !sent.response.ok && sent.response.status < 500;
          return isRefused ? { ...answered, outcome: "noticed" } : answered;
        }
        if (text === answer) return { outcome: "fooled", because: `${answered.because} ${sameAnswer}` };
        const isRenamed = text.replaceAll(`${subjectOf(token)}`, subject) === answer;
        return isRenamed
          ? { outcome: "unknown", because: showsNoPerson }
          : { outcome: "noticed", because: answered.because };
      });
      return judged.outcome === "unknown" && judged.because === showsNoPerson
        ? leaveOut(showsNoPerson)
        : judged;
    },
    async sendProofs(name, entry) {
      if (privateJwk === undefined) {
        return leaveOut("The API is examined without DPoP, which dpop (or the flag --dpop) switches on.");
      }
      const token = await as.mint(entry.isUnbound ? { ...tokenOptions, dpop: false } : tokenOptions);
      return await runVariants(name, async (variant) => {
        const jkt = entry.bindsTo?.(thumbprint(privateJwk), variant);
        const presented = jkt === undefined ? token : await as.mint({
          ...tokenOptions,
          dpop: false,
          claims: { ...tokenOptions.claims, cnf: { jkt } },
        });
        const proofs = await entry.proofs!({ ...describeParts(presented), ...present({ variant }) });
        if (proofs.length === 0) return leaveOut(`${entry.lacks}`);
        for (const proof of proofs.slice(0, -1)) await send(presented, proof);
        return describeApiAnswer(entry, await send(presented, proofs.at(-1)));
      });
    },
    async sendCertificate(name, entry) {
      if (certificate === undefined) {
        return leaveOut("The API is examined without certificates, which certificate switches on.");
      }
      const subjectFor = (variant?: string) => variant === sameSubject ? certificate.subject : undefined;
      const createOther = (variant?: string) =>
        as.certificate("examine-api", present({ subject: subjectFor(variant) }));
      return await runVariants(name, async (variant) => {
        const token = await as.mint(tokenOptions);
        if (variant === afterUse) await send(token);
        const shown = entry.certificate === "other" ? await createOther(variant) : undefined;
        return describeApiAnswer(entry, await sendWith(shown, token));
      });
    },
  };
}

function describeTokens(
  { scope, audience, username, person, client, claims }: Partial<ExamineApiTerms>,
  dpop: Jwk | undefined,
  certificate: ClientCertificate | undefined,
): ForgeTerms {
  return {
    ...present({
      scope,
      username: usernameIn({ username, person }),
      client,
      dpop,
      // As a claim, because the name of an API need not be a URI.
      resource: audience === undefined ? undefined : [],
    }),
    claims: {
      ...claims,
      ...present({ aud: audience, cnf: certificate && { "x5t#S256": certificate.thumbprint } }),
    },
  };
}

function demandsNonce(response: Response): boolean {
  return errorsOf(response).includes("use_dpop_nonce");
}

// A key may be new, so a few loads are right.
const mostLoads = 5;

/** RFC 9470 §3. The tokens are minted, so that no person can sign in otherwise. */
function adviceOn(refusal: string): string {
  if (!refusal.includes("insufficient_user_authentication")) return "";
  return '. Give the claims that the API needs as claims (on the command line --claims), such as {"acr":"mfa"}';
}

const needsJwt = "The access tokens are opaque (accessTokens), and this fault is in a part of a JWT.";

const showsNoPerson = "The answers of the API do not show whose data they are.";

const sameAnswer = "It is the answer to the person with the other sub.";

const needsNo = (claim: string): string =>
  `The API is examined without ${claim} among the claims that it needs.`;

const namedAsIssuer = "The API is examined with the issuer as its aud, so the issuer is its name.";

const unseenKey = "The API has not loaded the key of this token, which the server publishes.";

const oneIssuer = "The API loads the keys of one issuer only, so it cannot mix them up.";

// In seconds. An API with a greater leeway is judged by the row about expired tokens.
const hour = 3600;
const usualLifetime = 60;
const longer: readonly number[] = [1, 2, 4];

const acceptsExpired =
  "The API accepts a token that expired an hour ago, so nothing shows when a token ends for it.";

const endsTooSoon = "The API does not accept a token that is about to expire.";

const anotherClock = "The clock of the API is another one, so the token did not expire for it.";

const tooLong = "The API, or its HTTP server, accepts no token of this length, not even a right one.";

/** An HTTP server that takes no such header writes no error code for a token, so the API itself has refused. */
function namesError(sent: Sent): boolean {
  return "response" in sent && errorsOf(sent.response).length > 0;
}

/** The setting or the API makes the misbehaviour impossible, so it is not counted. */
function leaveOut(because: string): ApiOutcome {
  return { outcome: "not_applicable", because };
}

function isJwt(token: string): boolean {
  return token.split(".").length === 3;
}

function subjectOf(token: string): string | undefined {
  const sub = parseJwt(token)?.claims["sub"];
  return sub === undefined ? undefined : `${sub}`;
}

async function settle(call: () => Promise<Sent>, within: number): Promise<Sent> {
  const answered = call().catch((thrown): Sent => ({ thrown }));
  return await endsWithin(within, answered) ? await answered : { isLate: true };
}
