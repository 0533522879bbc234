/** What comes through the proxy: whose requests are answered, and which credentials of the real provider reach the server. */

import { assertEquals, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Mock } from "../../../../src/kit/mock/mock.ts";
import { createStartedMock } from "../../../../src/kit/mock/started_mock.ts";
import { parseAddress } from "../../../../src/ground/http/address.ts";
import { FetchedRequest, toResponse } from "../../../../src/ground/http/message.ts";
import { createProxiedAnswer } from "../../../../src/tools/cli/proxy/answer_proxied.ts";
import { appKey, signAsApp } from "../../../github_app.ts";
import { testIn } from "../../../test_in.ts";
import { challenge, createBrowser, verifier, type World } from "../../../world.ts";

const redirectUri = "https://app.test/callback";
const clients = [
  {
    ...{ client_id: "shop", client_secret: "the secret of the shop", redirect_uris: [redirectUri] },
    jwks: { keys: [appKey] },
  },
  { client_id: "a b:c", client_secret: "another secret of a shop", redirect_uris: [redirectUri] },
  { client_id: "c++", client_secret: "a third secret", redirect_uris: [redirectUri] },
];
const origins = ["https://github.com", "https://api.github.com"];
const added = ["https://api.shop.test", "https://files.shop.test"];

type Send = (url: string | Request, init?: RequestInit) => Promise<Response>;

async function withProxied(
  work: (given: { readonly send: Send; readonly as: Mock }) => Promise<void>,
): Promise<void> {
  const started = await createStartedMock({ alg: "ES256", clients }, { proxied: [...origins, ...added] });
  await using as = started.mock;
  as.lookLike("github");
  const answer = createProxiedAnswer(started, { origins, added });
  const send: Send = async (url, init) => {
    const request = new Request(url, init);
    return toResponse(
      await answer(new FetchedRequest(request, parseAddress(request.url)!, true, () => "127.0.0.1")),
    );
  };
  await work({ send, as });
}

/** All that the server has recorded, with each secret. */
const recorded = (as: { readonly requests: Iterable<{ raw(): unknown }> }) =>
  JSON.stringify([...as.requests].map((request) => request.raw()));

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
const real = "real-credential-of-the-provider";

/** What programs and browsers send to the real provider. */
const foreign: Readonly<Record<string, string>> = {
  "a client that the server does not know": basic("Iv1.8a61f9b3a7aba766", real),
  "a user and a password": basic("alice", real),
  "no id": basic("", real),
  "no colon": `Basic ${Buffer.from(real).toString("base64")}`,
  "an id that begins as a known one": basic("shop2", real),
  "a known id in other letters": basic("SHOP", real),
  "a known id, encoded twice": basic("sh%256fp", real),
  "Basic in other letters": basic("other", real).replace("Basic", "bAsIc"),
  "Basic with two spaces": basic("other", real).replace(" ", "  "),
  "Basic that is no base64": `Basic ${real}`,
  "Basic with a colon": basic("other", real).replace("Basic", "Basic:"),
  "a bearer token": `Bearer ${real}`,
  "a token of GitHub": `token gho_${real}`,
  "a JWT": `Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.${real}`,
  "a DPoP token": `DPoP ${real}`,
  "a digest": `Digest username="alice", response="${real}"`,
  "Negotiate": `Negotiate ${real}`,
  "no scheme": real,
  "a scheme alone": "Basic",
  "two credentials": `${basic("shop", "x")}, Bearer ${real}`,
};

const it = testIn(withProxied);

it("proxied answer: no credentials of the real provider reach the server or its journal", async ({ send, as }) => {
  for (const [name, authorization] of Object.entries(foreign)) {
    for (const url of ["https://github.com/login/oauth/access_token", "https://api.github.com/user"]) {
      const post = { method: "POST", body: "grant_type=authorization_code&code=x" };
      await send(url, {
        ...(url.endsWith("token") ? post : {}),
        headers: { authorization, cookie: `user_session=${real}; _gh_sess=${real}; logged_in=${real}` },
      });
      const { headers } = as.requests.at(-1)!.raw().request;
      const sent = headers.filter(([header]) => /^(authorization|cookie)$/i.test(header));
      const isWithheld = sent.every(([, value]) =>
        /^[a-z]+:? +(?:withheld|d2l0aGhlbGQ6d2l0aGhlbGQ=)$/i.test(value)
      );
      assertEquals([name, url, isWithheld], [name, url, true]);
    }
  }
  const text = recorded(as);
  const hidden = [real, ...Object.values(foreign).map((each) => each.split(/ +/).at(-1)!)]
    .filter((each) => each !== "Basic" && text.includes(each));
  assertEquals(hidden, []);
});

