/** What libraries call at the providers: data from their sources, by which the look-alikes are built and tested. */
import type { LookAlikeName } from "../../../src/kit/faults/look_alikes/providers.ts";
import { apple } from "./apple.ts";
import { atlassian } from "./atlassian.ts";
import { auth0 } from "./auth0.ts";
import { cognito } from "./cognito.ts";
import { discord } from "./discord.ts";
import { entra } from "./entra.ts";
import { facebook } from "./facebook.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { google } from "./google.ts";
import { keycloak } from "./keycloak.ts";
import { linkedin } from "./linkedin.ts";
import { okta } from "./okta.ts";
import { slack } from "./slack.ts";
import { slackOpenid } from "./slack_openid.ts";

export interface Survey {
  /** The scope of the login before the other calls. */
  readonly scope: string;
  /** The different calls, by a short name. Libraries that call in the same way share one. */
  readonly calls: Readonly<Record<string, Call>>;
  readonly libraries: readonly Library[];
}

/** The library with its registry and version, its file with the addresses, and the names of its calls. */
export type Library = readonly [name: string, source: string, ...calls: readonly string[]];

export interface Call {
  readonly does:
    | "authorize"
    | "push"
    | "redeem"
    | "exchange"
    | "refresh"
    | "who"
    | "keys"
    | "metadata"
    | "revoke"
    | "introspect"
    | "logout"
    | "device";
  /** The method and the address, those of the usual tenant of the look-alike. */
  readonly at: string;
  /** How the parameters are sent. Default: in the query of a GET, and in the form of a POST. `untyped`: without its type. */
  readonly sends?: "json" | "query" | "untyped";
  /** Where the client secret is. `parameters`: among the others. `both`: by Basic, too. */
  readonly secret?: "basic" | "Basic:" | "both" | "parameters" | "signed";
  /** Where the access token is: in the header with this scheme, or a parameter with this name. `both`: in both. `app`: the header has a JWT of the app. */
  readonly token?:
    | "Bearer"
    | "both"
    | "app"
    | "token"
    | "OAuth"
    | "access_token"
    | "oauth2_access_token"
    | "parameter token"
    | "parameter id_token";
  /** The scope of an authorization request as the library joins it, or of the login whose token is exchanged. */
  readonly scope?: string;
  /** The call by which the login whose token is exchanged has redeemed its code. Default: the first one. */
  readonly after?: string;
  /** More parameters. In braces are values of the login: `{access_token}`, `{refresh_token}`, `{id_token}`. */
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** With these, the client first gets a token for itself, which `token` then is. */
  readonly own?: Readonly<Record<string, string>>;
  /** The members of the answer that libraries read. */
  readonly reads?: string;
  /** Why the look-alike does not answer as the library needs. Absent: it does. */
  readonly leftOut?: string;
}

export const surveys: Readonly<Record<LookAlikeName, Survey>> = {
  apple,
  atlassian,
  auth0,
  cognito,
  discord,
  entra,
  facebook,
  github,
  gitlab,
  google,
  keycloak,
  linkedin,
  okta,
  slack,
  slack_openid: slackOpenid,
};
