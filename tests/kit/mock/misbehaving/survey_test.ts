/**
 * What the libraries of the survey call at a provider, called as they call it: each address that is covered answers. A line
 * of `surveyed.txt` has the provider, the title of the call, the status, and the JSON of the answer or the call that gets
 * the same.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHmac } from "node:crypto";
import { importJWK, SignJWT } from "jose";
import { type Call, type Survey, surveys } from "../../survey/survey.ts";
import { createMock, type LookAlikeName, lookAlikeNames, type Mock } from "../../../../src/kit/mod.ts";
import { lookAlikes } from "../../../../src/kit/faults/look_alikes/look_alikes.ts";
import { listOrigins } from "../../../../src/kit/faults/look_alikes/provider_hosts.ts";
import { providers } from "../../../../src/kit/faults/look_alikes/providers.ts";
import { demoPeople } from "../../../../src/server/setup/demo.ts";
import { appKey, signAsApp } from "../../../github_app.ts";
import { checkKept } from "../../../kept_lines.ts";
import { test } from "../../../runner.ts";
import { common } from "./answer_shapes.ts";

const redirectUri = "https://app.test/callback";
const home = "https://app.test/";
const secret = "the secret of the shop";

type Texts = Readonly<Record<string, string>>;

interface Login {
  readonly as: Mock;
  readonly name: LookAlikeName;
  readonly clientId: string;
  /** The secret, or what stands in its place. */
  readonly clientSecret: string;
  /** What `{access_token}` and other names in braces stand for. */
  readonly values: Texts;
}

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** At the others, the client of a device has no secret. */
const withoutSecret: readonly LookAlikeName[] = ["github", "google"];

/** At these, a client also acts for itself by a JWT that it signs. */
const signs: readonly LookAlikeName[] = ["github", "google"];

/** The client of an app of GitHub whose tokens expire. */
const clientIds: Partial<Record<LookAlikeName, string>> = { github: "Iv1.shop" };

async function openProvider(name: LookAlikeName, seed = 1): Promise<Login> {
  const clientId = clientIds[name] ?? "shop";
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const jwk = { ...await crypto.subtle.exportKey("jwk", pair.publicKey), kid: "ABC123DEFG" };
  const credentials = name === "apple"
    ? { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [jwk] } }
    : { client_secret: secret, ...(signs.includes(name) ? { jwks: { keys: [appKey] } } : {}) };
  const as = await createMock({
    ...{ lookLike: name, seed },
    people: demoPeople.map((each) => ({
      ...each,
      claims: { ...each.claims, groups: ["staff@example.com"] },
    })),
    clients: [
      {
        ...{
          grant_types: [
            "authorization_code",
            "refresh_token",
            "client_credentials",
            deviceGrant,
            exchangeGrant,
          ],
        },
        ...{ client_id: clientId, redirect_uris: [redirectUri], post_logout_redirect_uris: [home] },
        ...{ ...credentials, ...(name === "slack" ? { rotate_refresh_tokens: true } : {}) },
      },
      { client_id: "device", redirect_uris: [redirectUri], grant_types: [deviceGrant] },
      {
        ...{ client_id: "pool", client_secret: secret, grant_types: [exchangeGrant] },
      },
    ],
    trust: [{ issuer: "https://ci.test", jwks: { keys: [appKey] }, audiences: ["pool"], subjects: ["*"] }],
  });
  const clientSecret = name === "apple" ? await signSecret(pair.privateKey, clientId, as.clock.now) : secret;
  const claims = { ...timesOf(as), iss: clientId, aud: "https://oauth2.googleapis.com/token" };
  const values = {
    ...{ client_id: clientId, client_secret: secret },
    assertion: await signAsApp({ ...claims, scope: surveys.google.scope.replace(/openid \w+ \w+ /, "") }),
    assertion_of_audience: await signAsApp({ ...claims, target_audience: home }),
    subject_token: await signAsApp({ ...timesOf(as), iss: "https://ci.test", aud: "pool", sub: "job" }),
    secret_hash: createHmac("sha256", secret).update(`alice${clientId}`).digest("base64"),
    batch: JSON.stringify([{ id: "1", method: "GET", url: "/me" }]),
  };
  return { as, name, clientId, clientSecret, values };
}

const timesOf = ({ clock: { now } }: Mock) => ({ iat: now - 60, exp: now + 540 });

async function signSecret(privateKey: CryptoKey, sub: string, now: number): Promise<string> {
  const key = await importJWK(await crypto.subtle.exportKey("jwk", privateKey), "ES256");
  return await new SignJWT({ iss: "DEF123GHIJ", sub, aud: "https://appleid.apple.com" })
    .setProtectedHeader({ alg: "ES256", kid: "ABC123DEFG" }).setIssuedAt(now).setExpirationTime(now + 300)
    .sign(key);
}