it("proxied answer: to credentials of the real provider comes the answer to wrong ones, and not that to none", async ({ send, as }) => {
  const ask = async (init: RequestInit = {}, url = "https://api.github.com/user") => {
    await send(url, init);
    return as.requests.at(-1)!.refusal?.reason;
  };
  const inHeader = (authorization: string) => ({ headers: { authorization } });
  assertEquals(await ask(), "token_missing");
  for (const scheme of ["Bearer", "token", "DPoP"]) {
    assertEquals(await ask(inHeader(`${scheme} ${real}`)), "token_unknown", scheme);
  }
  const redeem = {
    method: "POST",
    body: new URLSearchParams({ grant_type: "authorization_code", code: "x" }),
  };
  const url = "https://github.com/login/oauth/access_token";
  assertEquals(
    await ask({ ...redeem, ...inHeader(basic("other", real)) }, url),
    "client_unknown",
  );
});

it("proxied answer: credentials that this server knows pass, also to an added host", async ({ send, as }) => {
  // RFC 6749 §2.3.1: encoded as in a form. Many clients do not encode.
  const inForm = (text: string) => `${new URLSearchParams({ v: text })}`.slice(2);
  const ways = [["shop", inForm], ["a b:c", inForm], ["c++", inForm], [
    "c++",
    (text: string) => text,
  ]] as const;
  for (const [id, encode] of ways) {
    const client = clients.find(({ client_id }) => client_id === id)!;
    const request = new URLSearchParams({ client_id: id, redirect_uri: redirectUri, state: "s" });
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const url = `https://github.com/login/oauth/authorize?${request}&${new URLSearchParams(pkce)}`;
    const code = (await as.authorize(url, { as: "alice" })).searchParams.get("code")!;
    const answer = await send("https://github.com/login/oauth/access_token", {
      method: "POST",
      headers: {
        accept: "application/json",
        authorization: basic(encode(id), encode(client.client_secret)).replace("Basic", "bAsIc"),
      },
      body: new URLSearchParams({ code, redirect_uri: redirectUri, code_verifier: verifier }),
    });
    const { access_token: token } = await answer.json();
    const user = await send("https://api.github.com/user", {
      headers: { authorization: `Bearer ${token}` },
    });
    assertEquals([user.status, (await user.json()).login], [200, "alice"]);
    const elsewhere = "https://api.shop.test/orders";
    using _route = as.route(`GET ${elsewhere}`, ({ headers }) => Response.json(headers.get("authorization")));
    const orders = await send(elsewhere, { headers: { authorization: `Bearer ${token}` } });
    assertEquals(await orders.json(), `Bearer ${token}`);
  }
});

it("proxied answer: the credentials of a known client pass with a colon after Basic, as Okta reads them", async ({ send, as }) => {
  const authorization = basic("shop", "the secret of the shop").replace("Basic", "Basic:");
  await send("https://github.com/login/oauth/access_token", { method: "POST", headers: { authorization } });
  assertEquals(
    as.requests.at(-1)!.raw().request.headers.find(([name]) => name === "authorization")?.[1],
    authorization,
  );
});

it("proxied answer: the JWT of a GitHub App passes if a client of the configuration has its key", async ({ send, as }) => {
  const rows = [["shop", false, true], ["shop", true, false], ["a b:c", false, false]] as const;
  for (const [iss, byOtherKey, passes] of rows) {
    const jwt = await signAsApp({ iss }, { byOtherKey });
    const { status } = await send("https://api.github.com/app", {
      headers: { authorization: `Bearer ${jwt}` },
    });
    assertEquals([status, recorded(as).includes(jwt)], [passes ? 200 : 401, passes], iss);
  }
});

it("proxied answer: a route of the test answers at a host of the provider, and no endpoint is hidden", async ({ send, as }) => {
  using _route = as.route(
    "GET https://api.github.com/user/repos",
    (request) => Response.json([request.headers.get("authorization")]),
  );
  const headers = { authorization: `Bearer ${real}` };
  const orgs = await send("https://api.github.com/user/repos", { headers });
  assertEquals([orgs.status, await orgs.json()], [200, ["Bearer withheld"]]);
  assertEquals(as.requests.last?.api, "https://api.github.com/user/repos");
  const asked = await send("https://api.github.com/user/gists");
  assertEquals([asked.status, as.requests.last?.refusal?.reason], [501, "provider_path_unknown"]);
});

it("proxied answer: at an added host answer the routes of the test alone, until a reset", async ({ send, as }) => {
  const asked = async (url: string, authorization: string) => {
    const { status } = await send(url, { headers: { authorization } });
    const { api, raw, refusal } = as.requests.last!;
    const sent = raw().request.headers.find(([name]) => name === "authorization")![1];
    return [status, api, sent, refusal?.reason];
  };
  const url = "https://api.shop.test/orders";
  const wrong = ["Bearer withheld", "route_unknown"];
  assertEquals(await asked(url, `Bearer ${real}`), [501, url, ...wrong]);
  using _route = as.route(`GET ${url}`, () => new Response("orders"));
  assertEquals(await asked(url, `Bearer ${real}`), [200, url, "Bearer withheld", undefined]);
  const others = [`${url}/1`, "https://api.shop.test/token", "https://files.shop.test/login/oauth/authorize"];
  for (const each of others) assertEquals(await asked(each, `Bearer ${real}`), [501, each, ...wrong]);
  as.reset();
  assertEquals(await asked(url, `Bearer ${real}`), [501, url, ...wrong]);
});

