/** The routes of sign-in and sign-out. */

import { withoutQuery } from "../http/address.ts";
import type { AuthorizeTerms } from "../mock/client/authorize.ts";
import { formRequestOf } from "../mock/client/callback.ts";
import type { GivenTokens } from "../mock/client/given_tokens.ts";
import type { LoginTerms } from "../mock/client/login.ts";
import type { RegisterTerms } from "../mock/client/register.ts";
import type { Tenant } from "../mock/tenant.ts";
import { usualScope } from "../mock/terms/configured.ts";
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { ControlRefused } from "../guard/control_refused.ts";
import type { NamedBrowsers } from "./controlled_tenants.ts";
import { exampleToken, givenTokens, pickTokens, tokens } from "./given_tokens.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import {
  clientAliases,
  clientKey,
  clientOrFirst,
  closedObject,
  flag,
  members,
  newDpopKey,
  nonce,
  openObject,
  personAliases,
  resource,
  scope,
  username,
  usernameOrDefault,
} from "./schemas.ts";
import { present } from "../present.ts";

/** The members of a body about the person at the browser. */
const personTerms: Readonly<Record<string, Schema>> = {
  deny: {
    ...flag,
    description: "true: the person denies the request, and the client receives access_denied.",
  },
  browser: {
    ...text,
    description: "Any name for a browser. A person who signs in with this browser stays signed in.",
  },
};

const authorizationUrl: Schema = {
  ...text,
  description: "The absolute URL to which the client sends the browser.",
};

interface BrowserName {
  readonly browser?: string;
}

type LoginBody = Omit<LoginTerms, "browser"> & BrowserName & { readonly username?: string };

type AuthorizeBody = Omit<AuthorizeTerms, "browser" | "as"> & BrowserName & {
  readonly url: string;
  readonly username?: string;
};

interface NextBody {
  readonly username?: string;
  readonly deny?: boolean;
  readonly client?: string;
}

interface RegisterBody extends RegisterTerms {
  readonly metadata?: Readonly<Record<string, unknown>>;
}

type EndSessionBody = BrowserName & GivenTokens;

export const signInRoutes: readonly ControlRoute[] = [
  route<LoginBody>("POST /login", "login", {
    summary: "Runs a whole login with PKCE: a person signs in and approves, and the client gets its tokens.",
    body: closedObject({
      username: usernameOrDefault,
      client: clientOrFirst,
      redirectUri: { ...text, description: "Default: the first redirect URI of the client." },
      scope: {
        ...scope,
        description: `${scope.description} Default: the scope of the client, or ${usualScope}.`,
      },
      resource,
      prompt: {
        ...text,
        description: "The parameter prompt of the authorization request, such as none or login.",
      },
      nonce,
      clientKey,
      pushed: {
        ...flag,
        description:
          "true: the client pushes its request (RFC 9126). Default: only if the server or the client requires it.",
      },
      signed: {
        ...flag,
        description:
          "true: the client signs its request with clientKey (RFC 9101). Default: only if the server or " +
          "the client requires it.",
      },
      dpop: newDpopKey,
      params: {
        ...members,
        additionalProperties: { type: "string" },
        description:
          "More parameters of the authorization request, such as login_hint. Their values are text.",
      },
      ...personTerms,
    }, { example: { username: "bob", scope: "openid offline_access" } }),
    aliases: { ...personAliases, ...clientAliases },
    answer: tokens,
    handle: logIn,
  }),
  route<AuthorizeBody>("POST /authorize", "authorize", {
    summary:
      "Opens a client's authorization URL as a browser would. Returns the request that the client gets.",
    body: closedObject({ url: authorizationUrl, username, ...personTerms }, {
      required: ["url"],
      example: { url: "https://as.test/oauth2/authorize?client_id=app", username: "bob" },
    }),
    aliases: personAliases,
    answer: openObject({
      method: { ...text, description: "GET, or POST with response_mode=form_post." },
      url: {
        ...text,
        description: "The redirect URI, with the code or the error in its query (GET) or in form (POST).",
      },
      form: { ...members, description: "The fields of the form, with response_mode=form_post." },
    }, ["method", "url"]),
    handle: answerAuthorize,
  }),
  route<NextBody>("POST /next_sign_in", "nextSignIn", {
    summary:
      "Decides the next authorization request of one client or of any client, so that no page is shown.",
    body: closedObject({
      username,
      deny: { ...flag, description: "true: the person denies the request." },
      client: { ...text, description: "Only for requests of this client. Default: any client." },
    }, {
      example: { username: "bob" },
    }),
    aliases: { ...personAliases, ...clientAliases },
    handle: answerNext,
  }),
  route<RegisterBody>("POST /register", "register", {
    summary:
      "Registers a client as the client itself would (RFC 7591). Login and refresh know the client then.",
    body: closedObject({
      metadata: {
        ...members,
        description:
          "The metadata of the client. Default: the redirect URI http://127.0.0.1/callback, and the " +
          "grant types of a usual client.",
      },
      initialAccessToken: {
        ...text,
        description: "One of registration.initialAccessTokens of the configuration.",
      },
    }, { example: { metadata: { client_name: "Notes", token_endpoint_auth_method: "none" } } }),
    created: openObject({
      client_id: { ...text, description: "The id of the new client." },
      client_secret: { ...text, description: "If the authentication method needs a secret." },
      registration_access_token: {
        ...text,
        description: "The bearer token for registration_client_uri.",
      },
      registration_client_uri: {
        ...text,
        description: "The address at which the client reads, updates and deletes its registration.",
      },
    }, ["client_id"]),
    handle: registerClient,
  }),
  route<EndSessionBody>("POST /end_session", "endSession", {
    summary:
      "Signs a person out at the server, in the named browser or in the browser in which login got these tokens.",
    body: {
      ...openObject({
        ...givenTokens,
        browser: { ...text, description: "The name of a browser that login or authorize has used." },
      }, []),
      examples: [{ id_token: exampleToken }],
    },
    tokens: {},
    handle: endSession,
  }),
];