/** Authorizes at the address of this call, and returns the code. */
async function authorize({ as, clientId }: Login, call: Call, scope: string): Promise<string> {
  const url = new URL(call.at.split(" ")[1]!);
  const asked = { access_type: "offline", prompt: "consent", ...call.params };
  const params = {
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    state: "s",
    ...asked,
  };
  url.search = `${new URLSearchParams({ ...params, ...(scope === "" ? {} : { scope }) })}`;
  if (call.params?.["response_mode"] !== "form_post") {
    return (await as.authorize(url, { username: "alice" })).searchParams.get("code") ?? "";
  }
  return String((await (await as.authorizeForm(url, { username: "alice" })).formData()).get("code") ?? "");
}

function findCall({ calls }: Survey, does: Call["does"]): Call {
  return Object.values(calls).find((call) => call.does === does && call.leftOut === undefined)!;
}

/** Logs in by the first calls of the survey. */
async function logIn(login: Login, survey: Survey): Promise<Login> {
  const code = await authorize(login, findCall(survey, "authorize"), survey.scope);
  const redeem = findCall(survey, "redeem");
  const json = { accept: "application/json" };
  const answer = await send(login, { ...redeem, headers: json }, { ...codeParams, code });
  const tokens = await answer.json();
  assert(typeof tokens.access_token === "string", JSON.stringify(tokens));
  return { ...login, values: { ...login.values, ...tokens } };
}

const codeParams = { grant_type: "authorization_code", redirect_uri: redirectUri };

