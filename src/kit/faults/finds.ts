/** Functions that find some of the requests that a verdict looks at. */

import { unwrapResponse } from "../../ground/crypto/jwt_parts.ts";
import { isJsonObject, parseJsonObject } from "../../ground/schema/json_object.ts";
import { findHeader } from "../../server/oauth/contracts/journal.ts";
import { type Find, headerOf, type Seen } from "./seen.ts";

export function to(endpoint: string, matches: (seen: Seen) => boolean = () => true): Find {
  return (later) => later.filter((seen) => seen.endpoint === endpoint && matches(seen));
}

export function any(...finds: readonly Find[]): Find {
  return (later, acted) => later.filter((seen) => finds.some((find) => find(later, acted).includes(seen)));
}

export function moreThan(most: number, find: Find): Find {
  return (later, acted) => find(later, acted).slice(most);
}

export function where(
  find: Find,
  matches: (seen: Seen, acted: readonly Seen[], later: readonly Seen[]) => boolean,
): Find {
  return (later, acted) => find(later, acted).filter((seen) => matches(seen, acted, later));
}

/** A client that has refused a wrong response of the endpoint may ask again, and go on with a right one. */
export function afterWrong(endpoint: string, find: Find): Find {
  return where(find, (seen, acted, later) => {
    const last = later.slice(0, later.indexOf(seen)).findLast((before) => before.endpoint === endpoint);
    return last === undefined || acted.some(({ entry }) => entry.id === last.entry.id);
  });
}

export function redeems(grantType: string, matches: (seen: Seen) => boolean = () => true): Find {
  return to("token", (seen) => seen.params.get("grant_type") === grantType && matches(seen));
}

export const redeemsCode: Find = redeems("authorization_code");

/** Finds token requests with the code that got the first wrong answer. A new login has another code. */
export const repeatsCode: Find = (later, [first]) =>
  to("token", ({ params }) => params.has("code") && params.get("code") === first?.params.get("code"))(
    later,
    [],
  );

export const tokenExchangeGrantType = "urn:ietf:params:oauth:grant-type:token-exchange";

export const exchangesToken: Find = redeems(tokenExchangeGrantType);

export const refreshes: Find = redeems("refresh_token");

/** Finds refreshes that begin while another one with the same refresh token is not answered. */
export const racesRefresh: Find = (later, acted) => {
  const found = refreshes(later, acted);
  return found.filter((seen, index) =>
    found.slice(0, index).some(({ params, entry: { receivedAt, duration } }) =>
      params.get("refresh_token") === seen.params.get("refresh_token") &&
      seen.entry.receivedAt < receivedAt + duration
    )
  );
};

/** A client that asks for the additional scope in a refresh has taken it over, even if the server refuses the refresh. */
export function refreshesWithScope(scope: string): Find {
  return redeems("refresh_token", ({ params }) => params.get("scope")?.split(" ").includes(scope) === true);
}

export const startsLogin: Find = any(to("authorize"), to("par"));

/** Finds OAuth requests to addresses of the server that do not exist. The server has named its addresses in the metadata. */
export const guessesEndpoint: Find = to(
  "page",
  ({ params, entry: { request, response } }) =>
    response.status === 404 && (request.method === "POST" || params.has("response_type")),
);

export const usesAccessToken: Find = any(
  to("userinfo"),
  to("resource", (seen) => headerOf(seen, "authorization") !== undefined),
);

export const refusesAccessToken: Find = where(
  usesAccessToken,
  ({ entry: { response: { status } } }) => status === 401 || status === 403,
);

/** Finds those with the access token that got the first wrong answer. */
export function repeatsAccessToken(find: Find): Find {
  return where(
    find,
    (seen, [first]) => headerOf(seen, "authorization") === (first && headerOf(first, "authorization")),
  );
}

export const acceptsLogoutToken: Find = answersLogoutToken(/^told$/);

export const refusesLogoutToken: Find = answersLogoutToken(/^answered 4/);

