/** Tokens without a flow: a grant as an approval leaves it, redeemed by the steps that a code takes. */

import { type Client, methodOf, publicClientMethod } from "../../oauth/clients/client.ts";
import { findClient } from "../../oauth/clients/find_client.ts";
import { OAuthError } from "../../oauth/error.ts";
import { createExchange, type Exchange } from "../../oauth/exchange.ts";
import type { Claims, Members } from "../../oauth/members.ts";
import { paths } from "../../oauth/paths.ts";
import { noteRefusal } from "../../oauth/refuse.ts";
import type { Services } from "../../oauth/services.ts";
import type { Settings } from "../../oauth/settings.ts";
import { createId } from "../../oauth/tokens/credential.ts";
import { type Grant, grants } from "../../oauth/tokens/grant.ts";
import { commitChange, prepareTokens } from "../../oauth/tokens/prepare_tokens.ts";
import { redeemForClient } from "../../oauth/tokens/redeem_for_client.ts";
import type { Redemption } from "../../oauth/tokens/redemption.ts";
import { requireResources } from "../../oauth/tokens/resource.ts";
import { requireScope } from "../../oauth/tokens/scope.ts";
import { bearer } from "../../oauth/tokens/sender.ts";
import { plainRequest } from "../client/plain_request.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import { refusedBy } from "../journal/refused.ts";
import {
  findUsualClient,
  findUsualResource,
  noClientMeant,
  requirePerson,
  toList,
  unknownClient,
  usualScope,
} from "../terms/configured.ts";
import { requireKnownTerms } from "../terms/known_terms.ts";
import {
  type AnyMintTerms,
  lifetimeOf,
  memberOf,
  type MintKind,
  mintTerms,
  readLifetime,
  requireFitting,
  wordFor,
} from "./mint_terms.ts";

/** What is changed last, before the server signs. */
export interface TokenChanges {
  readonly claims?: (claims: Claims) => Claims;
  readonly header?: (header: Members) => Members;
}

export async function mint(terms: AnyMintTerms, context: TenantContext): Promise<string> {
  requireKnownTerms("mint", terms, mintTerms);
  return await mintChanged(terms, {}, context);
}

export async function mintChanged(
  terms: AnyMintTerms,
  changes: TokenChanges,
  context: TenantContext,
): Promise<string> {
  context.requireOpen();
  const { kind = "access" } = terms;
  requireFitting(kind, terms);
  const resource = toList(terms.resource ?? findDefaultResource(kind, context));
  const client = await requireMintClient(terms, context);
  if (!terms.itself) requireForPeople(kind, client);
  const services = withTerms(kind, terms, changes, context.services);
  const { now, random, settings } = services;
  const request = plainRequest({ url: settings.baseUrl + paths.token, form: [] });
  const exchange = createExchange(request, { receivedAt: now(), random });
  exchange.note({ endpoint: request.address.path, clientId: client.id });
  const redemption = terms.itself
    ? refusing(
      exchange,
      () => redeemForClient(readForItself({ ...terms, resource }, client), exchange, services),
    )
    : await approve({ ...terms, resource }, client, exchange, services, context);
  const tokens = await prepareTokens(redemption, { client, sender: bearer }, exchange, services);
  const token = tokens.members[memberOf[kind]];
  if (typeof token !== "string") throw explainMissing(kind, client);
  if (!await commitChange(tokens, services)) {
    throw new Error("Cannot mint: a hook ended the grant before the token was there");
  }
  keepMinted(token, kind, client, context);
  return token;
}

/** Of the kinds of tokens only access tokens are for an API. */
function findDefaultResource(kind: MintKind, context: TenantContext): string | undefined {
  return kind === "access" ? findUsualResource("mint an access token", "resource", context) : undefined;
}

/** Whose it was is known even when the server has forgotten it. */
function keepMinted(
  token: string,
  kind: MintKind,
  { id }: Client,
  { clients, recipients }: TenantContext,
): void {
  const client = clients.find((each) => each.client_id === id) ?? { client_id: id };
  recipients.set({ [memberOf[kind]]: token }, { client });
}

async function requireMintClient(
  { client: id, itself }: AnyMintTerms,
  context: TenantContext,
): Promise<Client> {
  const { services } = context;
  const named = id ?? (itself ? findConfidential(services.settings) : findUsualClient(context)?.client_id);
  if (named === undefined) {
    throw itself
      ? noClientMeant(context, "No client can act for itself", { client_secret: "…" })
      : noClientMeant(context);
  }
  // A first-use client is in the store only.
  const client = await findClient(named, services);
  if (client !== undefined) return client;
  throw unknownClient(named, context);
}

