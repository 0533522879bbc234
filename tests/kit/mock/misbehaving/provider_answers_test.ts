/**
 * What providers answer has the members and types of their specifications, and they refuse in their own words. A line of
 * `answered.txt` has the provider, the request and the JSON of the answer, and one of `refused.txt` also the status and the
 * challenge.
 */

import { assert, assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import type { LookAlikeName, Mock } from "../../../../src/kit/mod.ts";
import { signAsApp } from "../../../github_app.ts";
import { checkKept } from "../../../kept_lines.ts";
import { test } from "../../../runner.ts";
import { common, differ, type Shape } from "./answer_shapes.ts";
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

interface Answered {
  readonly title: string;
  readonly members: Shape;
  readonly body: unknown;
}

/** Logs alice in and sends the requests of the table. Yields what is issued and answered. */
async function* answersOf(as: Mock, provider: Provider): AsyncGenerator<Answered> {
  const client = await credentialsOf(as, provider);
  const { now } = as.clock;
  const { body: tokens } = await send(as, provider.token, await logIn(as, provider));
  yield { title: "token", members: provider.tokens ?? "", body: tokens };
  if (provider.accessToken) {
    yield { title: "access token", members: provider.accessToken, body: decodeJwt(tokens.access_token) };
  }
  if (provider.idToken) {
    yield { title: "ID token", members: provider.idToken, body: decodeJwt(tokens.id_token) };
  }
  const fill = <Part>(part: Part): Part =>
    JSON.parse(JSON.stringify(part).replace(/\{(\w+_token)\}/g, (_, each) => tokens[each]));
  const authorizations = {
    person: () => `Bearer ${tokens.access_token}`,
    bot: async () => {
      const own = { ...client, grant_type: "client_credentials", scope: "identify" };
      return `Bot ${(await send(as, provider.token, own)).body.access_token}`;
    },
    app: async () => `Bearer ${await signAsApp({ iss: client["client_id"]!, iat: now, exp: now + 540 })}`,
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
    yield { title, members, body: await answer.json() };
  }
}

const folder = "tests/kit/mock/misbehaving";

/** Whether the provider has the endpoint that the request is about. */
const isFor = (provider: Provider, what: string) =>
  (["revoke", "introspect", "device", "par"] as const).every((each) =>
    !new RegExp(`\\b${each}`).test(what) || provider[each] !== undefined
  );

for (const [name, provider] of Object.entries(providers) as [LookAlikeName, Provider][]) {
  const judge = (found: unknown, shape: Shape, title: string, exact = provider.exact) =>
    assertEquals(differ(found, shape, exact), [], title);

  test(`provider answers: those of ${name} have the members and types of its specification`, async () => {
    await using as = await createProvider(name, provider);
    for await (const { title, members, body } of answersOf(as, provider)) judge(body, members, title);
  });

  test(`provider answers: those of ${name} about alice are as they were`, async () => {
    await using as = await createProvider(name, provider);
    await using other = await createProvider(name, provider, 2);
    const others = answersOf(other, provider);
    const lines: (readonly string[])[] = [];
    for await (const { title, body } of answersOf(as, provider)) {
      const { value } = await others.next();
      lines.push([name, title, JSON.stringify(common(body, value.body))]);
    }
    checkKept(`${folder}/answered.txt`, name, lines);
  });

  test(`provider answers: the refusals of ${name} are as they were`, async () => {
    await using as = await createProvider(name, provider);
    await using other = await createProvider(name, provider, 2);
    const [requests, others] = await Promise.all(
      [as, other].map(async (each) => requestsOf(each, provider, await credentialsOf(each, provider))),
    );
    const lines: (readonly string[])[] = [];
    for (const what of Object.keys(requests!).filter((each) => isFor(provider, each))) {
      const { answer, body } = await requests![what]!();
      const again = await others![what]!();
      const challenge = answer.headers.get("www-authenticate") ?? "no challenge";
      lines.push([name, what, `${answer.status}`, challenge, JSON.stringify(common(body, again.body))]);
    }
    checkKept(`${folder}/refused.txt`, name, lines);
  });

  const { refused: shape = "error error_description", refusals = [], challenges = [], redirects = {} } =
    provider;

  if (refusals.length > 0) {
    test(`provider answers: ${name} refuses with its own status, code and words, and with no other challenge`, async () => {
      await using as = await createProvider(name, provider);
      const requests = requestsOf(as, provider, await credentialsOf(as, provider));
      for (const [what, status, error, description] of refusals) {
        const { answer, body } = await requests[what]!();
        judge(body, shape, what, true);
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
      const { client_id = "" } = await credentialsOf(as, provider);
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
