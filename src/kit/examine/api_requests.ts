/** The requests of an examination to an API: right tokens with right proofs, and what the API answers to them. */

import { describeProof } from "../../server/client/dpop_key.ts";
import { within as endsWithin } from "../../server/runtime/real_timer.ts";
import { createRandomBytes, randomText } from "../../ground/crypto/bytes.ts";
import type { Jwk } from "../../ground/crypto/jwk.ts";
import { importSigningKey, signWithHeader } from "../../ground/crypto/jwt.ts";
import type { Claims } from "../../ground/values/members.ts";
import { present } from "../../ground/values/present.ts";
import type { ProofParts } from "../faults/misbehaviour.ts";
import type { ClientCertificate } from "../mock/client/client_certificates.ts";
import { deriveSigningJwk } from "../mock/conditions/derived_key.ts";
import { usernameIn } from "../mock/terms/username_in.ts";
import type { ForgeTerms } from "../mock/tokens/forge.ts";
import { type ApiOutcome, describeApiAnswer, errorsOf, type Sent } from "./api_outcome.ts";
import type { ExamineApiTerms } from "./examine_api_terms.ts";
import { readRefusedBy } from "./refused_by.ts";

export interface ApiRequests extends Pick<ExamineApiTerms, "as" | "claims" | "certificate"> {
  /** What all tokens have that are right apart from a fault. */
  readonly tokenOptions: ForgeTerms;
  /** The key of the proofs. Absent: the API is examined without DPoP. */
  readonly privateJwk: Jwk | undefined;
  /** Mints a right token, with more claims. */
  mint(claims?: Claims): Promise<string>;
  /** Returns a right token that is only read: each token that is sent is a new one. */
  readSample(): Promise<string>;
  /** Describes a right proof for the token. */
  describeParts(token: string): ProofParts;
  /** Shows the certificate of the client, if it has one. */
  send(token: string, proof?: string): Promise<Sent>;
  sendWith(shown: ClientCertificate | undefined, token: string, proof?: string): Promise<Sent>;
  /** With a proof that is right. RFC 9449 §9: the API may demand a nonce, which its answer has. */
  sendRightly(token: string): Promise<Sent>;
  /** Sends a right token: `tolerated` says that the API accepts it. */
  judgeRight(token: string): Promise<ApiOutcome>;
  /** Sends a right token. Returns a sentence if the API does not accept it. */
  findRefusal(token: string): Promise<string | undefined>;
  /** Returns nothing if the API did not accept the token, or if its answer does not end. */
  readAnswer(sent: Sent): Promise<string | undefined>;
}

export function createApiRequests(
  { as, call, dpop, certificate, refusedBy, within = 3, ...terms }: ExamineApiTerms,
  doing: string,
): ApiRequests {
  const findDeclared = readRefusedBy(refusedBy, doing);
  const random = createRandomBytes();
  // A frozen key is imported once.
  const privateJwk = dpop && Object.freeze(deriveSigningJwk("ES256", random));
  const tokenOptions = describeTokens(terms, privateJwk, certificate);
  let nonce: string | undefined;
  let sample: Promise<string> | undefined;

  function describeParts(accessToken: string): ProofParts {
    const { d: _d, ...jwk } = privateJwk!;
    const { url, method = "GET" } = dpop!;
    const jti = randomText(random, 16);
    const proof = { method, url, jti, now: as.clock.now, accessToken, ...present({ nonce }) };
    return {
      ...describeProof({ alg: "ES256", jwk }, proof),
      privateJwk: privateJwk!,
      sign: async (header, claims, key = privateJwk!) =>
        await signWithHeader(await importSigningKey(key, "ES256"), header, claims),
    };
  }

  async function proveRightly(token: string): Promise<string | undefined> {
    if (privateJwk === undefined) return undefined;
    const { header, claims, sign } = describeParts(token);
    return await sign(header, claims);
  }

  const sendWith: ApiRequests["sendWith"] = (shown, token, proof) =>
    settle(async () => {
      const response = await call(token, proof, shown);
      // An API may offer nonces that it does not demand.
      if (nonce !== undefined || demandsNonce(response)) nonce = response.headers.get("dpop-nonce") ?? nonce;
      return { response, declared: await findDeclared(response) };
    }, within);
  const send: ApiRequests["send"] = (token, proof) => sendWith(certificate, token, proof);

  async function sendRightly(token: string): Promise<Sent> {
    const known = nonce;
    const sent = await send(token, await proveRightly(token));
    const isDemanded = "response" in sent && nonce !== known && demandsNonce(sent.response);
    return isDemanded ? await send(token, await proveRightly(token)) : sent;
  }

  const judgeRight = async (token: string) =>
    describeApiAnswer({ level: "tolerate", api: { status: 200 } }, await sendRightly(token));

  return {
    as,
    ...present({ claims: terms.claims, certificate }),
    tokenOptions,
    privateJwk,
    mint: (claims) => as.mint({ ...tokenOptions, claims: { ...tokenOptions.claims, ...claims } }),
    readSample: () => sample ??= as.mint(tokenOptions),
    describeParts,
    ...{ send, sendWith, sendRightly, judgeRight },
    async findRefusal(token) {
      const { outcome, because } = await judgeRight(token);
      return outcome === "tolerated" ? undefined : because;
    },
    async readAnswer(sent) {
      if (!("response" in sent) || sent.declared !== undefined || !sent.response.ok) return undefined;
      const text = sent.response.text().catch(() => undefined);
      return await endsWithin(within, text) ? await text : undefined;
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

async function settle(call: () => Promise<Sent>, within: number): Promise<Sent> {
  const answered = call().catch((thrown): Sent => ({ thrown }));
  return await endsWithin(within, answered) ? await answered : { isLate: true };
}
