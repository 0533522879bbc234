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
import { describeValue } from "../../schema/received.ts";
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
import { type Duration, readDuration } from "../terms/duration.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";

/** What a minted token says. */
export type MintTerms =
  & {
    /** Default: the first one that people can sign in to. */
    readonly client?: string;
    readonly scope?: string | readonly string[];
    /** The audience of an access token. Default: the only configured resource; the issuer where none is configured. */
    readonly resource?: string | readonly string[];
    readonly nonce?: string;
    /** Default: as the server is configured. A refresh token does not outlast `lifetimes.refreshIdle`. */
    readonly expiresIn?: Duration;
  }
  & (
    | {
      /** Default: an access token. */
      readonly kind?: "access" | "id";
      /** A username. Default: the first person. */
      readonly person?: string;
      /** Beside the usual claims, or instead of them; `undefined` leaves one out. */
      readonly claims?: Claims;
      readonly itself?: never;
    }
    | {
      readonly kind: "refresh";
      readonly person?: string;
      /** A refresh token has none. */
      readonly claims?: never;
      readonly itself?: never;
    }
    | {
      readonly kind?: "access";
      /** An access token of the client's own, as by `client_credentials`: no person is in it. */
      readonly itself: true;
      readonly person?: never;
      readonly claims?: Claims;
    }
  );

/** Any of these members, in any combination: `requireFitting` refuses what does not go together. */
export type AnyMintTerms = { readonly [Name in keyof MintTerms]?: MintTerms[Name] };

/** What is changed last, before the server signs. */
export interface TokenChanges {
  readonly claims?: (claims: Claims) => Claims;
  readonly header?: (header: Members) => Members;
}

type MintKind = NonNullable<MintTerms["kind"]>;

const memberOf: Readonly<Record<MintKind, string>> = {
  access: "access_token",
  id: "id_token",
  refresh: "refresh_token",
};

const lifetimeOf = {
  access: "accessToken",
  id: "idToken",
  refresh: "refreshAbsolute",
} as const satisfies Record<MintKind, keyof Settings["lifetimes"]>;

const wordFor: Readonly<Record<MintKind, string>> = {
  access: "an access token",
  id: "an ID token",
  refresh: "a refresh token",
};

const knownTerms = termsOf<AnyMintTerms>({
  ...{ kind: true, person: true, client: true, scope: true, resource: true, claims: true, nonce: true },
  ...{ expiresIn: true, itself: true },
});

export async function mint(terms: AnyMintTerms, context: TenantContext): Promise<string> {
  requireKnownTerms("mint", terms, knownTerms);
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

function requireFitting(kind: MintKind, { itself, person, claims }: AnyMintTerms): void {
  if (!Object.hasOwn(memberOf, kind)) {
    const known = Object.keys(memberOf).join(", ");
    throw new TypeError(`Cannot mint: expected kind to be one of ${known}, but got ${describeValue(kind)}`);
  }
  if (itself && kind !== "access") {
    throw new TypeError(`Cannot mint ${wordFor[kind]} with itself: a client that acts for itself gets none`);
  }
  if (itself && person !== undefined) {
    throw new TypeError("Cannot mint for a person and for the client itself: leave out person, or itself");
  }
  if (kind === "refresh" && claims !== undefined) {
    throw new TypeError("Cannot mint a refresh token with claims: it has none, only access and ID tokens do");
  }
  if (kind === "access" && claims !== undefined && Object.hasOwn(claims, "jti")) {
    throw new TypeError(
      "Cannot mint an access token with a jti of your own: by its jti the server finds what it lives by",
    );
  }
}

async function requireMintClient(
  { client: id, itself }: AnyMintTerms,
  context: TenantContext,
): Promise<Client> {
  const { services } = context;
  const named = id ?? (itself ? findConfidential(services.settings) : findUsualClient(context)?.client_id);
  if (named === undefined) {
    throw itself
      ? noClientMeant(context, "No client here can act for itself", { client_secret: "…" })
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

function readLifetime(kind: MintKind, expiresIn: Duration, { lifetimes: { refreshIdle } }: Settings): number {
  const seconds = Math.floor(readDuration(expiresIn));
  if (seconds < 1) {
    throw new TypeError(
      `Cannot mint a token that expires in ${describeValue(expiresIn)}: expected a second or more; ` +
        'for a token that has expired use as.expire(token) or as.forge("expired")',
    );
  }
  if (kind === "refresh" && seconds > refreshIdle) {
    throw new TypeError(
      `Cannot mint a refresh token that expires in ${describeValue(expiresIn)}: unused, it ends after ` +
        `${refreshIdle} seconds in any case; expected no more than that, or a longer lifetimes.refreshIdle`,
    );
  }
  return seconds;
}

function explainMissing(kind: MintKind, { id }: Client): Error {
  return new TypeError(
    kind === "refresh"
      ? `Cannot mint a refresh token: the client ${id} gets none; is refresh_token among its grant_types?`
      : `Cannot mint ${wordFor[kind]}: the server gives none to the client ${id}`,
  );
}