function withBrowser<T extends BrowserName>(terms: T, browsers: NamedBrowsers) {
  const { browser, ...others } = terms;
  return browser === undefined ? others : { ...others, browser: browsers.open(browser) };
}

async function logIn({ tenant, browsers, body }: Call<LoginBody>): Promise<Reply> {
  const { username, ...terms } = body;
  return { json: await tenant.login(username, withBrowser(terms, browsers)) };
}

/** Returns the request that the browser sends to the client, which is a redirect or a form. */
async function answerAuthorize({ tenant, browsers, body }: Call<AuthorizeBody>): Promise<Reply> {
  const { url, username, ...named } = body;
  requireOwnUrl(url, tenant);
  const terms = { ...withBrowser(named, browsers), ...present({ as: username }) };
  try {
    return { json: { method: "GET", url: (await tenant.authorize(url, terms)).href } };
  } catch (error) {
    // A pushed or signed request has its response_mode inside, so only the response shows it.
    const request = formRequestOf(error);
    if (request === undefined) throw error;
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    return { json: { method: request.method, url: request.url, form } };
  }
}

function requireOwnUrl(url: string, { issuer }: Tenant): void {
  const base = `${issuer.replace(/\/$/, "")}/`;
  if (!URL.canParse(url)) {
    const expected = "must be the absolute URL to which the client sends the browser";
    throw new ControlRefused("invalid_request", `url ${expected}`, { place: "url", expected });
  }
  if (url.startsWith(base)) return;
  const expected = `must be below ${base}, not ${withoutQuery(url)}`;
  throw new ControlRefused("invalid_request", `url ${expected}`, { place: "url", expected });
}

function answerNext({ tenant, body: { username, deny, client } }: Call<NextBody>): Reply {
  if ((username === undefined) === (deny !== true)) {
    throw new ControlRefused("invalid_request", "The next sign-in needs one decision", {
      expected: "either username, or deny set to true",
    });
  }
  tenant.nextSignIn(username ?? { deny: true }, present({ client }));
}

async function endSession({ tenant, browsers, body }: Call<EndSessionBody>): Promise<Reply> {
  const tokens = pickTokens(body);
  const { browser } = body;
  if (browser === undefined && Object.keys(tokens).length === 0) {
    throw new ControlRefused("invalid_request", "There is no session to end", {
      expected: "a browser, or the tokens of a sign-in",
    });
  }
  await tenant.endSession(tokens, browser === undefined ? {} : { browser: browsers.require(browser) });
}

async function registerClient({ tenant, body }: Call<RegisterBody>): Promise<Reply> {
  const { metadata = {}, ...terms } = body;
  return { json: await tenant.register(metadata, terms) };
}
