/** Token introspection: tells a client or an API whether a token is valid (RFC 7662), also as a JWT (RFC 9701). */

import type { Answer } from "../../ground/http/message.ts";
import { json, jwt } from "../../ground/http/respond.ts";
import { authenticateClient } from "../oauth/clients/authentication/authenticate_client.ts";
import { type Client, methodOf, publicClientMethod } from "../oauth/contracts/client.ts";
import { memberOf, type Setting } from "../oauth/contracts/feature_values.ts";
import { memberRemedy } from "../oauth/clients/records/client_remedy.ts";
import { describeRegistration } from "../oauth/clients/records/describe_registration.ts";
import { findForeignOrigin } from "../oauth/clients/reach/foreign_origin.ts";
import { clientChallenge, hasCredentials } from "../oauth/clients/authentication/read_credentials.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Advice } from "../oauth/contracts/journal.ts";
import type { Claims } from "../../ground/values/members.ts";
import { type Params, readForm, requireParam, requireUnrepeatedForm } from "../oauth/contracts/params.ts";
import { type AdviceRows, advices, type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { passSeam } from "../oauth/contracts/seams.ts";
import type { ClientMember, Feature, Services } from "../oauth/contracts/feature.ts";
import { tokenTypeOf } from "../oauth/tokens/confirm_token.ts";
import {
  checkToken,
  explainLoss,
  findToken,
  type LiveToken,
  type TokenCheck,
} from "../oauth/tokens/find_token.ts";
import { explainUnknown } from "../oauth/tokens/explain_unknown.ts";
import type { ReadToken } from "../oauth/contracts/read_token.ts";
import { uriTexts } from "../oauth/clients/metadata/metadata_texts.ts";
import { otherNames } from "../../ground/schema/schema.ts";
import { present } from "../../ground/values/present.ts";
import { createResponseJwt, type ResponseJwt } from "../oauth/tokens/response_jwt.ts";
import { isReachedFromElsewhere } from "../oauth/clients/reach/reached_from_elsewhere.ts";
import { usualPaths } from "../oauth/contracts/paths.ts";
import { refuseOption } from "../oauth/options/set_up_mistake.ts";

/** The client member that names the APIs whose tokens the client may introspect. */
const introspectsMember: ClientMember<readonly string[]> = {
  name: "introspects",
  schema: {
    ...uriTexts,
    // Its name in earlier versions.
    [otherNames]: ["serves"],
  },
};

/** RFC 9701 §6. */
const introspectionJwt: ResponseJwt = createResponseJwt("introspection");

const refusal = refusals({ error: "invalid_client", spec: "RFC 7662 §2.1" }, {
  introspects_unnamed: {
    sentence: "Introspection needs client credentials",
    expected: "a client's credentials, in the Authorization header or in the form",
    change: "Authenticate the client that introspects.",
  },
  public_client_introspects: {
    sentence: "Introspection is for clients that authenticate",
    expected: "a client with a secret or a key",
    change: "Introspect as a client with a secret or a key.",
  },
  client_not_proven: {
    sentence: "Introspection is for clients that authenticate",
    expected: "a configured client, or a first-use client that has exchanged a code with its secret",
    change: "Let this client exchange a code with its secret first, or configure it.",
  },
});

// In the journal only: the response must not say why (RFC 7662 §2.2).
const advice = advices({ spec: "RFC 7662 §2.2", sentence: "The token is inactive, because {because}" }, {
  inactive_unknown: {
    expected: "a token of this server",
    change: "Send a token that this server issued and has not forgotten.",
  },
  inactive_other_issuer: {
    expected: "the issuer of this server",
    change: "Send the token to the issuer that made it.",
  },
  inactive_signature: {
    expected: "the kid and the algorithm of a published key",
    change: "Send the token unchanged, because its signature does not fit.",
  },
  inactive_token_type: {
    expected: "the typ of an access token",
    change: "Introspect the access token or the refresh token, and not the ID token.",
  },
  inactive_claims: {
    expected: "client_id, jti, exp",
    change: "Introspect an access token that has all claims of RFC 9068.",
  },
  inactive_early: {
    expected: "an nbf in the past",
    change: "Wait until nbf of the token, or compare the clocks.",
  },
  inactive_expired: { change: "Refresh before the token expires." },
  inactive_replaced: {
    expected: "the refresh token of the latest response",
    change: "Introspect the refresh token of the latest response.",
  },
  inactive_revoked: { change: "Start a new login: the token was revoked." },
  inactive_grant: { change: "Start a new login: the grant of this token has ended." },
  inactive_for_client: {
    spec: "RFC 7662 §4",
    sentence: "The token is valid, but inactive for the client {client}, which may not see it",
    expected: "the client of the token, or for an access token a client that introspects its API",
    change: "Introspect as the client that got the token, or add the API to introspects of this client.",
  },
});

export const refused: RefusalRows = refusal.rows;
export const advised: AdviceRows = advice.rows;

/** The option of introspection. */
export interface IntrospectionOptions {
  /**
   * Programs may introspect tokens without credentials, as the fixtures of some SDKs do. Only for a server that other
   * machines cannot reach. Default: `false`.
   */
  readonly openIntrospection?: boolean;
}

const openIntrospection: Setting<boolean> = {
  name: "openIntrospection",
  schema: { type: "boolean" },
  read(isOpen, settings) {
    if (!isOpen || !isReachedFromElsewhere(settings)) return isOpen;
    return refuseOption(
      "openIntrospection",
      "is for a server that other machines cannot reach: configure a client with introspects for the API",
    );
  },
};

export function introspection(configuration: IntrospectionOptions = {}): Feature<"introspect"> {
  const isOpen = configuration.openIntrospection ?? false;
  return {
    name: "introspection",
    spec: "RFC 7662, RFC 9701",
    settings: [openIntrospection],
    endpoints: [{
      method: "POST",
      name: "introspect",
      path: usualPaths.introspect,
      metadataName: "introspection_endpoint",
      params: ["token", "token_type_hint"],
      announcesClientAuth: isOpen ? "all" : "confidential",
      refusal: "json",
      cors: true,
      handle: (exchange: Exchange, services: Services) => introspect(exchange, { isOpen }, services),
    }],
    clientMembers: [introspectsMember, introspectionJwt.algMember, ...introspectionJwt.encryptionMembers],
    metadata: introspectionJwt.metadata,
  };
}

/** `isOpen`: programs may introspect without credentials. */
async function introspect(
  exchange: Exchange,
  { isOpen }: { readonly isOpen: boolean },
  services: Services,
): Promise<Answer> {
  // parse
  const form = await readForm(exchange);
  requireUnrepeatedForm(form);
  // identify
  const client = await identify(exchange, form, isOpen, services);
  // validate
  const text = requireParam(form, "token");
  const token = await findToken(text, form.get("token_type_hint"), services);
  const check = token && await checkToken(token, services);
  const live = check?.isValid ? check.live : undefined;
  if (live?.grant !== undefined) {
    exchange.note({ flow: live.grant.id, subject: live.grant.entry.value.subject });
  }
  // respond
  const respond = (introspected: Claims) =>
    client !== undefined && wantsJwt(exchange)
      ? answerWithJwt(introspected, client, exchange, services)
      : json(introspected);
  if (live === undefined || client !== undefined && !mayKnow(client, live, services)) {
    if (exchange.hasJournal) {
      exchange.note({ advice: await adviseInactive({ text, token, check }, client, services) });
    }
    return respond({ active: false });
  }
  const value = { token: "introspection", claims: describeLiveToken(live, services) } as const;
  const { claims } = await passSeam(services.seams, "claims", value, exchange, live.grant?.entry.value);
  return respond(claims);
}

/** Returns the client that introspects, or `undefined` for a program without credentials if introspection is open. */
async function identify(
  exchange: Exchange,
  form: Params,
  isOpen: boolean,
  services: Services,
): Promise<Client | undefined> {
  if (!hasCredentials(exchange, form)) {
    // Open introspection is for programs and pages on this machine, and not for pages of the internet.
    if (isOpen && findForeignOrigin(exchange, services) === undefined) return undefined;
    // RFC 7662 §2.1, §2.3: 401, and not the 400 of a missing client_id.
    throw refusal("introspects_unnamed", clientChallenge({}, services));
  }
  const { client, method } = await authenticateClient(exchange, form, services);
  requireConfidential(client, method, services);
  return client;
}

/** RFC 7662 §4: only clients that prove who they are may introspect, so that others cannot test guessed tokens. */
function requireConfidential(client: Client, method: string, services: Services): void {
  const isPublic = method === publicClientMethod;
  if (isPublic ? services.settings.publicClientsIntrospect : client.authentication !== undefined) return;
  // Before its first redemption, a first-use client may send any secret, which proves nothing.
  throw refusal(isPublic ? "public_client_introspects" : "client_not_proven", {
    ...clientChallenge({}, services),
    received: describeRegistration(client, services),
  });
}

/** RFC 7662 §2.2, §4: a client may see its own tokens and those for it or its APIs. All others appear as not active. */
function mayKnow(client: Client, { token }: LiveToken, { settings }: Services): boolean {
  if (token.clientId === client.id) return true;
  if (token.kind !== "access_token") return false;
  const apis = [client.id, ...memberOf(client, introspectsMember) ?? []];
  return token.audience.some((each) => apis.includes(each)) ||
    settings.introspectsAll === true && methodOf(client) !== publicClientMethod;
}

/** Describes for the journal why the token is inactive. RFC 7662 §2.2: the response must not say it. */
async function adviseInactive(
  { text, token, check }: {
    readonly text: string;
    readonly token: ReadToken | undefined;
    readonly check: TokenCheck | undefined;
  },
  client: Client | undefined,
  services: Services,
): Promise<Advice> {
  if (check?.isValid && client !== undefined) return adviseUnseen(check.live.token, client, services);
  const { reason, ...values } = token === undefined || check === undefined || check.isValid
    ? await explainUnknown(text, services)
    : explainLoss(token, check.loss, services);
  return advice(reason, values);
}

function adviseUnseen({ kind, clientId, audience }: ReadToken, client: Client, services: Services): Advice {
  const apis = memberOf(client, introspectsMember) ?? [];
  const isRefreshToken = kind === "refresh_token";
  return advice("inactive_for_client", {
    client: client.id,
    expected: isRefreshToken
      ? `the client ${clientId}: only its own client may introspect a refresh token`
      : `the client ${clientId}, or a client that introspects ${audience.join(" or ")}`,
    received: `the client ${client.id}, which introspects ${apis.join(" ") || "no API"}`,
    ...(isRefreshToken
      ? {}
      : memberRemedy(client, { introspects: [...new Set([...apis, ...audience])] }, services)),
  });
}

function describeLiveToken({ token, grant, client }: LiveToken, services: Services): Claims {
  const tokenType = token.kind === "access_token" ? tokenTypeOf(token, services) : undefined;
  // The username would reveal the person whom a pairwise `sub` hides.
  const username = client.sector === undefined ? grant?.person.username : undefined;
  return {
    ...token.claims,
    active: true,
    client_id: token.clientId,
    scope: token.scope.join(" "),
    exp: Math.floor(token.endsAt ?? token.expiresAt),
    ...present({ token_type: tokenType, username }),
  };
}

const mediaType = "token-introspection+jwt";

/** Whether the API asks for a JWT (RFC 9701 §4). A type with `q=0` is one that the API does not accept. */
function wantsJwt({ request }: Exchange): boolean {
  return (request.header("accept") ?? "").toLowerCase().split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    return type === `application/${mediaType}` && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}

/** RFC 9701 §5: the claims of the token are inside of one member, so that the JWT cannot be used as a token. */
async function answerWithJwt(
  introspected: Claims,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { settings, now } = services;
  const claims = {
    iss: settings.issuer,
    aud: client.id,
    iat: Math.floor(now()),
    token_introspection: introspected,
  };
  const alg = introspectionJwt.algOf(client) ?? settings.alg;
  const terms = { token: "introspection", typ: mediaType, alg, claims } as const;
  const text = await introspectionJwt.write(terms, client, exchange, services);
  return jwt(text, `application/${mediaType}`);
}