const codeGrant = "authorization_code";

/** Nobody can sign in to it, so an API that takes such a token was tested with what it never gets. */
function requireForPeople(kind: MintKind, { id, grantTypes }: Client): void {
  if (grantTypes.includes(codeGrant)) return;
  throw new TypeError(
    `Cannot mint ${wordFor[kind]} for a person: the client ${id} has no ${codeGrant} among its grant_types ` +
      `(${
        grantTypes.join(", ") || "none"
      }), so nobody signs in to it. Name another client, add ${codeGrant}, ` +
      "or mint a token of the client's own with { itself: true }",
  );
}

function findConfidential({ clients }: Settings): string | undefined {
  return [...clients.values()].find((client) => methodOf(client) !== publicClientMethod)?.id;
}

function readForItself({ scope, resource }: AnyMintTerms, client: Client) {
  return {
    client,
    method: methodOf(client),
    scope: scope === undefined ? undefined : toList(scope).join(" "),
    resource: toList(resource),
  };
}

async function approve(
  terms: AnyMintTerms,
  client: Client,
  exchange: Exchange,
  services: Services,
  context: TenantContext,
): Promise<Redemption> {
  const { settings, store, now, random, personSecrets } = services;
  const person = settings.people.find(requirePerson(terms.person, context))!;
  const asked = toList(terms.scope ?? client.scope ?? usualScope).join(" ");
  const [scope, resource] = refusing(exchange, () => [
    requireScope(asked, client, services),
    requireResources(toList(terms.resource), settings),
  ]);
  if (terms.kind === "id" && !scope.includes("openid")) {
    throw new TypeError(`Cannot mint an ID token without the scope openid: expected it among "${asked}"`);
  }
  const grantId = createId(random);
  const passwordMark = await personSecrets.passwordMark(person);
  const grant: Grant = {
    status: "approved",
    clientId: client.id,
    clientEpoch: client.epoch,
    subject: person.subject,
    scope,
    resource,
    authTime: Math.floor(now()),
    amr: person.password === undefined ? [] : ["pwd"],
    ...(passwordMark === undefined ? {} : { passwordMark }),
    ...(terms.nonce === undefined ? {} : { nonce: terms.nonce }),
  };
  const keepUntil = Math.floor(now()) + settings.lifetimes.code;
  const version = await store.put(grants, grantId, grant, { expiresAt: keepUntil, now: now() });
  return {
    grantId,
    grant: { ...grant, status: "active", redeemedAt: now() },
    replaces: version!,
    keepUntil,
    scope,
    resource,
  };
}

/** What the server would have refused is refused here, in the same words. */
function refusing<T>(exchange: Exchange, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    noteRefusal(error, exchange);
    throw refusedBy("mint", exchange.facts);
  }
}

/** The same server, for one token. What the engine makes beside it is given to nobody, so no hook hears of it. */
function withTerms(
  kind: MintKind,
  { expiresIn, claims }: AnyMintTerms,
  changes: TokenChanges,
  services: Services,
): Services {
  const { settings, seams } = services;
  const token = memberOf[kind];
  const lifetime = expiresIn === undefined
    ? {}
    : { [lifetimeOf[kind]]: readLifetime(kind, expiresIn, settings) };
  return {
    ...services,
    settings: { ...settings, lifetimes: { ...settings.lifetimes, ...lifetime } },
    seams: {
      async claims(value, at) {
        if (value.token !== token) return value;
        const said = await (seams.claims?.(value, at) ?? value);
        const wanted = { ...said.claims, ...claims };
        return { ...said, claims: changes.claims?.(wanted) ?? wanted };
      },
      async jwt(value, at) {
        if (value.token !== token) return value;
        const said = await (seams.jwt?.(value, at) ?? value);
        return { ...said, header: changes.header?.(said.header) ?? said.header };
      },
      signed: (value, at) => value.token !== token ? value : seams.signed?.(value, at) ?? value,
    },
  };
}

function explainMissing(kind: MintKind, { id }: Client): Error {
  return new TypeError(
    kind === "refresh"
      ? `Cannot mint a refresh token: the client ${id} gets none; is refresh_token among its grant_types?`
      : `Cannot mint ${wordFor[kind]}: the server gives none to the client ${id}`,
  );
}
