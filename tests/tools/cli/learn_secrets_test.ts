/** `postern learn FILE.har`: no secret of the HAR and no name of a person reaches the file or the terminal. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { readFile, writeFile } from "node:fs/promises";
import type { Configuration } from "../../../src/server/setup/configuration.ts";
import { parseJsonc } from "../../../src/tools/cli/configuration/parse_jsonc.ts";
import { inFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";
import { run } from "./in_process.ts";

interface Learned {
  readonly is: Configuration;
  /** All that a person can see. */
  readonly written: string;
}

async function learnFrom(entries: readonly object[]): Promise<Learned> {
  let learned: Learned | undefined;
  await inFolder(async (path) => {
    await writeFile(path("login.har"), JSON.stringify({ log: { entries } }));
    const { code, stdout, stderr } = await run("learn", path("login.har"), path("postern.jsonc"));
    assertEquals([code, stderr], [0, ""]);
    const text = await readFile(path("postern.jsonc"), "utf8");
    learned = { is: parseJsonc(text) as Configuration, written: text + stdout };
  });
  return learned!;
}

const sso = "https://login.example.com";
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const jwtOf = (claims: unknown) => `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}.c2lnbmF0dXJl`;

interface Recorded {
  readonly url?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly postData?: object;
  readonly answer?: unknown;
  readonly answered?: readonly (readonly [name: string, value: string])[];
}

function entry({ url = `${sso}/api`, headers = [], postData, answer = {}, answered = [] }: Recorded): object {
  const list = (all: typeof headers) => all.map(([name, value]) => ({ name, value }));
  const request = { method: postData ? "POST" : "GET", url, headers: list(headers) };
  return {
    request: { ...request, ...(postData ? { postData } : {}) },
    response: { headers: list(answered), content: { text: JSON.stringify(answer) } },
  };
}

/** The entries of a login whose public texts have this text in them. */
function logInWith(text: string, claims: object = {}): readonly object[] {
  const encoded = encodeURIComponent(text);
  const login = new URLSearchParams({
    ...{ client_id: "web", response_type: "code", code_challenge: "abc" },
    redirect_uri: `https://shop.test/${encoded}/callback`,
    resource: `https://api.shop.test/${encoded}`,
    scope: `openid orders ${text} read:${text}`,
  });
  const other = new URLSearchParams({
    ...{ client_id: text, response_type: "code", redirect_uri: "https://shop.test/cb", scope: encoded },
  });
  const token = jwtOf({ [text]: 1, [`https://shop.test/${encoded}`]: 1, rights: { [text]: 1 }, ...claims });
  return [
    entry({ url: `${sso}/go?${login}` }),
    entry({ url: `${sso}/go?${other}` }),
    entry({ url: `${sso}/tok?grant_type=authorization_code&client_id=web`, answer: { access_token: token } }),
  ];
}

test("learn: an object in the place of a text is read, too", async () => {
  const odd = { toString: null };
  const form = { mimeType: odd, text: odd, params: [{ name: odd, value: odd }] };
  const answer = { access_token: odd, id_token: odd, sub: odd };
  const token = entry({
    url: `${sso}/tok?grant_type=x`,
    postData: form,
    answer,
    headers: [[odd, odd]] as never,
  });
  assertEquals((await learnFrom([...logInWith("a"), token])).is.clients?.length, 2);
});

const posting = (text: string, mimeType = "text/plain", more: object = {}): Recorded => ({
  postData: { mimeType, text, ...more },
});
const postingJson = (value: unknown) => posting(JSON.stringify(value), "application/json");
const inParts = (name: string, value: string, end: string) =>
  [
    ...["--x7MA4YWxk", 'Content-Disposition: form-data; name="a"', "", "1"],
    ...[
      "--x7MA4YWxk",
      `Content-Disposition: form-data; name="${name}"`,
      "Content-Type: text/plain",
      "",
      value,
    ],
    "--x7MA4YWxk--",
  ].join(end);

