/** What `postern learn` takes from its sources. */

import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import type { Members } from "../../../src/ground/values/members.ts";
import type { Configuration } from "../../../src/server/setup/configuration.ts";
import { parseJsonc } from "../../../src/tools/cli/configuration/parse_jsonc.ts";
import { learnHar } from "../../../src/tools/cli/learn/learn_har.ts";
import { learnMetadata } from "../../../src/tools/cli/learn/learn_metadata.ts";
import { createContext, readTexts } from "../../../src/tools/cli/learn/learn_parts.ts";
import { learnRealm } from "../../../src/tools/cli/learn/learn_realm.ts";
import { listValues } from "../../../src/tools/cli/learn/list_values.ts";
import { type Parts, writePart } from "../../../src/tools/cli/learn/part.ts";
import { isPlainName, mayNameClaim } from "../../../src/tools/cli/learn/plain_name.ts";
import { describeConfigured, writeLearned } from "../../../src/tools/cli/learn/write_learned.ts";
import { test } from "../../runner.ts";

const options = { origin: "http://localhost:9000", keepsSecrets: false, usual: {} };

function configure(members: Parts): Configuration {
  return parseJsonc(writePart({ members, from: "A test." }).join("\n")) as Configuration;
}

test("learn: texts of others are bounded in number and length, and each counts once", () => {
  const long = "a".repeat(200);
  assertEquals(readTexts(["b", 1, "", long, `${long}a`, "b", null]), ["b", long]);
  assertEquals(readTexts(Array.from({ length: 501 }, (_, index) => `${index}`)).length, 500);
});

test("learn: a body of each kind has its values, with their names", () => {
  const parts = '--x\r\na: form-data; name="a"\r\n\r\n1\r\n\r\n2\r\n--x\r\nname="c"\n\n3\n--x--';
  const bodies: readonly (readonly [body: string, values: readonly (readonly [string, string])[]])[] = [
    ['{"a":[1,{"b":null}],"c":"{\\"d\\":2}"}', [["a", "1"], ["b", ""], ["d", "2"]]],
    ['{"a":"/b?c=d","e":"https://f.test/?g=h"}', [["a", "/b?c=d"], ["c", "d"], ["e", "https://f.test/?g=h"], [
      "g",
      "h",
    ]]],
    ["a=b&c=%2Fd", [["a", "b"], ["c", "/d"]]],
    ['{"a":"b/?c=d"}', [["a", "b/?c=d"]]],
    ["a=b c", [["", "a"], ["a", "b"], ["b", "c"]]],
    ["<a b='c'>d</a>", [["", "a"], ["a", "b"], ["b", "c"], ["c", "d"], ["d", "/a"]]],
    ...["--x", "------WebKitFormBoundaryA7"].map((boundary) =>
      [parts.replaceAll("--x", boundary), [["a", "1\n\n2"], ["c", "3"]]] as const
    ),
    ["", []],
  ];
  for (const [body, values] of bodies) assertEquals([body, listValues(body)], [body, values]);
});

test("learn: a realm gives the addresses after a logout, the audiences, and who may not sign in", () => {
  const uris = { rootUrl: "https://a.test", redirectUris: ["/cb"] };
  const config = { "included.client.audience": "x", "included.custom.audience": "y" };
  const audience = { protocolMapper: "oidc-audience-mapper", config };
  const clients = [
    {
      clientId: "a",
      ...uris,
      consentRequired: true,
      attributes: { "post.logout.redirect.uris": "+##/bye##https://b.test/" },
    },
    { clientId: "b+", ...uris, attributes: { "post.logout.redirect.uris": "" }, protocolMappers: [audience] },
  ];
  const email = "bo@a.test";
  const users = [
    { username: "al", firstName: "Al", lastName: "Bo", enabled: false, emailVerified: true },
    { username: "bo", email, emailVerified: true },
  ];
  const context = createContext(options);
  const is = configure(learnRealm({ realm: "r", clients, users }, context));
  const claims = ["preferred_username", "name", "given_name", "family_name", "email", "email_verified"];
  const accessToken = [...claims, "realm_access", "resource_access"];
  assertEquals(is.claimsIn, { accessToken, idToken: claims, userinfo: claims });
  const after = ["https://a.test/cb", "https://a.test/bye", "https://b.test/"];
  assertEquals(is.clients!.map((each) => each.post_logout_redirect_uris), [after, undefined]);
  assertEquals(is.tokenClaims, [{ when: { client_id: "b\\+" }, claims: { aud: ["x"] } }]);
  const left = 'Parts that are not taken over. "a" "consentRequired"';
  const name = { name: "Al Bo", given_name: "Al", family_name: "Bo" };
  assertEquals([is.people, [...context.leftOut.keys()]], [
    [
      { username: "al", disabled: true, claims: name },
      { username: "bo", claims: { email, email_verified: true } },
    ],
    [left],
  ]);
});

