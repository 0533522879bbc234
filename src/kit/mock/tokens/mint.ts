/** Issues tokens without a flow, with the same steps that redeem an authorization code. */

import { createForm } from "../../../server/client/client_request.ts";
import type { DpopKey } from "../../../server/client/dpop_key.ts";
import { json } from "../../../ground/http/respond.ts";
import { type Client, methodOf, publicClientMethod } from "../../../server/oauth/contracts/client.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import { createExchange, type Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { SenderProof, Services, TokenIssue } from "../../../server/oauth/contracts/feature.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import { commitChange, prepareTokens } from "../../../server/oauth/tokens/prepare_tokens.ts";
import type { Act, ActContext, Acts } from "../../faults/misbehaviour.ts";
import { createPlainRequest } from "../client/plain_request.ts";
import { present } from "../../../ground/values/present.ts";
import type { RunningTenant } from "../running_tenant.ts";
import {
  findDefaultClient,
  findDefaultResource,
  noSuitableClient,
  requirePerson,
  toList,
  unknownClient,
  usualScope,
} from "../terms/configured.ts";
import { usernameIn } from "../terms/username_in.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import {
  type AnyMintOptions,
  type MintKind,
  mintKinds,
  readLifetime,
  requireMintKind,
} from "./mint_terms.ts";
import { bearer, type Sender } from "../../../server/oauth/contracts/sender.ts";
import { type DpopTerm, openClientKey, senderWith } from "../client/dpop_client.ts";
import type { Claims } from "../../../ground/values/members.ts";
import {
  type Seam,
  type SeamContext,
  type Seams,
  type SeamValues,
  signingAnew,
  signsAnew,
} from "../../../server/oauth/contracts/seams.ts";
import { noteRefusal } from "../../../server/oauth/requests/refuse.ts";
import { OAuthError } from "../../../server/oauth/contracts/refusals.ts";
import {
  redeemForItself,
  redeemForPerson,
  requireDirectAccess,
} from "../../../server/oauth/tokens/issue_directly.ts";
import { refusedBy } from "../journal/refused.ts";

export async function mint(terms: AnyMintOptions, running: RunningTenant): Promise<string> {
  // The error of another kind says more.
  requireTerms("mint", terms, types.MintTerms, { kind: {} });
  return await mintChanged("mint an access token", terms, {}, running);
}

/** The caller has checked the names and types of the terms, but not their combination. */
export async function mintChanged(
  doing: string,
  terms: AnyMintOptions,
  acts: Acts,
  running: RunningTenant,
): Promise<string> {
  running.requireOpen();
  const kind = requireMintKind(terms);
  // Tokens of other kinds are not for an API, so they have no resource.
  const resource = terms.resource ??
    (kind === "access" ? findDefaultResource(doing, "resource", running) : undefined);
  const client = await requireMintClient(kind, terms, running);
  const services = createMintServices(kind, terms, acts, running.services);
  const exchange = createTokenExchange(client, services);
  const redemption = await redeemForMint({ ...terms, ...present({ resource }) }, client, exchange, services);
  const { sender, dpop } = await openMintSender(kind, terms.dpop, client, running);
  const tokens = await prepareTokens({ redemption, client, sender, exchange }, services);
  const { member } = mintKinds[kind];
  const token = tokens.members[member];
  if (typeof token !== "string") throw explainMissing(kind, client);
  if (!await commitChange(tokens, services)) {
    throw new Error("Cannot mint: a hook ended the grant while the token was issued");
  }
  await acts.response?.(json(tokens.members), inTokenRequest({ exchange }));
  rememberRecipient({ [member]: token }, client, dpop, running);
  return token;
}

/** The journal does not record it. */
function createTokenExchange({ id }: Client, { now, random, settings }: Services): Exchange {
  const request = createPlainRequest(createForm(settings.baseUrl + settings.paths.token, []));
  const exchange = createExchange(request, { receivedAt: now(), random, hasJournal: true });
  exchange.note({ clientId: id });
  return exchange;
}

/** Remembers the client of the token, because `as.revoke` and similar calls need it after the server deletes the token. */
function rememberRecipient(
  tokens: Readonly<Record<string, string>>,
  { id }: Client,
  dpop: DpopKey | undefined,
  { recipients }: RunningTenant,
): void {
  recipients.set(tokens, { client: { client_id: id }, dpop });
}

async function requireMintClient(
  kind: MintKind,
  { client: givenId, withoutPerson }: AnyMintOptions,
  running: RunningTenant,
): Promise<Client> {
  const { services } = running;
  const id = givenId ??
    (withoutPerson ? findConfidential(services.settings) : findDefaultClient(running)?.client_id);
  if (id === undefined) {
    throw withoutPerson
      ? noSuitableClient(running, "No client can get a token without a person", { client_secret: "…" })
      : noSuitableClient(running);
  }
  // Looks in the store as well as in the configuration, because a first-use client is in the store only.
  const client = await findClient(id, services);
  if (client === undefined) throw unknownClient(id, running);
  if (!withoutPerson) requireForPeople(kind, client);
  return client;
}

function findConfidential({ clients }: Settings): string | undefined {
  return [...clients.values()].find((client) => methodOf(client) !== publicClientMethod)?.id;
}

const codeGrant = "authorization_code";

/** Refuses a client that people cannot sign in to, because the server never issues such a token. */
function requireForPeople(kind: MintKind, { id, grantTypes }: Client): void {
  if (grantTypes.includes(codeGrant)) return;
  const known = grantTypes.join(", ") || "none";
  throw new TypeError(
    `Cannot mint ${mintKinds[kind].noun} for a person: people cannot sign in to the client ${id}, ` +
      `whose grant_types are ${known}. Name another client, add ${codeGrant}, ` +
      "or mint the client's own token with { withoutPerson: true }",
  );
}