/** Where a HAR can have a secret. */
const places: Readonly<Record<string, (secret: string) => Recorded>> = {
  ...Object.fromEntries(
    [
      ...[
        "X-Api-Key",
        "x-api-key",
        "X-Functions-Key",
        "Ocp-Apim-Subscription-Key",
        "X-Auth-Token",
        "X-CSRF-Token",
      ],
      ...["Proxy-Authorization", "X-Amz-Security-Token", "Authorization", "Private-Token"],
    ].map((name) => [`the header ${name}`, (secret: string): Recorded => ({ headers: [[name, secret]] })]),
  ),
  "a bearer token": (secret) => ({ headers: [["authorization", `Bearer ${secret}`]] }),
  "a client's secret in the header": (secret) => ({
    headers: [["Authorization", `Basic ${base64(`web:${encodeURIComponent(secret)}`)}`]],
  }),
  "a client's secret in the header as it is": (secret) => ({
    headers: [["Authorization", `Basic ${base64(`web:${secret}`)}`]],
  }),
  "a cookie": (secret) => ({ headers: [["Cookie", `a=b; sid=${secret}`]] }),
  "a set cookie": (secret) => ({ answered: [["Set-Cookie", `sid=${secret}; Path=/; HttpOnly`]] }),
  "a line of set cookies": (secret) => ({
    answered: [["Set-Cookie", `a=b; Path=/\nsid=${secret}; HttpOnly`]],
  }),
  "a query": (secret) => ({ url: `${sso}/api?${new URLSearchParams({ hint: secret })}` }),
  "a form": (secret) =>
    posting(`${new URLSearchParams({ a: "b", password: secret })}`, "application/x-www-form-urlencoded"),
  "a form of another type": (secret) => posting(`${new URLSearchParams({ a: "b", password: secret })}`),
  "the parameters of a form": (secret) => ({
    postData: { mimeType: "multipart/form-data", params: [{ name: "password", value: secret }] },
  }),
  "a form with parts": (secret) =>
    posting(`${inParts("password", secret, "\r\n")}\r\n`, "multipart/form-data; boundary=x"),
  "a form with parts and plain lines": (secret) =>
    posting(inParts("password", secret, "\n"), "multipart/form-data"),
  "JSON": (secret) => postingJson({ username: "al", password: secret }),
  "JSON of another type": (secret) => posting(JSON.stringify({ password: secret })),
  "JSON, in an object": (secret) => postingJson({ a: { b: { c: { credentials: { passcode: secret } } } } }),
  "JSON, in a list": (secret) =>
    postingJson([{ callbacks: [{ input: [{ name: "IDToken2", value: secret }] }] }]),
  "JSON, at a depth that no stack has": (secret) =>
    posting(`${"[".repeat(20_000)}${JSON.stringify(secret)}${"]".repeat(20_000)}`, "application/json"),
  "JSON, a list of texts": (secret) => postingJson([[secret]]),
  "JSON, a text": (secret) => postingJson(secret),
  "JSON in a text of JSON": (secret) =>
    postingJson({ body: JSON.stringify({ login: { password: secret } }) }),
  "JSON in a form": (secret) => posting(`${new URLSearchParams({ f: JSON.stringify({ p: secret }) })}`),
  "an address in JSON": (secret) => postingJson({ page: `/next?${new URLSearchParams({ ticket: secret })}` }),
  "JSON in lines": (secret) =>
    posting(`${JSON.stringify({ a: 1 })}\n${JSON.stringify({ form: { password: secret } })}\n`),
  "an element of XML": (secret) =>
    posting(`<a:Login><a:Password>${secret}</a:Password></a:Login>`, "text/xml"),
  "an element of XML with CDATA": (secret) =>
    posting(`<Password><![CDATA[${secret}]]></Password>`, "text/xml"),
  "an attribute of XML": (secret) => posting(`<Login name='al' password='${secret}'/>`, "application/xml"),
  "a text": (secret) => posting(`login al ${secret}`),
  "a text with a name": (secret) => posting(`user: al\npassword: ${secret}\n`),
  "a text with dashes at its end": (secret) => posting(`user: al\npassword: ${secret}\n--`),
  "a line of a text": (secret) => posting(`password:${secret}\r\nend`),
  "a query of GraphQL": (secret) =>
    posting(`mutation { login(user: "al", password: "${secret}") { id } }`, "application/graphql"),
  "a text in base64": (secret) =>
    posting(base64(JSON.stringify({ password: secret })), "application/json", { encoding: "base64" }),
  ...Object.fromEntries(
    [
      ...["access_token", "accessToken", "sessionToken", "client_secret", "clientSecret", "code", "password"],
      ...["apiKey", "userCode", "refresh_tokens", "pass", "passwd", "passphrases", "pwd", "pin", "otp"],
      ...["SESSION", "credentials", "code_verifier", "client_assertion"],
    ].map((name) => [`${name} of an answer`, (secret: string): Recorded => ({ answer: { [name]: secret } })]),
  ),
  "the second secret of an answer": (secret) => ({ answer: { code: "of-another", token: secret } }),
  "a list in an answer": (secret) => ({ answer: { a: [{ session_token: secret }] } }),
  "a text of JSON in an answer": (secret) => ({ answer: { a: JSON.stringify({ id_token: secret }) } }),
};