/** Parts of a realm, its clients and users that are taken over, or that only Keycloak uses. */
const unmentioned =
  "id enabled accessTokenLifespan accessCodeLifespan ssoSessionMaxLifespan ssoSessionIdleTimeout clientId name secret " +
  "publicClient bearerOnly protocol protocolMappers redirectUris post.logout.redirect.uris rootUrl baseUrl webOrigins " +
  "standardFlowEnabled serviceAccountsEnabled clientAuthenticatorType serviceAccountClientId username email emailVerified " +
  "firstName lastName credentials createdTimestamp realmRoles clientRoles saml otp webAuthn required authenticat " +
  "bruteForce failureFactor max min quick wait first reset docker directGrantFlow registrationFlow " +
  "clientAuthenticationFlow browser local internationalization supportedLocales defaultLocale smtp components events " +
  "enabledEvent adminEvents keycloakVersion clientProfiles clientPolicies notBefore actionToken accessCodeLifespanLogin " +
  "accessCodeLifespanUser client.secret.creation sslRequired samlForce otpPolicy";
const ofKeycloak = "account account-console admin-cli broker realm-management security-admin-console";

test("learn: a realm needs no mention of what only Keycloak uses, and of what has its usual value", () => {
  const usualValues = { a: null, b: false, c: "false", d: "", e: 0, f: -1, g: {}, h: [] };
  const others = { xsaml: 1, groups: ["x"], i: true, j: { k: 1 } };
  const clients = [...ofKeycloak.split(" "), "my-account", "broker-2"].map((clientId) => ({ clientId }));
  const named = Object.fromEntries(unmentioned.split(" ").map((name) => [name, "x"]));
  const context = createContext(options), users = [{ username: "al" }];
  learnRealm({ ...named, ...usualValues, ...others, realm: "r", clients, users }, context);
  assertEquals([...context.leftOut.keys()], [
    'Parts that are not taken over. "realm" "xsaml" "groups" "i" "j"',
    `Clients of Keycloak itself. "${ofKeycloak.replaceAll(" ", '" "')}"`,
  ]);
});

test("learn: a client of a realm has the grant types of its flows, unless these are the usual ones", () => {
  const service = { serviceAccountsEnabled: true }, noLogin = { standardFlowEnabled: false };
  const isPublic = { publicClient: true };
  const rows = [
    [{}, ["authorization_code", "refresh_token"]],
    ...[service, isPublic, noLogin, { ...isPublic, ...service }].map((flows) => [flows, undefined] as const),
    [{ ...noLogin, ...service }, ["client_credentials"]],
    [{ ...noLogin, ...service, ...isPublic }, undefined],
  ] as const;
  for (const [flows, expected] of rows) {
    const realm = { realm: "r", clients: [{ clientId: "a", ...flows }] };
    const [client] = configure(learnRealm(realm, createContext(options))).clients!;
    assertEquals([flows, client?.grant_types], [flows, expected]);
  }
});

test("learn: a URI is taken over if it is one exact address, and the secret of an export if it has one", () => {
  const uris: Readonly<Record<string, readonly [isTaken: boolean, isPrivate?: true]>> = {
    ...{ "http://192.168.1.7/cb": [true, true], "https://shop.test/cb": [true] },
    ...{ "http://shop.example.com/cb": [false], "http://*.localhost/cb": [false], "/cb": [false] },
  };
  const secrets = ["**********", "*s*", undefined, 7];
  const clients = Object.keys(uris).map((uri, index) => ({
    clientId: uri,
    redirectUris: [uri],
    secret: secrets[index],
  }));
  const of = (keepsSecrets: boolean) =>
    configure(learnRealm({ realm: "r", clients }, createContext({ ...options, keepsSecrets }))).clients!;
  for (const { client_id: uri = "", redirect_uris, allow_private_http } of of(true)) {
    const [isTaken, isPrivate] = uris[uri]!;
    assertEquals([redirect_uris, allow_private_http], [isTaken ? [uri] : undefined, isPrivate], uri);
  }
  const kept = [true, false].map((each) =>
    of(each).flatMap(({ client_secret: secret = "" }) => secret.length < 43 ? secret : [])
  );
  assertEquals(kept, [["*s*"], []]);
});