function explainMissing(kind: MintKind, { id }: Client): Error {
  return new TypeError(
    kind === "refresh"
      ? `Cannot mint a refresh token: the client ${id} gets none. Check that its grant_types include refresh_token`
      : `Cannot mint ${mintKinds[kind].noun}: the server issues none to the client ${id}`,
  );
}

/** Throws if the tokens of the client are bound to a certificate, and it has none. */
async function openMintSender(
  kind: MintKind,
  term: DpopTerm | undefined,
  client: Client,
  running: RunningTenant,
): Promise<{ readonly sender: Sender; readonly dpop?: DpopKey }> {
  const { services } = running;
  const bindsRefresh = methodOf(client) === publicClientMethod;
  const dpop = await openClientKey("mint", term, client.members, running);
  if (dpop !== undefined) return { sender: senderWith(dpop, { bindsRefresh }), dpop };
  const isBound = kind === "access" || kind === "refresh" && bindsRefresh;
  const proof = isBound && term === undefined ? findCertificateProof(client, services) : undefined;
  if (proof === undefined) return { sender: bearer };
  const thumbprint = running.certificates.of(client.id)?.thumbprint;
  if (thumbprint === undefined) {
    throw new TypeError(
      `Cannot mint: the tokens of the client ${client.id} are bound to its certificate, and it has none. ` +
        `Create one with as.certificate(${
          JSON.stringify(client.id)
        }), or mint an unbound token with dpop: false`,
    );
  }
  const confirmation = { method: proof.name, thumbprint };
  return { sender: { tokenType: proof.tokenType, confirmation, bindsRefresh } };
}

/** The client has registered that it binds its tokens to a certificate (RFC 8705 §3.4). */
function findCertificateProof(client: Client, services: Services): SenderProof | undefined {
  return [...services.slots.senderProofs.values()].find(({ boundBy, isRequired }) =>
    boundBy !== undefined && isRequired?.(client, services)
  );
}

/** Changes settings and seams for one token of this kind. A misbehaviour acts last. */
function createMintServices(
  kind: MintKind,
  { expiresIn, claims }: AnyMintOptions,
  acts: Acts,
  services: Services,
): Services {
  const { settings, seams } = services;
  const { member, lifetime } = mintKinds[kind];
  const lifetimes = expiresIn === undefined
    ? settings.lifetimes
    : { ...settings.lifetimes, [lifetime]: readLifetime(kind, expiresIn, settings) };
  return {
    ...services,
    settings: { ...settings, lifetimes },
    seams: changeToken(member, claims, seams, acts),
  };
}

/** The hooks run for this kind of token only: `mint` does not return the other tokens of a response. */
function changeToken(token: string, claims: Claims | undefined, hooks: Seams, acts: Acts): Seams {
  const at = <N extends "claims" | "jwt" | "signed">(
    seam: N,
    adjust = (hooked: SeamValues[N]): SeamValues[N] => hooked,
  ): Seam<N> => {
    return async (value, context) => {
      if (value.token !== token) return value;
      const [hook, act]: [Seam<N> | undefined, Act<N> | undefined] = [hooks[seam], acts[seam]];
      const wanted = adjust(await (hook?.(value, context) ?? value));
      return await (act?.(wanted, inTokenRequest(context)) ?? wanted);
    };
  };
  // A token that `mint` does not return needs no signature, apart from the access token whose hash an ID token has.
  const isUnread = (each: string) => each !== token && token !== "id_token";
  const signed = at("signed");
  return {
    claims: at("claims", (hooked) => ({ ...hooked, claims: { ...hooked.claims, ...claims } })),
    jwt: at("jwt"),
    signed: signingAnew(
      (value, context) => isUnread(value.token) ? { ...value, text: "" } : signed(value, context),
      (each) =>
        isUnread(each) ||
        each === token && hooks.signed === undefined && signsAnew(acts.signed, each),
    ),
  };
}

/** A misbehaviour expects a token request. */
function inTokenRequest(at: Omit<SeamContext, "acted">): ActContext {
  return { ...at, endpoint: "token", drop() {}, withhold: () => Promise.resolve() };
}

/** Stores a new grant if a person approves it. Throws `Refused` if the server refuses the scope or the resource. */
async function redeemForMint(
  options: AnyMintOptions,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<TokenIssue["redemption"]> {
  const resource = toList(options.resource);
  if (options.withoutPerson) {
    const scope = options.scope === undefined ? undefined : toList(options.scope).join(" ");
    return explainRefusal(exchange, () => redeemForItself({ scope, resource }, client, exchange, services));
  }
  const person = services.settings.people.find(requirePerson(usernameIn(options), { services }))!;
  const scope = toList(options.scope ?? client.scope ?? usualScope).join(" ");
  const access = explainRefusal(exchange, () => requireDirectAccess(scope, resource, client, services));
  if (options.kind === "id" && !access.scope.includes("openid")) {
    throw new TypeError(`Cannot mint an ID token without the scope openid: expected it among "${scope}"`);
  }
  return await redeemForPerson({ person, access, nonce: options.nonce }, client, services);
}

function explainRefusal<T>(exchange: Exchange, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    noteRefusal(error, exchange);
    const { refusal } = exchange.facts;
    if (refusal?.reason === "resource_malformed") {
      exchange.note({ refusal: { ...refusal, expected: anyAudience } });
    }
    throw refusedBy("mint", exchange.facts);
  }
}

const anyAudience = 'an absolute URI. For an aud that is no URI, use claims, such as { aud: "orders-api" }';
