/** What Google answers a service account, which signs a JWT in place of a login. */

import { json } from "../../../ground/http/respond.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import { readForm, requireParam, requireUnrepeatedForm } from "../../../server/oauth/contracts/params.ts";
import { fail, type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import {
  answerDirectly,
  redeemForItself,
  redeemForPerson,
  requireDirectAccess,
} from "../../../server/oauth/tokens/issue_directly.ts";
import { signToken, specifiedAlg } from "../../../server/oauth/tokens/sign_token.ts";
import { withoutScopes } from "./differences.ts";
import { findSigner, findWrongEnd } from "./jwt_signer.ts";

const refusal = refusals({ error: "invalid_grant" }, {
  provider_account_unproven: {
    sentence: "Invalid JWT Signature",
    expected:
      "a JWT by RS256 of a service account that is configured: its client_id is the iss, and its jwks has the key",
    change: "Configure the service account as a client, with the public half of its private key in jwks.",
  },
  provider_account_expired: {
    sentence: "Invalid JWT: Token must be a short-lived token and in a reasonable timeframe",
    expected: "an exp at most an hour from now",
    change: "Create a new JWT, and compare the clocks of the program and of the server.",
  },
  provider_account_audience: {
    sentence: "Invalid JWT: Failed audience check",
    expected: "the address of the token endpoint as the only aud",
    change: "Set aud of the JWT to the address of the token endpoint.",
  },
  provider_account_scope: {
    error: "invalid_scope",
    sentence: "Invalid OAuth scope or ID token audience provided",
    expected: "the claim scope or target_audience with text",
    change: "Name scopes in the claim scope of the JWT, or the audience of an ID token in target_audience.",
  },
  provider_account_person: {
    sentence: "Not a valid email",
    expected: "the email of a person of this server",
    change: "Name a person of the configuration by the email, or leave sub out of the JWT.",
  },
});

export const refused: RefusalRows = refusal.rows;

const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";

export function redeemsAssertion(usual: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, services, variable) => {
    // parse
    const form = await readForm(exchange);
    if (form.get("grant_type") !== grantType) return await usual(exchange, services, variable);
    requireUnrepeatedForm(form);
    // identify
    const { client, claims } =
      await findSigner(withUsualSignature(requireParam(form, "assertion")), services) ??
        fail(refusal("provider_account_unproven"));
    exchange.note({ clientId: client.id });
    // validate
    checkAssertion(claims, exchange, services);
    const { target_audience: audience } = claims;
    if (typeof audience === "string") {
      return json({ id_token: await signIdToken(audience, client, exchange, services) });
    }
    // act, respond
    const redemption = await redeem(client, claims, exchange, services);
    return await answerDirectly({ ...redemption, accessTokenOnly: true }, client, exchange, services);
  };
}

/** Some libraries write the signature in the other alphabet of base64. */
function withUsualSignature(jwt: string): string {
  const start = jwt.lastIndexOf(".") + 1;
  const signature = jwt.slice(start).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return jwt.slice(0, start) + signature;
}

// In seconds.
const longestLife = 3600;

function checkAssertion(
  claims: Claims,
  { request: { address } }: Exchange,
  services: Services,
): void {
  const received = findWrongEnd(claims, longestLife, services);
  if (received !== undefined) throw refusal("provider_account_expired", { received });
  const { aud } = claims;
  const usual = "https://oauth2.googleapis.com/token";
  if (aud !== usual && aud !== address.origin + address.path) {
    throw refusal("provider_account_audience", { received: JSON.stringify(aud) ?? "no aud" });
  }
}

/** With `sub`, the service account acts for this person, as the administrator of a domain may let it. */
async function redeem(
  client: Client,
  { scope, sub }: Claims,
  exchange: Exchange,
  services: Services,
): ReturnType<typeof redeemForPerson> {
  if (typeof scope !== "string" || scope === "") throw refusal("provider_account_scope");
  const access = requireDirectAccess(scope, [], client, services);
  // Some libraries write null if they name no person.
  if (sub === undefined || sub === null || sub === client.id) {
    // The default scopes of gcloud begin with openid.
    const own = { scope: withoutScopes(scope, ["openid"]), resource: [] };
    return redeemForItself(own, client, exchange, services);
  }
  const person = services.settings.people.findByHint(String(sub)) ?? fail(refusal("provider_account_person"));
  exchange.note({ subject: person.subject });
  return await redeemForPerson({ person, access, nonce: undefined }, client, services);
}

export async function signIdToken(
  aud: string,
  { id: email }: Client,
  exchange: Exchange,
  services: Services,
): Promise<string> {
  const iat = Math.floor(services.now());
  const { issuer: iss } = services.settings;
  const claims = {
    iss,
    aud,
    azp: email,
    sub: email,
    email,
    email_verified: true,
    iat,
    exp: iat + longestLife,
  };
  const terms = { token: "id_token", typ: "JWT", alg: specifiedAlg(services.settings), claims } as const;
  return await signToken(terms, exchange, services);
}