// The first line of the file has the whole configuration, and each other line what differs with other metadata.
test("learn: each member of the metadata has its part of the configuration, as metadata.txt says (RFC 8414 §2)", async () => {
  const usual = await describeConfigured({});
  const learn = ({ keys, ...metadata }: { readonly keys?: unknown }): Readonly<Record<string, unknown>> => {
    const context = createContext({ ...options, usual });
    const provider = { metadata: { issuer: "https://p.example/t", ...metadata }, keys: { keys } };
    const { people, clients: [client] = [], ...is } = configure(learnMetadata(provider, context));
    const claims = people?.map((each) => each.claims), left = [...context.leftOut.keys()];
    return { ...is, ...client, client_secret: typeof client?.client_secret, claims, left };
  };
  let plain: ReturnType<typeof learn> = {};
  for (const line of readFileSync("tests/tools/cli/learn/metadata.txt", "utf8").trim().split("\n")) {
    const [given = "", expected = ""] = line.split(" → ");
    const is = learn(JSON.parse(given)), names = Object.keys({ ...plain, ...is });
    const changed = names.filter((name) => JSON.stringify(is[name]) !== JSON.stringify(plain[name]));
    const parts = Object.fromEntries(changed.map((name) => [name, is[name] ?? "absent"]));
    assertEquals([given, parts], [given, JSON.parse(expected)]);
    if (given === "{}") plain = is;
  }
});

test("learn: a name is plain if each of its words is one of claims, and may name a claim if one is", () => {
  const plain =
    "access_account assigned_at billing_city colour_code data_default domain_email expiry-family hashHint kind_label " +
    "locations_login mobile_mode orders_org permissionPlan primary_product public_quota scope_section states_store " +
    `time_title uuid_value id _id id_ user__id ${"at_".repeat(26)}at`;
  for (const name of plain.split(" ")) assertEquals([name, isPlainName(name)], [name, true]);
  for (
    const name of ["", "-", "access_smith", "read.roles", "cost center", "a/id", `${"at_".repeat(26)}at_`]
  ) {
    assertEquals([name, isPlainName(name)], [name, false]);
  }
  const persons = new Set(["rose", "group"]);
  const named =
    "zorg _zorg custom:zorg https://a.test/zorg urn:smith-jones#zorg smith_group group roseGroups";
  assertEquals(named.split(" ").filter((name) => !mayNameClaim(name, persons)), ["roseGroups"]);
  const unnamed = "smith_zorg custom:smith_zorg a/rose rose_group smithZorg";
  assertEquals(unnamed.split(" ").filter((name) => mayNameClaim(name, persons)), []);
});

test("learn: a value has its origin behind it, and the text ends with what is left out, if anything is", async () => {
  const issuer = { value: "http://localhost:9000", from: "A." }, items = [issuer, issuer];
  const members = writePart({ members: { issuer, gone: undefined, b: { items, from: "B." } }, from: "All." });
  const lines = '{ // All.|  "issuer": V, // A.|  "b": [ // B.|    V, // A.|    V // A.|  ]|}';
  assertEquals(members, lines.replaceAll("V", JSON.stringify(issuer.value)).split("|"));
  const context = createContext(options);
  const endOf = async () => (await writeLearned({ parts: { issuer } }, context)).text.split("\n").slice(3);
  assertEquals(await endOf(), ["}", ""]);
  context.leaveOut("Something.", ["b", "c"], "a");
  context.leaveOut("Nothing.", []);
  context.leaveOut("All.");
  const title = "// What a server with this file does not do as the provider:";
  assertEquals(await endOf(), ["}", title, "// - Something.", "// - All.", ""]);
  assertEquals([...context.leftOut.keys()], ['Something. "a" "b" "c"', "All."]);
});

test("learn: a client says which parameters its requests have, and a HAR without a login is refused", () => {
  const context = createContext(options);
  const names =
    "client_id redirect_uri scope response_type response_mode grant_type resource audience prompt display max_age " +
    "acr_values ui_locales code_challenge_method iss state nonce code_challenge login_hint id_token_hint request " +
    "request_uri claims";
  const learn = (url: string) =>
    learnHar({ log: { entries: [{ request: { url } }] } }, context).parts.clients;
  const clients = JSON.stringify(learn(`https://a.test/go?${names.replaceAll(" ", "=a&")}=a&password=a`));
  assertStringIncludes(clients, `Its requests have ${names.replaceAll(" ", ", ")}.`);
  assertThrows(() => learn("https://a.test/"), Error, "the HAR has no authorization request");
});

const textOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = (claims: object, typ = "JWT") => `${textOf({ alg: "ES256", typ })}.${textOf(claims)}.c2ln`;
const answered = (answer: object) => ({ content: { text: JSON.stringify(answer) } });

