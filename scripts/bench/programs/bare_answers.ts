/** The answers of the limit, with claims about as long as Postern's. */
import { Buffer } from "node:buffer";
import { confidentialClient, person, publicClient } from "../clients.ts";
import { type Claims, createBareSigner, decodeClaims } from "./bare_signer.ts";

export interface BareRequest {
  readonly path: string;
  readonly query: string;
  readonly authorization: string | undefined;
  /** Empty unless the method is POST. */
  readonly body: string;
}

export interface BareAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type AnswerBarely = (request: BareRequest) => BareAnswer | Promise<BareAnswer>;

export interface BareOptions {
  readonly alg: string;
  readonly scope: string;
  readonly issuer: string;
}

const lifetime = 3600;
const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store" };

export async function createBareAnswers({ alg, scope, issuer }: BareOptions): Promise<AnswerBarely> {
  const { signJwt, readJwt } = await createBareSigner(alg);
  const isAboutPerson = scope.split(" ").includes("openid");
  const { client_id: clientId } = isAboutPerson ? confidentialClient : publicClient;

  function signAccessToken(now: number): Promise<string> {
    return signJwt("at+jwt", {
      ...{ iss: issuer, sub: person.username, aud: issuer, client_id: clientId, scope },
      ...{ iat: now, exp: now + lifetime, auth_time: now, jti: randomText(29) },
    });
  }

  function signIdToken(now: number): Promise<string> {
    return signJwt("JWT", {
      ...{ iss: issuer, sub: person.username, aud: clientId },
      ...{ iat: now, exp: now + lifetime, auth_time: now, at_hash: randomText(16) },
    });
  }

  async function answerToken(): Promise<BareAnswer> {
    const now = Math.floor(Date.now() / 1000);
    const common = { token_type: "Bearer", expires_in: lifetime, scope };
    if (!isAboutPerson) return json({ access_token: await signAccessToken(now), ...common });
    const [accessToken, idToken] = await Promise.all([signAccessToken(now), signIdToken(now)]);
    return json({ access_token: accessToken, ...common, id_token: idToken, refresh_token: randomText(64) });
  }

  async function answerUserinfo(token: string): Promise<BareAnswer> {
    const { sub } = await readJwt(token);
    return json({ sub, ...person.claims });
  }

  return ({ path, query, authorization = "", body }) => {
    switch (path) {
      case "/oauth2/authorize":
        return redirect(new URLSearchParams(query), issuer);
      case "/oauth2/token":
        return new URLSearchParams(body).has("grant_type") ? answerToken() : json({});
      case "/oauth2/introspect":
        return json({ active: true, ...decodeClaims(new URLSearchParams(body).get("token") ?? "") });
      case "/userinfo":
        return answerUserinfo(authorization.slice("Bearer ".length));
      default:
        return json({ issuer });
    }
  };
}

function redirect(query: URLSearchParams, issuer: string): BareAnswer {
  const parameters = new URLSearchParams({
    ...{ code: randomText(24), state: query.get("state") ?? "", iss: issuer },
  });
  return { status: 303, headers: { location: `${query.get("redirect_uri")}?${parameters}` }, body: "" };
}

function json(members: Claims): BareAnswer {
  return { status: 200, headers: jsonHeaders, body: JSON.stringify(members) };
}

function randomText(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString("base64url");
}