/** Sends the request of the call, with more parameters. */
async function send(login: Login, call: Call, more: Texts = {}): Promise<Response> {
  const { as, name, clientId, clientSecret, values } = login;
  const [method = "", address = ""] = call.at.split(" ");
  const url = new URL(address);
  const headers: Record<string, string> = { ...call.headers };
  const params: Record<string, string> = { ...more };
  for (const [name, text] of Object.entries(call.params ?? {})) {
    params[name] = text.replace(/\{(\w+)\}/g, (_, value) => values[value] ?? `no ${value}`);
  }
  const isBasic = call.secret === "basic" || call.secret === "Basic:";
  if (isBasic || call.secret === "both") {
    const scheme = call.secret === "Basic:" ? "Basic:" : "Basic";
    headers["authorization"] = `${scheme} ${btoa(`${clientId}:${clientSecret}`)}`;
  }
  if (call.secret !== undefined && !isBasic) {
    Object.assign(params, { client_id: clientId, client_secret: clientSecret });
  } else if (call.secret === undefined && call.does === "device") {
    params["client_id"] = withoutSecret.includes(name) ? clientId : "device";
  }
  const { token } = call;
  if (token === "both") {
    headers["authorization"] = `Bearer ${values["access_token"]}`;
    params[name === "slack" ? "token" : "access_token"] = values["access_token"]!;
  } else if (token === "app") {
    headers["authorization"] = `Bearer ${await signAsApp({ ...timesOf(as), iss: login.clientId })}`;
  } else if (token === "Bearer" || token === "token" || token === "OAuth") {
    headers["authorization"] = `${token} ${values["access_token"]}`;
  } else if (token === "parameter id_token") params["id_token"] = values["id_token"]!;
  else if (token !== undefined) params[token.replace("parameter ", "")] = values["access_token"]!;
  const inQuery = method === "GET" || call.sends === "query";
  if (inQuery) { for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value); }
  if (call.sends === "json") headers["content-type"] ??= "application/json";
  const form = new URLSearchParams(params);
  const body = call.sends === "json"
    ? JSON.stringify(params, (_name, value) => /^\[?\{"/.test(value) ? JSON.parse(value) : value)
    : call.sends === "untyped"
    ? new TextEncoder().encode(`${form}`)
    : form;
  const hasBody = !inQuery && (Object.keys(params).length > 0 || call.secret !== undefined);
  return await as.fetch(url, { method, headers, redirect: "manual", ...(hasBody ? { body } : {}) });
}

async function getOwnToken(login: Login, survey: Survey, own: Texts): Promise<Login> {
  const answer = await send(login, findCall(survey, "redeem"), { grant_type: "client_credentials", ...own });
  return { ...login, values: { ...login.values, ...await answer.json() } };
}

/** Calls as the library does, and returns the answer. */
async function play(login: Login, survey: Survey, call: Call): Promise<Response | undefined> {
  const { refresh_token } = login.values;
  switch (call.does) {
    case "authorize":
      assertMatch(await authorize(login, call, call.scope ?? ""), /./);
      return undefined;
    case "redeem": {
      const code = await authorize(login, findCall(survey, "authorize"), survey.scope);
      return await send(login, call, { ...codeParams, code });
    }
    case "refresh":
      assert(refresh_token !== undefined, "the login gave no refresh token");
      return await send(login, call, { grant_type: "refresh_token", refresh_token });
    case "exchange": {
      const { scope = survey.scope, after } = call;
      const calls = after === undefined ? survey.calls : { after: survey.calls[after]!, ...survey.calls };
      return await send(await logIn(login, { ...survey, scope, calls }), call);
    }
    default:
      return await send(call.own === undefined ? login : await getOwnToken(login, survey, call.own), call);
  }
}

/** Yields what each call of the survey that is covered gets, after a login for each. */
async function* answersOf(opened: Login, survey: Survey) {
  for (const [title, call] of Object.entries(survey.calls)) {
    if (call.leftOut !== undefined) continue;
    const login = await logIn(opened, survey);
    const answer = await play(login, survey, call);
    if (answer !== undefined) yield { title, call, login, status: answer.status, text: await answer.text() };
  }
}

/** Returns the JSON of a text, or what type a text of another type has. */
function readBody(text: string): unknown {
  if (/^[[{]/.test(text)) return JSON.parse(text);
  return text.startsWith("<") ? "a page" : text.includes("access_token=") ? "a form" : text;
}

for (const name of lookAlikeNames) {
  const survey = surveys[name];
  test(`survey: each call of libraries at ${name} that is covered is answered`, async () => {
    const opened = await openProvider(name);
    await using _as = opened.as;
    for await (const { title, call, login, status, text } of answersOf(opened, survey)) {
      const at = `${name}, ${title}: ${status} ${text.slice(0, 300)}`;
      if (call.does === "logout") {
        assert([200, 303].includes(status), at);
        continue;
      }
      assert([200, 201, 204].includes(status), at);
      const members = call.reads === undefined ? {} : JSON.parse(text);
      for (const member of call.reads?.split(" ") ?? []) {
        assert(Object.hasOwn(members, member), `${member} in ${at}`);
      }
      if (call.does !== "revoke") continue;
      const { scope: _scope, ...who } = findCall(survey, "who") ?? findCall(survey, "refresh");
      const later = await play(login, survey, who);
      const reported = await later!.text();
      assert(
        later!.status >= 400 || reported.includes('"ok":false') || reported.includes('"is_valid":false'),
        at,
      );
    }
  });

  test(`survey: what the calls of libraries at ${name} get is as it was`, async () => {
    const [opened, again] = [await openProvider(name), await openProvider(name, 2)];
    await using _as = opened.as;
    await using _other = again.as;
    const others = answersOf(again, survey);
    const lines: (readonly string[])[] = [];
    const titles = new Map<string, string>();
    for await (const { title, status, text } of answersOf(opened, survey)) {
      const other = (await others.next()).value!;
      const body = JSON.stringify(common(readBody(text), readBody(other.text)));
      const earlier = titles.get(body);
      if (earlier === undefined) titles.set(body, title);
      lines.push([name, title, `${status}`, earlier === undefined ? body : `as ${earlier}`]);
    }
    checkKept("tests/kit/mock/misbehaving/surveyed.txt", name, lines);
  });

  test(`survey: each call of libraries at ${name} that is left out has a sentence, and no endpoint of the look-alike answers it`, async () => {
    const opened = await openProvider(name);
    await using as = opened.as;
    for (const [title, { at, leftOut }] of Object.entries(survey.calls)) {
      if (leftOut === undefined) continue;
      assertMatch(leftOut, /^\S.*\.$/, title);
      const [method = "", address = ""] = at.split(" ");
      const { origin } = new URL(address);
      if (!listOrigins(name).includes(origin)) continue;
      const answer = await as.fetch(address, { method });
      const text = await answer.text();
      assert(answer.status >= 400 || text.includes('"ok":false'), `${title}: ${answer.status}`);
    }
  });
}

test("survey: it has at least 60 libraries, and each call has a library", () => {
  const names = Object.values(surveys).flatMap(({ libraries }) => libraries.map(([library]) => library));
  const libraries = new Set(names.map((each) => each.replace(/ [\d.]+$/, "")));
  assert(libraries.size >= 60, `${libraries.size} libraries`);
  for (const [name, { calls, libraries }] of Object.entries(surveys)) {
    const used = new Set(libraries.flatMap(([, , ...titles]) => titles));
    assertEquals([...used].filter((each) => calls[each] === undefined), [], name);
    assertEquals(Object.keys(calls).filter((each) => !used.has(each)), [], name);
  }
});

test("survey: each address of a look-alike for logins is called by a library, or is in the metadata", () => {
  for (const name of lookAlikeNames) {
    const { endpoints, optionalInPath } = lookAlikes[name].addresses(providers[name].host);
    const called = Object.values(surveys[name].calls).map(({ at }) => {
      const { origin, pathname } = new URL(at.split(" ")[1]!);
      return origin + (optionalInPath === undefined ? pathname : pathname.replace(optionalInPath, ""));
    });
    // Each tenant of Entra has the addresses that are below `common`.
    const usual = (url: string) =>
      url.replace(
        /(?<=microsoftonline\.com)\/(?:organizations|consumers|botframework\.com|[0-9a-f-]{36})\//,
        "/common/",
      );
    const unknown = endpoints.filter(({ url, is }) =>
      !called.includes(url) && !called.includes(usual(url)) &&
      !["device_verification", "register", "introspect"].includes(is)
    );
    assertEquals(unknown.map(({ url }) => url), [], name);
  }
});