/** Finds sign-outs of which the client was not told, because it has no endpoint for logout tokens. */
export const missesLogoutToken: Find = answersLogoutToken(/^answered 404/);

/** The journal entry of a sign-out has the answers of the clients. */
function answersLogoutToken(outcome: RegExp): Find {
  return (later, acted) =>
    [...acted, ...later].filter((seen) => listLogoutAnswers(seen).some((each) => outcome.test(each)));
}

/** Returns what became of the logout tokens of a sign-out: "told", or "answered 400". */
export function listLogoutAnswers({ entry: { facts: { more = {} } } }: Seen): readonly string[] {
  return Object.values(Object(more["back_channel_logout"])).map(String);
}

/** Finds token requests with the code of a changed authorization response. A new login has another code. */
export const redeemsReceivedCode: Find = where(
  redeemsCode,
  ({ params, entry: { facts: { flow } } }, acted) => {
    const code = params.get("code");
    // The code inside of an encrypted response cannot be read, but its login is known.
    return code !== null &&
      acted.some((seen) =>
        flow !== undefined && seen.entry.facts.flow === flow || hasParam(seen, "code", code)
      );
  },
);

/** Without a code, a client may send the text of a missing value, or its own credentials instead. */
export const redeemsNoCode: Find = any(
  to("token", ({ params }) =>
    params.get("grant_type") === "authorization_code" &&
    ["", "null", "undefined"].includes(params.get("code") ?? "")),
  redeems("client_credentials"),
);

/** The parameter is in the query or the fragment of the URL, in a JWT there, or in a form. */
function hasParam({ entry: { response } }: Seen, name: string, value: string): boolean {
  const location = findHeader(response, "location");
  if (location === undefined) return response.body?.includes(value) ?? false;
  return location.split(/[?#]/).some((part) =>
    unwrapResponse([...new URLSearchParams(part)]).some((pair) => pair[0] === name && pair[1] === value)
  );
}

/** The token is from a wrong token response, or the text of a missing value. A new login has another token. */
export const usesReceivedToken: Find = where(usesAccessToken, (seen, acted) => {
  const token = (headerOf(seen, "authorization") ?? "").replace(/^\S+ ?/, "");
  return ["", "null", "undefined", "[object Object]"].includes(token) ||
    acted.some(({ entry: { response: { body = "" } } }) =>
      body.includes(token) || listTokenParts(body).some((part) => token.includes(part))
    );
});

/** Of an access token that is an object. Each language writes an object as text in a way of its own. */
function listTokenParts(body: string): readonly string[] {
  const { access_token: token } = parseJsonObject(body) ?? {};
  return isJsonObject(token)
    ? Object.values(token).filter((part) => typeof part === "string" && part !== "") as string[]
    : [];
}

export const callsOtherServer: Find = to("decoy");

export const registersElsewhere: Find = to("decoy", ({ params }) => params.has("client_id"));

/** Finds requests to the other server that do more than read a document. */
export const usesOtherServer: Find = any(
  registersElsewhere,
  to("decoy", ({ entry: { request } }) => request.method !== "GET"),
);

/** Finds requests to the other server that carry a credential: a code, a token or a secret. */
export const trustsOtherServer: Find = where(to("decoy"), (seen, acted) => {
  const sent = headerOf(seen, "authorization");
  return sent !== undefined && !acted.some((each) => sent === basicOfTarget(each)) ||
    ["code", "token", "refresh_token", "client_secret", "client_assertion", "code_verifier"].some((name) =>
      seen.params.has(name)
    );
});

/** Returns what clients send to a URL with user information, such as that of a redirect. It is no secret of theirs. */
function basicOfTarget({ entry: { response } }: Seen): string | undefined {
  const target = findHeader(response, "location");
  if (target === undefined || !URL.canParse(target)) return undefined;
  const { username, password } = new URL(target);
  return `Basic ${btoa(`${username}:${password}`)}`;
}
