/** The routes of sign-in and sign-out. */

import { withoutQuery } from "../../ground/http/address.ts";
import { type AuthorizeTerms, ForeignUrl } from "../../kit/mock/client/authorize.ts";
import { formRequestOf } from "../../kit/mock/client/callback.ts";
import type { GivenTokens } from "../../kit/mock/client/given_tokens.ts";
import type { LoginTerms } from "../../kit/mock/client/login.ts";
import type { RegisterTerms } from "../../kit/mock/client/register.ts";
import type { NextSignInTerms } from "../../kit/mock/conditions/next_sign_in.ts";
import { wrongRequest, wrongValue } from "../guard/control_refused.ts";
import type { NamedBrowsers } from "./controlled_tenants.ts";
import { exampleToken, givenTokens, pickTokens, tokens } from "./given_tokens.ts";
import { membersOf, resultOf } from "./kit_types.ts";
import { type Call, type ControlRoute, type Reply, route, usualAliases } from "./route.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { Fitting } from "../../ground/schema/schema_of.ts";
import { namedPerson, username, usernameOrDefault } from "./schemas.ts";
import { present } from "../../ground/values/present.ts";

const browser = schema.text(
  "Any name for a browser. A person who signs in with this browser stays signed in.",
);

const authorizeBody = schema.closedObject({
  url: schema.text("The absolute URL to which the client sends the browser."),
  ...membersOf<AuthorizeTerms>("AuthorizeTerms"),
  browser,
}, {
  required: ["url"],
  example: { url: "https://as.test/oauth2/authorize?client_id=app", username: "bob" },
});

interface BrowserName {
  readonly browser?: string;
}

export const signInRoutes: readonly ControlRoute[] = [
  route("POST /login", "login", {
    body: schema.closedObject({
      username: usernameOrDefault,
      ...membersOf<LoginTerms>("LoginTerms"),
      browser,
    }, { example: { username: "bob", scope: "openid offline_access" } }),
    answer: tokens,
    handle: ({ tenant, browsers, body: { username, ...terms } }) =>
      tenant.login(username, withBrowser(terms, browsers)),
  }),
  route("POST /authorize", "authorize", {
    summary:
      "Opens a client's authorization URL as a browser would. Returns the request that the client gets.",
    body: authorizeBody,
    answer: schema.openObject({
      method: schema.text("GET, or POST with response_mode=form_post."),
      url: schema.text("The redirect URI, with the code or the error in its query (GET) or in form (POST)."),
      form: schema.object("The fields of the form, with response_mode=form_post."),
    }, { required: ["method", "url"] }),
    handle: answerAuthorize,
  }),
  route("POST /approve_device", "approveDevice", {
    summary: "Answers a device login as the person who types its code: approves it, or denies it.",
    body: schema.closedObject({
      userCode: schema.text("The user_code that the device shows, in any case, with or without its dash."),
      username: usernameOrDefault,
      deny: schema.flag("true: the person denies the login, and the device receives access_denied."),
      browser,
    }, { required: ["userCode"], example: { userCode: "WDJB-MJHT", username: "bob" } }),
    aliases: { ...usualAliases, user_code: "userCode" },
    async handle({ tenant, browsers, body }) {
      const { userCode, username, deny, ...named } = body;
      await tenant.approveDevice(userCode, deny ? { deny } : username, withBrowser(named, browsers));
    },
  }),
  route("POST /code_of", "codeOf", {
    body: namedPerson,
    answer: schema.openObject({ code: schema.text("Six digits.") }, { required: ["code"] }),
    handle: async ({ tenant, body: { username } }) => ({ code: await tenant.codeOf(username) }),
  }),
  route("POST /authenticator_of", "authenticatorOf", {
    body: namedPerson,
    answer: resultOf("Authenticator"),
    handle: ({ tenant, body: { username } }) => tenant.authenticatorOf(username),
  }),
  route("POST /next_sign_in", "nextSignIn", {
    body: schema.closedObject({
      username,
      deny: schema.flag("true: the person denies the request."),
      ...membersOf<NextSignInTerms>("NextSignInTerms"),
    }, { example: { username: "bob" } }),
    handle({ tenant, body: { username, deny, client } }) {
      if ((username === undefined) === (deny !== true)) {
        throw wrongRequest("The next sign-in needs one decision", "either username, or deny set to true");
      }
      tenant.nextSignIn(username ?? { deny: true }, present({ client }));
    },
  }),
  route("POST /register", "register", {
    body: schema.closedObject({
      metadata: schema.object(
        "The metadata of the client. Default: the redirect URI http://127.0.0.1/callback, and the " +
          "grant types of a usual client.",
      ),
      ...membersOf<RegisterTerms>("RegisterTerms"),
    }, { example: { metadata: { client_name: "Notes", token_endpoint_auth_method: "none" } } }),
    created: schema.openObject({
      client_id: schema.text("The id of the new client."),
      client_secret: schema.text("If the authentication method needs a secret."),
      registration_access_token: schema.text("The bearer token for registration_client_uri."),
      registration_client_uri: schema.text(
        "The address at which the client reads, updates and deletes its registration.",
      ),
    }, { required: ["client_id"] }),
    handle: ({ tenant, body: { metadata = {}, ...terms } }) => tenant.register(metadata, terms),
  }),
  route("POST /end_session", "endSession", {
    body: schema.openObject({
      ...givenTokens,
      browser: schema.text("The name of a browser that login or authorize has used."),
    }, { required: [], example: { id_token: exampleToken } }),
    tokens: {},
    handle: endSession,
  }),
];

function withBrowser<T extends BrowserName>(terms: T, browsers: NamedBrowsers) {
  const { browser, ...others } = terms;
  return browser === undefined ? others : { ...others, browser: browsers.open(browser) };
}

async function answerAuthorize(
  { tenant, browsers, body }: Call<Fitting<typeof authorizeBody>>,
): Promise<Reply> {
  const { url, username, ...named } = body;
  if (!URL.canParse(url)) {
    throw wrongValue("url", "must be the absolute URL to which the client sends the browser");
  }
  const terms = { ...withBrowser(named, browsers), ...present({ username }) };
  try {
    return { method: "GET", url: (await tenant.authorize(url, terms)).href };
  } catch (error) {
    if (error instanceof ForeignUrl) {
      const base = tenant.issuer.replace(/\/$/, "");
      const sent = withoutQuery(url);
      const expected = error.isAtProvider
        ? `must be an authorization endpoint that the look-alike has, not ${sent}. If the provider has another tenant ` +
          "there, name its host and path: the option host, or --like-host"
        : `must be below ${base}/, or at a host of a look-alike that is on (--like NAME, or POST /look_alikes), not ${sent}`;
      throw wrongValue("url", expected);
    }
    // A pushed or signed request has its response_mode inside, so only the response shows it.
    const request = formRequestOf(error);
    if (request === undefined) throw error;
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    return { method: request.method, url: request.url, form };
  }
}

async function endSession({ tenant, browsers, body }: Call<BrowserName & GivenTokens>): Promise<Reply> {
  const tokens = pickTokens(body);
  const { browser } = body;
  if (browser === undefined && Object.keys(tokens).length === 0) {
    throw wrongRequest("There is no session to end", "a browser, or the tokens of a sign-in");
  }
  await tenant.endSession(tokens, browser === undefined ? {} : { browser: browsers.require(browser) });
}