/** A request to `https://a.test/t`. */
const asked = (path: string, params: Record<string, string>, answer: object = {}, request: object = {}) => ({
  request: { url: `https://a.test/t/${path}?${new URLSearchParams(params)}`, ...request },
  response: answered(answer),
});
const goes = (params: Record<string, string> = {}) =>
  asked("go", { client_id: "app", response_type: "code", ...params });
const redeems = (params: Record<string, string>, answer: object = {}, request: object = {}) =>
  asked("tok", { grant_type: "authorization_code", ...params }, answer, request);
const basicOf = (text: string, scheme = "Basic") => ({
  headers: [{ name: "authorization", value: `${scheme} ${btoa(text)}` }],
});
const methodsOf = ({ clients = [] }: Configuration) =>
  clients.map((client) => [client.client_id, client.token_endpoint_auth_method]);
const needsPkce = (_: unknown, left: string) => left.includes("needs PKCE here");
const authMethods = ({ clientAuthMethods }: Configuration) => clientAuthMethods;
const alone = redeems({ client_id: "app" });
const posts = redeems({ client_id: "b", client_secret: "s3" });
const listOf = (other: unknown) => ({ acr_values_supported: [other, "mfa"] });
const keptOf = ({ acrValues }: Configuration, left: string) =>
  `${acrValues} ${left.includes("mail address")}`;
const pathOf = ({ issuer = "" }: Configuration) => new URL(issuer).pathname;

const usual = {
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
};

/** What a HAR shows, by what it has. */
const hars: Readonly<
  Record<string, {
    readonly entries: readonly object[];
    readonly metadata?: Members;
    readonly read: (learned: Configuration, left: string) => unknown;
    readonly is: unknown;
    readonly left?: string;
  }>
