/** What providers answer has the members and types of their specifications, and they refuse in their own words. */

import { assert, assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import type { LookAlikeName } from "../../../../src/kit/mod.ts";
import { signAsApp } from "../../../github_app.ts";
import { test } from "../../../runner.ts";
import { differ, type Shape } from "./answer_shapes.ts";
import { appleAnswers } from "./answers/apple.ts";
import { atlassianAnswers } from "./answers/atlassian.ts";
import { auth0Answers } from "./answers/auth0.ts";
import { cognitoAnswers } from "./answers/cognito.ts";
import { discordAnswers } from "./answers/discord.ts";
import { entraAnswers } from "./answers/entra.ts";
import { facebookAnswers } from "./answers/facebook.ts";
import { githubAnswers } from "./answers/github.ts";
import { gitlabAnswers } from "./answers/gitlab.ts";
import { googleAnswers } from "./answers/google.ts";
import { keycloakAnswers } from "./answers/keycloak.ts";
import { linkedinAnswers } from "./answers/linkedin.ts";
import { oktaAnswers } from "./answers/okta.ts";
import { slackAnswers, slackOpenidAnswers } from "./answers/slack.ts";
import { createProvider, credentialsOf, logIn, type Provider, requestsOf, send } from "./provider_answers.ts";
import { redirectUri, type Texts } from "./provider_shop.ts";

/** What leads to the error of a redirect. */
interface Cause {
  readonly more?: Texts;
  readonly person?: { readonly username?: string; readonly deny?: boolean };
  readonly isSignedIn?: boolean;
}

const causes: Readonly<Record<keyof NonNullable<Provider["redirects"]>, Cause>> = {
  access_denied: { person: { username: "alice", deny: true } },
  consent_required: { more: { scope: "openid profile", prompt: "none" }, isSignedIn: true },
  login_required: { more: { prompt: "none" } },
  unsupported_response_type: { more: { response_type: "other" } },
};

const providers: Readonly<Partial<Record<LookAlikeName, Provider>>> = {
  apple: appleAnswers,
  atlassian: atlassianAnswers,
  auth0: auth0Answers,
  cognito: cognitoAnswers,
  discord: discordAnswers,
  entra: entraAnswers,
  facebook: facebookAnswers,
  github: githubAnswers,
  gitlab: gitlabAnswers,
  google: googleAnswers,
  keycloak: keycloakAnswers,
  linkedin: linkedinAnswers,
  okta: oktaAnswers,
  slack: slackAnswers,
  slack_openid: slackOpenidAnswers,
};

for (const [name, provider] of Object.entries(providers) as [LookAlikeName, Provider][]) {
  const judge = (found: unknown, shape: Shape, title: string, exact = provider.exact) =>
    assertEquals(differ(found, shape, exact), [], title);

  test(`provider answers: those of ${name} have the members and types of its specification`, async () => {
    await using as = await createProvider(name, provider);
    const client = await credentialsOf(provider);
    const { body: tokens } = await send(as, provider.token, await logIn(as, provider));
    judge(tokens, provider.tokens ?? "", "token");
    if (provider.accessToken) judge(decodeJwt(tokens.access_token), provider.accessToken, "access token");
    if (provider.idToken) judge(decodeJwt(tokens.id_token), provider.idToken, "ID token");
    const fill = <Part>(part: Part): Part =>
      JSON.parse(JSON.stringify(part).replace(/\{(\w+_token)\}/g, (_, each) => tokens[each]));
    const authorizations = {
      person: () => `Bearer ${tokens.access_token}`,
      bot: async () => {
        const own = { ...client, grant_type: "client_credentials", scope: "identify" };
        return `Bot ${(await send(as, provider.token, own)).body.access_token}`;
      },
      app: async () => `Bearer ${await signAsApp({ iss: client["client_id"]! })}`,
      none: () => "",
    };
    for (const [request, members, sent = {}] of provider.answers) {
      const { by = "person", form, json, headers, status = 200 } = fill(sent);
      const [method = "", url = ""] = fill(request).split(" ");
      const authorization = await authorizations[by]();
      const answer = await as.fetch(url, {
        method,
        headers: { ...headers, ...(authorization === "" ? {} : { authorization }) },
        body: form ? new URLSearchParams(form) : json && JSON.stringify(json),
      });
      const title = `${request} by ${by}`;
      assert(answer.headers.get("content-type")?.includes("json"), title);
      assertEquals([title, answer.status], [title, status]);
      judge(await answer.json(), members, title);
    }
  });

  const { refused = "error error_description", refusals = [], challenges = [], redirects = {} } = provider;

  if (refusals.length > 0) {
    test(`provider answers: ${name} refuses with its own status, code and words, and with no other challenge`, async () => {
      await using as = await createProvider(name, provider);
      const requests = requestsOf(as, provider, await credentialsOf(provider));
      for (const [what, status, error, description] of refusals) {
        const { answer, body } = await requests[what]!();
        judge(body, refused, what, true);
        const challenge = answer.headers.has("www-authenticate");
        assertEquals([answer.status, challenge], [status, challenges.includes(what)], what);
        const { error: foundError, error_description: words } = body;
        assertEquals([foundError, words], [error ?? foundError, description ?? words], what);
      }
    });
  }

  if (Object.keys(redirects).length > 0) {
    test(`provider answers: the words of a redirect with an error are those of ${name}`, async () => {
      await using as = await createProvider(name, provider);
      const { client_id = "" } = await credentialsOf(provider);
      const asked = {
        client_id,
        response_type: "code",
        redirect_uri: redirectUri,
        state: "s",
        ...provider.login,
      };
      for (const [error, description] of Object.entries(redirects)) {
        const cause: Cause = causes[error as keyof typeof causes];
        const browser = as.browser();
        const go = (more: Texts = {}, person: Cause["person"] = {}) =>
          as.authorize(`${provider.authorize}?${new URLSearchParams({ ...asked, ...more })}`, {
            ...person,
            browser,
          });
        if (cause.isSignedIn) await go({ scope: "openid" }, { username: "alice" });
        const { searchParams } = await go(cause.more, cause.person);
        const found = ["error", "error_description", "state"].map((each) => searchParams.get(each));
        assertEquals(found, [error, description, "s"]);
      }
    });
  }
}
