/** The description of an examined library: how it is used, and its client. */

import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import {
  type Area,
  type ExamineTerms,
  HarnessError,
  type MisbehaviourName,
  type MockOptions,
  type Scenario,
} from "../../../src/kit/mod.ts";

/** A library in one use, which its documentation shows. */
export interface Examined {
  /** The package on npm. */
  readonly package: string;
  /** The packages that do a part of its work. The card has their versions. */
  readonly dependsOn?: readonly string[];
  /** How the library is used: the options that differ from its defaults, and what the application adds. */
  readonly use: string;
  /** Sentences about its failures, for the page: what its source, its documentation or its issues say about them. */
  readonly notes?: readonly string[];
  /** The options of the mock. Default: a public client without back-channel logout. */
  readonly options?: MockOptions;
  /** The library calls a port, because its requests cannot be intercepted. */
  readonly listen?: true;
  /** What says nothing about the library, by the reason: the application does that work, or the use does not have it. */
  readonly leaves?: Leaves;
  /** What the client does, although its requests need not show it. */
  readonly does?: ExamineTerms["does"] & object;
  readonly client: ExamineTerms["client"];
}

/** Areas and rows that a card leaves out, by the reason. */
export type Leaves = Readonly<Record<string, readonly (Area | MisbehaviourName)[]>>;

/** The application, without a slash at its end. */
export const application = "https://app.test";
export const redirectUri: string = `${application}/callback`;
export const signedOutUri: string = `${application}/signed-out`;
export const secret = "a-secret-of-this-examination";

/** Describes the examined client with a secret, for libraries that always send one. */
export function withSecret(
  method: "client_secret_basic" | "client_secret_post",
  { redirectUris = [redirectUri], ...metadata }: {
    readonly redirectUris?: readonly string[];
    readonly backchannel_logout_uri?: string;
  } = {},
): MockOptions {
  return {
    clients: [{
      client_id: "app",
      client_secret: secret,
      token_endpoint_auth_method: method,
      redirect_uris: redirectUris,
      post_logout_redirect_uris: [signedOutUri],
      ...metadata,
    }],
  };
}

/** The public client of libraries that receive no logout tokens. */
export const withoutSecret: MockOptions = {
  clients: [{ client_id: "app", redirect_uris: [redirectUri], post_logout_redirect_uris: [signedOutUri] }],
};

/** Signs the person out. The server may keep the browser on a page of its own, which is no fault of the client. */
export async function signOut({ browse }: Scenario, url: string | URL): Promise<URL | undefined> {
  return await browse(url).catch(() => undefined);
}

/** Whether the misbehaviour begins with the second login of a client that keeps what it learned in the first one. */
export function needsTwoLogins({ name }: Scenario): boolean {
  const { needs = [] } = name === undefined ? {} : catalogue.get(name)!;
  return needs.some((need) => need === "two_logins" || need === "two_states");
}

/** Whether an answer never comes there, so that the client has to stop waiting. */
export function hasToStopWaiting({ name }: Pick<Scenario, "name">): boolean {
  return name !== undefined && catalogue.get(name)!.watch.timeoutIsRefusal === true;
}

export const ofApplication: Leaves = {
  "What follows an error is the choice of the application.": [
    "authorization_response.error_markup",
    "refresh.endless",
    "refresh.revoked_early",
    "refresh.unavailable",
    "registration.client_forgotten",
    "registration.unknown_client_as_invalid_grant",
  ],
};

/** Of a library that throws the error of an authorization response, or hands it to the application. */
export const thrownErrors: Leaves = {
  "The application handles the error.": [
    "authorization_response.error_loop",
    "authorization_response.error_uri",
  ],
};

/** Of a library that gets the expected values of a login with each call, and keeps none. */
export const keptStates: Leaves = {
  "The application keeps the state and the nonce.": [
    "authorization_response.repeated",
    "authorization_response.state_of_another_browser",
    "authorization_response.state_of_another_login",
    "id_token.nonce_of_another_login",
  ],
};