it("proxied answer: a route that no program would reach by the proxy is refused, with the flag that adds its host", ({ as }) => {
  const add = (address: string) => as.route(`GET ${address}`, () => new Response());
  const way = "It answers by https only, at port 443";
  const refusals = [
    ["https://management.shop.test/x", "Start with --proxy-host management.shop.test too"],
    ["http://api.shop.test/x", way],
    ["https://api.shop.test:8443/x", way],
  ] as const;
  for (const [address, way] of refusals) {
    const problem = `Cannot add the route GET ${address}: the proxy does not answer there. ${way}`;
    assertThrows(() => add(address), TypeError, problem);
  }
  for (const address of ["https://api.github.com/user/x", "https://api.shop.test/x", "/x"]) {
    add(address)[Symbol.dispose]();
  }
  return Promise.resolve();
});

it("proxied answer: the tenant that looks like the provider says which credentials pass, and no server does when none looks so", async ({ send, as }) => {
  as.reset();
  const off = await send("https://github.com/login/oauth/access_token");
  assertEquals([off.status, (await off.json()).error_description], [
    421,
    "The look-alike at https://github.com is off: switch it on by POST /look_alikes, or start again",
  ]);
  const secret = "the secret of acme's shop";
  const tenant = as.tenant("acme", {
    clients: [{ client_id: "own", client_secret: secret, redirect_uris: [redirectUri] }],
  });
  tenant.lookLike("github");
  await send("https://github.com/login/oauth/access_token", {
    method: "POST",
    headers: { authorization: basic("own", secret) },
    body: new URLSearchParams({ code: "unknown", redirect_uri: redirectUri }),
  });
  assertEquals(tenant.requests.last?.refusal?.error, "invalid_grant");
  const authorization = basic("own", secret);
  using _route = as.route(`GET ${added[0]}/`, ({ headers }) => Response.json(headers.get("authorization")));
  const atAdded = await send(`${added[0]}/`, { headers: { authorization } });
  assertEquals(await atAdded.json(), authorization);
  const other = as.tenant("other", {
    clients: [{ client_id: "their own", client_secret: secret, redirect_uris: [redirectUri] }],
  });
  other.lookLike("auth0", { host: "files.shop.test" });
  await send(`${added[1]}/oauth/token`, {
    method: "POST",
    headers: { authorization: basic("their own", secret) },
    body: new URLSearchParams({ grant_type: "authorization_code", code: "unknown" }),
  });
  assertEquals(other.requests.last?.refusal?.error, "invalid_grant");
});

it("proxied answer: a person signs in on its pages, with the cookies of the real provider beside its own", async ({ send }) => {
  const fetch = (request: Request) => {
    const headers = new Headers(request.headers);
    const own = headers.get("cookie");
    headers.set("cookie", `user_session=${real}; ${own === null ? "" : `${own}; `}_gh_sess=${real}`);
    return send(new Request(request, { headers, redirect: "manual" }));
  };
  const browser = createBrowser({ issuer: "https://github.com", fetch } as World);
  const request = new URLSearchParams({ client_id: "shop", redirect_uri: redirectUri, state: "s" });
  const page = await browser.open(`https://github.com/login/oauth/authorize?${request}`);
  const consent = await browser.submit(page, { person: "alice" });
  const { leftFor } = await browser.submit(consent, { decision: "approve" });
  assertEquals(new URL(leftFor!).searchParams.get("state"), "s");
});

it("proxied answer: in a tunnel for the hosts of the provider, a request for another host is refused (RFC 9110 §7.4)", async ({ send, as }) => {
  const others = [
    ...[
      "https://example.com",
      "https://github.com.evil.example",
      "https://gist.github.com",
      "https://xgithub.com",
    ],
    ...[
      "http://github.com",
      "https://github.com:8443",
      "https://localhost",
      "https://127.0.0.1",
      as.issuer,
    ],
    ...["https://accounts.google.com", "https://github.com.", "https://api.github.com:444"],
  ];
  for (const origin of others) {
    for (const path of ["/login/oauth/authorize", "/oauth2/token", "/_postern/requests", "/", "/user"]) {
      const answer = await send(origin + path);
      assertEquals([origin, path, answer.status], [origin, path, 421]);
      assertEquals((await answer.json()).error, "invalid_request");
    }
  }
  assertEquals([...as.requests].length, 0);
  for (const origin of origins) assertEquals((await send(`${origin}/nothing`)).status, 501);
});
