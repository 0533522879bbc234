/** Issues an ID-JAG: what another server accepts for a person (draft-ietf-oauth-identity-assertion-authz-grant §3, §4.3). */

import { isAbsoluteUri } from "../../../ground/http/address.ts";
import { narrowScope, parseScope } from "../../oauth/clients/metadata/scope.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { Params } from "../../oauth/contracts/params.ts";
import { acrOf, subjectFor } from "../../oauth/people/claims.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { passSeam } from "../../oauth/contracts/seams.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import type { ExchangeableToken } from "../../oauth/contracts/exchangeable_token.ts";
import { describeIdJag, idJagTyp } from "../../oauth/tokens/id_jag_claims.ts";
import type { IssuedToken, Redemption } from "../../oauth/contracts/redemption.ts";
import { signToken } from "../../oauth/tokens/sign_token.ts";
import { present } from "../../../ground/values/present.ts";
import type { IdJagServer } from "./exchange_options.ts";
import { type Requester, suggestOptions } from "./require_allowed.ts";

const spec = "draft-ietf-oauth-identity-assertion-authz-grant §4.3";

const refusal = refusals({ error: "invalid_target" }, {
  id_jag_audience_missing: {
    spec,
    sentence: "A request for an ID-JAG needs one audience",
    expected: "one audience: the issuer of the server that accepts the ID-JAG",
    change: "Send one audience, which is the issuer of the server that accepts the ID-JAG.",
  },
  id_jag_audience_not_allowed: {
    spec,
    sentence: "This client gets no ID-JAG for this audience",
    expected: "an audience of token_exchange.id_jag",
    change:
      "Add the audience, and the client_id that the client has there, to token_exchange.id_jag of this client.",
  },
  id_jag_resource_malformed: {
    spec: "RFC 8707 §2",
    sentence: "A resource must be an absolute URI without a fragment",
    change: "Send an absolute URI without a fragment as resource.",
  },
  id_jag_token_of_another_client: {
    error: "invalid_request",
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §4.3.3",
    sentence: "A client gets an ID-JAG for its own token only, but this one is of {origin}",
    expected: "an ID token of the client that sends the request",
    change: "Exchange the ID token that this client got itself.",
  },
  id_jag_without_person: {
    error: "invalid_request",
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §3",
    sentence: "An ID-JAG is about a person, but the subject_token is about a client",
    expected: "a token of a person who signed in",
    change: "Exchange the token of a person who signed in.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function requireIdJagServer(form: Params, requester: Requester, services: Services): IdJagServer {
  const [audience, second] = form.all("audience");
  if (audience === undefined || second !== undefined) {
    throw refusal("id_jag_audience_missing", { received: second === undefined ? "none" : "several" });
  }
  const { id_jag: servers = [] } = requester.options;
  const server = servers.find((each) => each.audience === audience);
  if (server !== undefined) return server;
  throw refusal("id_jag_audience_not_allowed", {
    expected: servers.map((each) => each.audience).join(" or ") ||
      "token_exchange.id_jag, which the client lacks",
    received: audience,
    ...suggestOptions(requester, { id_jag: [...servers, { audience, client_id: "the id there" }] }, services),
  });
}

export interface IdJagRequest {
  readonly form: Params;
  readonly subject: ExchangeableToken;
  readonly server: IdJagServer;
  readonly requester: Requester;
  /** The claims about actors. */
  readonly claims: Claims;
}

export async function issueIdJag(
  request: IdJagRequest,
  exchange: Exchange,
  services: Services,
): Promise<Redemption> {
  const { form, subject, server, requester: { client } } = request;
  const { issuedFor, origin } = subject;
  if (origin !== client.id) {
    throw refusal("id_jag_token_of_another_client", {
      origin,
      expected: `a token of ${client.id}`,
      received: origin,
    });
  }
  if (issuedFor.grantId === undefined) throw refusal("id_jag_without_person");
  // The client may have exchanged the token of another client, to which the person signed in.
  const owner = issuedFor.grant.clientId;
  if (owner !== client.id) {
    throw refusal("id_jag_token_of_another_client", {
      origin: owner,
      expected: `a token of a login at ${client.id}`,
      received: `a token in exchange for one of ${owner}`,
    });
  }
  const resource = form.all("resource");
  const malformed = resource.find((each) => !isAbsoluteUri(each));
  if (malformed !== undefined) throw refusal("id_jag_resource_malformed", { received: malformed });
  const scope = chooseScope(form.get("scope"), server.scope);
  exchange.note({ scope, resource });
  const otherToken = await createIdJag({ ...request, scope, resource }, exchange, services);
  return { ...issuedFor, scope, resource, otherToken };
}

/** These are scopes of the other server. Without configured ones, the client may request any. */
function chooseScope(requested: string | undefined, allowed = requested): readonly string[] {
  return allowed === undefined ? [] : narrowScope(requested, parseScope(allowed) ?? []);
}

async function createIdJag(
  { subject, server, requester, claims: actor, scope, resource }: IdJagRequest & {
    readonly scope: readonly string[];
    readonly resource: readonly string[];
  },
  exchange: Exchange,
  services: Services,
): Promise<IssuedToken> {
  const { settings, seams } = services;
  const { issuedFor: { grant }, expiresAt: endsAt } = subject;
  const { confirmation } = requester.sender;
  const usual = describeIdJag({
    audience: server.audience,
    clientId: server.client_id,
    subject: await subjectAt(server.audience, subject, requester, services),
    ...{ scope, resource, endsAt },
    emailOf: subject.scope.includes("email") ? settings.people.findBySubject(grant.subject) : undefined,
  }, services);
  const described = {
    ...actor,
    ...usual,
    ...present({
      auth_time: grant.authTime,
      acr: acrOf(grant, services),
      amr: grant.amr.length === 0 ? undefined : grant.amr,
      cnf: confirmation && { [confirmation.method]: confirmation.thumbprint },
    }),
  };
  const value = { token: "id_jag", claims: described } as const;
  const { claims } = await passSeam(seams, "claims", value, exchange, grant);
  const terms = { token: "id_jag", typ: idJagTyp, alg: settings.alg, claims } as const;
  const text = await signToken(terms, exchange, services, grant);
  const { iat, exp: expiresAt } = usual;
  return { text, lifetime: expiresAt - iat, expiresAt };
}

/** The `sub` at the other server, whose host is the sector of pairwise subjects (OpenID Connect Core §8.1). */
async function subjectAt(
  audience: string,
  { issuedFor: { grant } }: ExchangeableToken,
  { client }: Requester,
  services: Services,
): Promise<string> {
  if (client.sector === undefined) return grant.subject;
  return await subjectFor({ ...client, sector: new URL(audience).hostname }, grant.subject, services);
}