> = {
  "an iss in a callback": { entries: [goes(), goes({ iss: "https://a.test/t" })], read: pathOf, is: "/t" },
  "an iss in an ID token": {
    entries: [goes({ iss: "no URL" }), redeems({}, { id_token: jwt({ iss: "https://a.test/t/" }) })],
    read: pathOf,
    is: "/t/",
  },
  "an iss of another server": { entries: [goes({ iss: "https://a.test/o" })], read: pathOf, is: "/" },
  "a redirect URI with user info and a fragment": {
    entries: [goes({ redirect_uri: "https://me:secret@b.test/cb#part" })],
    read: ({ clients: [client] = [] }) => client?.redirect_uris,
    is: ["https://b.test/cb"],
  },
  "a resource that is no URI": {
    entries: [goes({ resource: "orders" })],
    read: ({ resources }) => resources,
    is: undefined,
  },
  "an audience of another API": {
    entries: [
      goes({ resource: "https://b.test" }),
      redeems({}, {
        access_token: jwt({ aud: ["https://b.test", "https://c.test"] }),
      }),
    ],
    read: ({ resources }) => resources,
    is: ["https://b.test"],
    left: "An access token has an audience that no parameter resource requests: add it to tokenClaims.",
  },
  "an audience below the issuer": {
    entries: [goes(), redeems({}, { access_token: jwt({ aud: "https://a.test/t/userinfo" }) })],
    metadata: {},
    read: ({ resources }) => resources,
    is: undefined,
    left: "",
  },
  "no token request, and metadata": {
    entries: [goes()],
    metadata: { token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_post"] },
    read: methodsOf,
    is: [["app", "client_secret_post"]],
  },
  "clients with different methods": {
    entries: [
      goes(),
      goes({ client_id: "b c" }),
      goes({ client_id: "d" }),
      redeems({}, {}, basicOf("app:s:e", "basic")),
      redeems({ client_id: "b c", client_secret: "secret" }),
      redeems({ client_id: "d", code_verifier: "verifier" }),
    ],
    read: methodsOf,
    is: [["app", "client_secret_basic"], ["b c", "client_secret_post"], ["d", "none"]],
  },
  "the id of a client in the header only": {
    entries: [goes({ client_id: "b c" }), redeems({}, {}, basicOf("b+c:hunter-7"))],
    metadata: { token_endpoint_auth_methods_supported: ["client_secret_post"] },
    read: methodsOf,
    is: [["b c", "client_secret_basic"]],
  },
  "a key in the token request only": {
    entries: [goes(), redeems({ client_id: "app", client_assertion: "a" })],
    read: (_, left) => left.includes("A client has a key"),
    is: true,
  },
  "no secret and no PKCE": { entries: [goes(), alone], read: needsPkce, is: true },
  "a secret and no PKCE": { entries: [goes({ client_id: "b" }), posts], read: needsPkce, is: false },
  "PKCE": { entries: [goes({ code_challenge: "c" }), alone], read: needsPkce, is: false },
  "metadata without methods": { entries: [goes(), alone], metadata: {}, read: authMethods, is: undefined },
  "clients whose methods the metadata lacks": {
    entries: [goes(), goes({ client_id: "b" }), alone, posts],
    metadata: { token_endpoint_auth_methods_supported: ["client_secret_basic"] },
    read: authMethods,
    is: ["client_secret_basic", "none", "client_secret_post"],
  },
  "a mail address in a list": {
    entries: [goes()],
    metadata: listOf("a@b.test"),
    read: keptOf,
    is: "mfa true",
  },
  "a number in a list": { entries: [goes()], metadata: listOf(7), read: keptOf, is: "mfa false" },
  "no access token": { entries: [goes(), alone], read: ({ accessTokens }) => accessTokens, is: undefined },
  "scopes of metadata and of a request": {
    entries: [goes({ scope: "openid orders read" })],
    metadata: { scopes_supported: ["write"] },
    read: ({ scopes = {} }) => Object.keys(scopes),
    is: ["write", "openid", "orders", "read"],
  },
  "several token responses": {
    entries: [
      goes(),
      redeems({}, { access_token: jwt({}), expires_in: 120 }),
      redeems({}, { access_token: jwt({}, "at+jwt"), expires_in: 60 }),
      redeems({}, { error: "invalid_grant" }),
    ],
    read: ({ lifetimes, accessTokenType }) => [lifetimes, accessTokenType],
    is: [{ accessToken: 60 }, undefined],
  },
  "a form in the parts of the body, and one as the answer": {
    entries: [goes(), {
      request: {
        url: "https://a.test/t/tok",
        postData: {
          params: [{ name: "grant_type", value: "x" }, { name: "client_id", value: "app" }, {
            name: "client_secret",
            value: "s3",
          }],
        },
      },
      response: {
        content: {
          mimeType: "application/x-www-form-urlencoded; charset=utf-8",
          encoding: "base64",
          text: btoa("access_token=opaque"),
        },
      },
    }],
    read: (learned) => [...methodsOf(learned), learned.accessTokens],
    is: [["app", "client_secret_post"], "opaque"],
  },
  "claims of several answers": {
    entries: [
      goes(),
      ...[{ sub: "1", level: 9, list: [{ id: 8 }, { id: 7 }] }, { sub: "1", level: 9, on: false }].map((
        claims,
      ) => asked("me", {}, claims, { headers: [{ name: "Authorization", value: "bearer x" }] })),
      asked("own", {}, { sub: "1", own: 1 }, { headers: [{ name: "Authorization", value: "No bearer x" }] }),
      asked("api", {}, { other: 1 }, { headers: [{ name: "Authorization", value: "Bearer x" }] }),
    ],
    read: ({ claimsIn, people: [person] = [] }) => {
      const { level, list, on } = person?.claims ?? {};
      return [claimsIn, level, list, on];
    },
    is: [{ userinfo: ["level", "list", "on"] }, 1, [{ id: 1 }], true],
  },
};

test("learn: of a claim with objects, four levels and twenty names of each are taken over", () => {
  const names = Array.from({ length: 21 }, (_, index) => [`id_${"a".repeat(index)}`, 1]);
  const claims = { deep: { id: { id: { id: { id: { id: 1 } } } } }, wide: Object.fromEntries(names) };
  const headers = [{ name: "authorization", value: "Bearer x" }];
  const entries = [goes(), asked("me", {}, { sub: "1", ...claims }, { headers })];
  const { people: [person] = [] } = configure(learnHar({ log: { entries } }, createContext(options)).parts);
  const { deep, wide } = person!.claims!;
  assertEquals([deep, Object.keys(Object(wide)).length], [{ id: { id: { id: { id: {} } } } }, 20]);
});

for (const [what, { entries, metadata, read, is, left }] of Object.entries(hars)) {
  test(`learn: from a HAR with ${what}`, () => {
    const context = createContext({ ...options, usual });
    const provider = metadata && {
      metadata: { issuer: "https://a.test/t", authorization_endpoint: "https://a.test/t/go", ...metadata },
    };
    const { parts, metadata: learned } = learnHar({ log: { entries } }, context, provider);
    const leftOut = [...context.leftOut.values()];
    const was = read(configure(parts), leftOut.join());
    assertEquals([was, learned === undefined], [is, metadata === undefined]);
    const audiences = leftOut.filter((each) => each.includes("audience"));
    if (left !== undefined) assertEquals(audiences.join(), left);
  });
}