const usualLogin = new URLSearchParams({
  ...{ client_id: "web", response_type: "code", redirect_uri: "https://shop.test/callback", scope: "orders" },
});

/** Secrets of three kinds, which no two places share: a word, and texts with digits and marks. */
function secretsFor(index: number): readonly string[] {
  const letters = [...String(index).padStart(3, "0")].map((digit) => "abcdefghij"[Number(digit)]).join("");
  return [`sunshine${letters}`, `hunter-${letters}-22`, `Qx7_pL.9w${letters}`];
}

/** Returns each place whose secret is in the file, because one of its public texts has it. */
async function findLeaks(names: readonly string[], more: Recorded = {}): Promise<readonly string[]> {
  const sent = names.flatMap((place, index) => secretsFor(index).map((secret) => ({ place, secret })));
  const entries = sent.flatMap(({ place, secret }) => [
    ...logInWith(secret),
    entry({ ...more, ...places[place]!(secret) }),
  ]);
  const { is, written } = await learnFrom([entry({ url: `${sso}/go?${usualLogin}` }), ...entries]);
  assertEquals(is.scopes, { orders: "Use orders" });
  const ids = ["web", ...sent.map((_, index) => `client-${index + 2}`)];
  assertEquals(is.clients?.map(({ client_id }) => client_id), ids);
  const decoded = decodeURIComponent(written.replaceAll(/%(?![\da-f]{2})/gi, ""));
  return sent.filter(({ secret }) => decoded.includes(secret)).map(({ place, secret }) =>
    `${secret}: ${place}`
  );
}

test("learn: a secret of a HAR stays out of the file, wherever it is sent and wherever it also stands", async () => {
  assertEquals(await findLeaks(Object.keys(places)), []);
});

/** Places where the name says that the value is a secret. Pages send anything to other hosts than the provider. */
const named = [
  ...["a form", "a form of another type", "a form with parts", "JSON", "JSON, in an object", "JSON in lines"],
  ...["JSON in a text of JSON", "an element of XML", "an element of XML with CDATA", "an attribute of XML"],
  ...["a text with a name", "a line of a text", "a query of GraphQL", "a text in base64"],
  ...["the header X-Api-Key", "a cookie", "a list in an answer"],
];

test("learn: a secret that a page sends to its own host stays out of the file, too", async () => {
  assertEquals(await findLeaks(named, { url: "https://shop.test/log-in" }), []);
});

test("learn: what a page sends to the host of the logins, or to that of the tokens, stays out of the file", async () => {
  const hosts = ["https://login.example.com", "https://tokens.example.com"], secret = "hunter-7-22";
  for (const host of hosts) {
    const { written } = await learnFrom([
      entry({ url: `${hosts[0]}/go?client_id=web&response_type=code&scope=orders+${secret}` }),
      entry({ url: `${hosts[1]}/tok?grant_type=authorization_code&client_id=web` }),
      entry({ url: `${host}/api`, ...postingJson({ nick: secret }) }),
    ]);
    assertEquals([host, written.includes("orders"), written.includes(secret)], [host, true, false]);
  }
});