/** Returns what most uses do not have: each library has it in an option, or not at all. */
export function notUsed(...areas: readonly Area[]): Leaves {
  return { "This use does not have it.": areas };
}

export const challenges: Leaves = { "The application reads the challenge of the API.": ["resource"] };

/** RFC 9207 §2.4 is about clients that support the parameter, and RFC 9700 §2.1 about those with several servers. */
export const issuerOfResponse: Leaves = {
  "It does not support the parameter `iss` of RFC 9207, and has one server.": [
    "authorization_response.iss_missing",
    "authorization_response.iss_slash",
    "authorization_response.iss_twice",
    "authorization_response.iss_unadvertised",
    "authorization_response.iss_wrong",
    "authorization_response.mix_up",
  ],
};

export const tokenTypes: Leaves = {
  "It hands out the type of a token, and the application sends the token.": [
    "token_response.token_type_missing",
    "token_response.token_type_unknown",
    "refresh.token_type_unknown",
  ],
};

/** Of a library that has functions for PKCE, and leaves their use to the application. */
export const chosenPkce: Leaves = {
  "The application chooses whether it sends PKCE.": ["metadata.pkce_missing", "metadata.pkce_plain_only"],
};

/** Of a library that hands out the access token, and sends it nowhere. */
export const sentTokens: Leaves = {
  "The application sends the token.": ["login.access_token_in_url"],
};

/** Of a library that hands out the refresh token of each response. */
export const keptTokens: Leaves = {
  "The application keeps the refresh token.": ["login.refresh_token_kept", "refresh.not_rotated"],
};

export const grantedScopes: Leaves = {
  "It hands out the scope of a token, and the application compares it.": [
    "token_response.scope_more",
    "refresh.scope_more",
  ],
};

export const comparedIdTokens: Leaves = {
  "A refresh does not know the first ID token, and the application compares the two.": [
    "refresh.id_token_auth_time",
    "refresh.id_token_azp",
    "refresh.id_token_nonce",
    "refresh.id_token_other_subject",
  ],
};

/** How often a client refreshes in this run. One refresh does not show what it keeps for the next. */
export function countRefreshes({ name }: Scenario): number {
  return name === undefined || seenTwice.has(name) ? 2 : 1;
}

/** Refreshes: for two callers at the same time in the run about that (`two_refreshes`), and else for one. */
export async function refreshForCallers({ name }: Scenario, refresh: () => Promise<unknown>): Promise<void> {
  await Promise.all(name === "refresh.slow" ? [refresh(), refresh()] : [refresh()]);
}

const seenTwice: ReadonlySet<MisbehaviourName> = new Set<MisbehaviourName>([
  "refresh.not_rotated",
  "refresh.rotated",
  "refresh.scope_more",
  "token_response.expires_in_huge",
  "token_response.expires_in_negative",
  "token_response.expires_in_zero",
]);

/** The scope of an OpenID Connect login. */
export const scope = "openid email orders offline_access";
/** The scope of a login by a library that knows OAuth only. */
export const scopeWithoutOpenid = "orders offline_access";

/** Returns the `resource` of a login. The phases that call the API need it, and userinfo does not accept its tokens. */
export function resourceOf({ phase, api }: Scenario): { readonly resource?: string } {
  return phase === "call_api" || phase === "refresh" ? { resource: api } : {};
}

/**
 * A refusal of the library that the application sees, although the library throws nothing: a page, or a token that is
 * absent. The name tells the words of the driver from those of the library.
 */
export class SeenByDriver extends Error {
  override readonly name = "Driver";
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Calls the API as an application does. Throws if the API refuses the access token. */
export async function callApi(send: Fetch, { api }: Scenario, accessToken: string): Promise<void> {
  await requireOk(await send(api, { headers: { authorization: `Bearer ${accessToken}` } }));
}

/** Throws if the API refuses the request. */
export async function requireOk({ ok, status, body }: Response): Promise<void> {
  await body?.cancel();
  if (!ok) throw new HarnessError(`the API answers ${status}`);
}