test("learn: a secret that is percent-encoded in another text is found, and in its own place", async () => {
  for (const secret of ["/p4ssw0rd", "p ss+w/rd=7", "gr\u00fc\u00dfe-7-x", "100%sure!", "p&ss=w7"]) {
    const chosen = ["JSON", "a form", "a form with parts", "a client's secret in the header", "a query"];
    if (secret.includes("&")) chosen.push("a client's secret in the header as it is");
    for (const place of chosen) {
      const { written } = await learnFrom([...logInWith(secret), entry(places[place]!(secret))]);
      const forms = [secret, encodeURIComponent(secret), `${new URLSearchParams({ s: secret })}`.slice(2)];
      for (const form of forms) {
        assertEquals(written.includes(form), false, `${form} in ${place}`);
      }
    }
  }
});

test("learn: a secret of six characters, such as a one-time code, is found, and a shorter one may be a word", async () => {
  for (const [secret, isWritten] of [["735914", false], ["73591", true]] as const) {
    for (const place of ["JSON", "a form", "a cookie", "a bearer token"]) {
      const { written } = await learnFrom([...logInWith(secret), entry(places[place]!(secret))]);
      assertEquals(written.includes(secret), isWritten, `${secret} in ${place}`);
    }
  }
});

test("learn: a text of eighty letters may be a token, wherever it stands, and a shorter one is a name", async () => {
  const long = "lettersAndDigits_-7x".repeat(4);
  for (const [text, isWritten] of [[long, false], [long.slice(1), true]] as const) {
    const { written } = await learnFrom(logInWith(text));
    assertEquals(written.includes(text), isWritten, `${text.length} characters`);
  }
});

test("learn: what is posted and no secret leaves the names of a login as they are", async () => {
  const open = {
    ...{
      client_id: "web",
      clientId: "web",
      redirect_uri: "https://shop.test/callback",
      scope: "openid orders",
    },
    ...{ scopes: ["openid", "orders"], redirectUris: ["https://shop.test/callback"], response_type: "code" },
    ...{ page: "https://shop.test/callback?a=b", path: "/callback", grantTypes: ["authorization_code"] },
  };
  const posts = [
    postingJson(open),
    posting(`${new URLSearchParams({ client_id: "web", page: "/callback", scope: "orders" })}`),
    posting("<client>https://shop.test/callback</client>", "text/xml"),
    posting("web"),
    ...[
      posting(JSON.stringify({ event: "callback", service: "orders", app: "shop.test" })),
      posting("the callback of the orders at shop.test"),
      posting(`{"event":"callback"}\n{"service":"orders","client":"web"}\n`),
      posting(`${new URLSearchParams({ q: JSON.stringify({ event: "callbacks" }) })}`),
      posting("<event name='callback'>orders</event>", "text/xml"),
    ].map((each) => ({ ...each, url: `${sso}.analytics.example/collect` })),
    posting(inParts("client_id", "web-application", "\r\n"), "multipart/form-data"),
    { answer: { token_kind: "orders", passport: "callback", tokenizer: "/callback", secrets_of: "orders" } },
  ];
  const { is } = await learnFrom([entry({ url: `${sso}/go?${usualLogin}` }), ...posts.map(entry)]);
  assertEquals([is.scopes, is.clients?.[0]?.client_id, is.clients?.[0]?.redirect_uris], [
    { orders: "Use orders" },
    "web",
    ["https://shop.test/callback"],
  ]);
});

async function learnClaims(claims: object, userinfo: object = { sub: "1" }): Promise<Learned> {
  const login = new URLSearchParams({
    client_id: "my-shop",
    response_type: "code",
    redirect_uri: "https://shop.test/",
  });
  return await learnFrom([
    entry({ url: `${sso}/go?${login}` }),
    entry({ url: `${sso}/tok?grant_type=authorization_code`, answer: { access_token: jwtOf(claims) } }),
    entry({ url: `${sso}/me`, headers: [["Authorization", "Bearer abc"]], answer: userinfo }),
  ]);
}

/** Names and ids of persons, as keys. */
const persons = [
  ...[
    "john_smith",
    "john-smith",
    "john.smith",
    "johnSmith",
    "JohnSmith",
    "John Smith",
    "JOHN_SMITH",
    "mary_ann_lee",
  ],
  ...[
    "https://shop.test/john_smith",
    "urn:person:john-smith",
    "jos\u00e9_garc\u00eda",
    "smith_4711",
    "U-4711",
  ],
];

test("learn: the name of a person that is a name in a claim is not taken over, at any depth", async () => {
  for (const name of [...persons, "john", "smith", "smith_team", "teamSmith", "team_of_smith"]) {
    const deep = { access: { [name]: 1, roles: { [name]: { read: true } }, list: [{ [name]: "x" }] } };
    const { is, written } = await learnClaims({ access: deep.access });
    assertEquals(is.people?.[0]?.claims?.["access"], {
      invented_1: 1,
      roles: { invented_1: { read: true } },
      list: [{ invented_1: "invented" }],
    }, name);
    assertEquals(/smith|4711|garc|mary/i.exec(written), null, name);
  }
});

test("learn: a claim with the name of a person is left out, and the list says so", async () => {
  const sentence = "- The name of a claim may be that of a person, so it is left out.";
  for (const name of persons) {
    const { is, written } = await learnClaims({ [name]: 1, roles: ["x"] });
    assertEquals([is.claimsIn?.accessToken, /smith|4711|garc|mary/i.exec(written)], [["roles"], null], name);
    assertStringIncludes(written, sentence);
  }
  // A single word is the name of a person if another claim says so.
  const known = { name: "Jordan Baker", preferred_username: "jbaker", email: "jo.baker@shop.test" };
  for (const word of ["jordan", "Baker", "jbaker", "baker_team", "jordan_baker"]) {
    const { is, written } = await learnClaims({ [word]: 1, roles: ["x"] }, { sub: "1", ...known });
    assertEquals([is.claimsIn?.accessToken, /jordan|baker/i.exec(written)], [["roles"], null], word);
  }
  const naming =
    "name given_name family_name middle_name nickname preferred_username email unique_name upn login username";
  for (const claim of naming.split(" ")) {
    const { is } = await learnClaims({ jordan: 1, roles: ["x"] }, { sub: "1", [claim]: "Jordan" });
    assertEquals([claim, is.claimsIn?.accessToken], [claim, ["roles"]]);
  }
});

test("learn: a word of claims is taken over also where a person has it as a name", async () => {
  const known = { name: "Rose Group", preferred_username: "level" };
  const { is } = await learnClaims({ group: 1, level: 1, rose: 1, ro: 1 }, {
    sub: "1",
    ...known,
    nickname: "Ro",
  });
  assertEquals(is.claimsIn?.accessToken, ["group", "level", "ro"]);
});

test("learn: names that programs choose are taken over, and so are ids of clients", async () => {
  const top = [
    ...[
      "roles",
      "level",
      "upn",
      "department",
      "cost_centre",
      "costCentre",
      "loyalty_tier",
      "org_id",
      "custom:tier",
    ],
    ...[
      "cognito:groups",
      "https://shop.test/roles",
      "https://shop.test/claims/loyalty-level",
      "realm_access",
    ],
  ];
  const inner = {
    ...{ realm_access: { roles: ["x"] }, cost_centre: 1, costCentre: 1, "cost-centre": 1, id: 1, name: "x" },
    ...{ "my-shop": { roles: ["x", "y"] }, street_address: "x", org_id: 1, tenant: { display_name: "x" } },
    // Values are taken over to a depth of four objects, and twenty members of each.
    order: { item: { unit: { id: { id: 1 } } } },
    tags: Object.fromEntries([..."abcdefghijklmnopqrstu"].entries()),
  };
  const { is, written } = await learnClaims({ ...Object.fromEntries(top.map((name) => [name, 1])), inner });
  assertEquals(is.claimsIn?.accessToken, [...top, "inner"]);
  assertEquals(is.people?.[0]?.claims?.["inner"], {
    ...{ realm_access: { roles: ["invented"] }, cost_centre: 1, costCentre: 1, "cost-centre": 1, id: 1 },
    ...{ name: "invented", "my-shop": { roles: ["invented"] }, street_address: "invented", org_id: 1 },
    tenant: { display_name: "invented" },
    order: { item: { unit: { id: {} } } },
    tags: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`invented_${index + 1}`, "invented"])),
  });
  assert(!written.includes("may be that of a person"));
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`role_${index}`, 1]));
  assertEquals((await learnClaims(many)).is.claimsIn?.accessToken?.length, 500);
});
