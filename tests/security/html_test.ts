/** No text of a request or of the configuration adds a tag, an attribute or a link to a page. */

import { assert, assertEquals } from "@std/assert";
import { authorizedPage } from "../../src/mod.ts";
import { test } from "../runner.ts";
import {
  challenge,
  createBrowser,
  createWorld,
  encodeForm,
  navigationHeaders,
  type Page,
  type Params,
  redirectUri,
  type WorldOptions,
} from "../world.ts";
import { asName, inAscii, markup } from "./hostile_text.ts";
import { assertOurPage } from "./our_page.ts";
import { addresses, everyAddress, requestTo } from "./site.ts";

const requested = [
  ...["client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce"],
  ...["login_hint", "resource", "code_challenge", "code_challenge_method", "request", "request_uri"],
  "registration",
];

/** The parameters that each address reads. The tests also send an unknown one. */
const namesAt: Readonly<Record<string, readonly string[]>> = {
  "/oauth2/authorize": requested,
  "/oauth2/sign_in": ["request", "decision", "person", "username", "password"],
  "/oauth2/sign_up": ["request", "decision", "username", "name", "email", "password"],
  "/oauth2/consent": ["request", "decision"],
  "/authorized": ["code", "state", "iss", "error", "error_description"],
  "/start": ["client_id", "state", "scope"],
};

const valid: Readonly<Record<string, string>> = {
  client_id: "public",
  redirect_uri: redirectUri,
  response_type: "code",
  code_challenge: challenge,
  code_challenge_method: "S256",
};

/** Asserts that the answer is one of the server's pages, JSON that no browser shows as HTML, or a redirect. */
async function assertHarmless(response: Response, because: string): Promise<"page" | "other"> {
  const type = response.headers.get("content-type");
  const text = await response.text();
  assert(response.status < 500, `${because}: ${response.status}`);
  assertEquals(response.headers.get("x-content-type-options"), "nosniff", because);
  if (type === "text/html; charset=utf-8") {
    assertOurPage(text, response.headers, because);
    return "page";
  }
  if (text !== "") {
    assert(
      type === "application/json" || type === "application/jwk-set+json" || type?.startsWith("text/css"),
      because,
    );
    if (type !== "text/css; charset=utf-8") JSON.parse(text);
  }
  return "other";
}

const pagesAt = addresses.filter(({ refusal, path }) => refusal === "page" && !path.startsWith("/static"));

for (const { method, path } of pagesAt) {
  test(`pages, ${method} ${path}: markup in any parameter stays text`, async () => {
    // Elsewhere `login` makes no difference.
    for (const login of `${method} ${path}` === "GET /oauth2/authorize" ? ["picker", "auto"] : ["picker"]) {
      await using world = createWorld({ login, firstUse: true });
      let pages = 0;
      for (const text of markup) {
        const changes = [...namesAt[path] ?? [], "unknown"].map((name) => ({ ...valid, [name]: text }));
        for (const params of [...changes, { [text]: "value" }]) {
          const request = requestTo(world, { method, path }, params, navigationHeaders);
          const because = JSON.stringify(params);
          if (await assertHarmless(await world.fetch(request), because) === "page") pages++;
        }
      }
      // A link without a client, and one with a new client, lead to another address.
      const least = path === "/start" ? 1 : markup.length;
      assert(pages >= least, `only ${pages} pages`);
    }
  });
}

test("every other address: markup in any parameter gets no HTML of its own, even with Accept: text/html", async () => {
  await using world = createWorld(everyAddress);
  for (const { method, path } of addresses.filter(({ refusal }) => refusal === "json")) {
    for (const text of markup) {
      for (const params of [{ client_id: text, [text]: text }, { grant_type: text, client_id: "public" }]) {
        const send = async (headers: Record<string, string>) =>
          await assertHarmless(await world.fetch(requestTo(world, { method, path }, params, headers)), text);
        assertEquals(await send({ accept: "text/html,*/*;q=0.1" }), "other", `${path} ${text}`);
        // The APIs explain themselves to a browser.
        const expected = method === "GET" && ["/resource", "/userinfo"].includes(path) ? "page" : "other";
        assertEquals(await send(navigationHeaders), expected, `${path} ${text}`);
      }
    }
  }
});

test("unknown paths, methods and hosts: markup in them stays text, and JSON is JSON", async () => {
  await using world = createWorld();
  for (const text of markup) {
    for (const path of [`/${encodeURIComponent(text)}`, `/oauth2/${text}`, `/?${text}`]) {
      for (const accept of ["text/html", "application/json", `text/html;${encodeURIComponent(text)}`]) {
        const request = new Request(world.issuer + path, { headers: { ...navigationHeaders, accept } });
        const kind = await assertHarmless(await world.fetch(request), `${path} ${accept}`);
        if (path.startsWith("/?")) continue;
        assertEquals(kind, accept.startsWith("text/html") ? "page" : "other", `${path} ${accept}`);
      }
    }
    for (const host of ["evil.example", `${encodeURIComponent(text).replaceAll("%", "")}.example`]) {
      assertEquals(await assertHarmless(await world.fetch(new Request(`https://${host}/`)), host), "page");
    }
  }
  const wrong = new Request(`${world.issuer}/oauth2/authorize`, {
    method: "DELETE",
    headers: navigationHeaders,
  });
  assertEquals(await assertHarmless(await world.fetch(wrong), "DELETE"), "page");
});

test("headers: markup in any header that the server reads stays text", async () => {
  await using world = createWorld({ login: "picker" });
  const names = ["content-type", "origin", "referer", "user-agent", "accept-language", "cookie"];
  for (const name of [...names, "sec-fetch-site"]) {
    for (const { method, path } of pagesAt) {
      const request = requestTo(world, { method, path }, valid, { [name]: markup[0]! });
      await assertHarmless(await world.fetch(request), `${method} ${path} ${name}`);
    }
  }
});

/** Configurations in which every free text is markup. */
function hostileOptions(text: string): WorldOptions {
  const plain = text.replace(/[^\x20-\x7e]/g, "");
  const word = text.replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, "_");
  return {
    login: "picker",
    clients: [
      {
        client_id: "public",
        client_name: asName(text),
        redirect_uris: [redirectUri, "https://as.test/authorized"],
      },
      { client_id: plain, redirect_uris: [redirectUri] },
    ],
    people: [
      { username: text, sub: `sub ${plain}`, claims: { name: text, email: text, picture: text } },
      { username: `${text}2`, sub: "two", password: text, claims: { name: `${text}2` } },
    ],
    scopes: { read: text, [word]: text, email: "" },
    resources: [`https://api.example/${encodeURIComponent(text).replaceAll("'", "%27")}`],
  };
}

for (const text of markup) {
  test(`pages: client, people and scopes of the configuration are text on every page: ${inAscii(text)}`, async () => {
    const options = hostileOptions(text);
    await using world = createWorld(options);
    const seen = (page: Page, what: string) => assertOurPage(page.html, page.headers, what);
    const browser = createBrowser(world);
    seen(await browser.open("/"), "home");
    const asked: Params = {
      redirect_uri: redirectUri,
      login_hint: text,
      scope: Object.keys(options.scopes!).join(" "),
      resource: options.resources![0]!,
    };
    const signIn = await browser.open(world.authorizeUrl(asked));
    assertEquals(signIn.status, 200);
    seen(signIn, "sign-in");
    const again = await browser.submit(signIn, { username: text, password: "wrong" });
    assertEquals(again.status, 400);
    seen(again, "sign-in again");
    const consent = await browser.submit(signIn, { person: text });
    assertEquals(consent.status, 200);
    assert(consent.html.includes('value="approve"'));
    seen(consent, "consent");
    for (const fields of [{ decision: text }, { decision: "approve", request: text }]) {
      const refused = await browser.submit(consent, fields);
      assert(refused.status === 400 || refused.status === 403, `${refused.status}`);
      seen(refused, `refusal of ${JSON.stringify(fields)}`);
    }
    const other = await browser.open(
      world.authorizeUrl({ ...asked, client_id: options.clients![1]!.client_id }),
    );
    seen(other, "consent for a client with that id");
    const posted = await browser.open(
      world.authorizeUrl({ ...asked, response_mode: "form_post", state: text }),
    );
    const form = await browser.submit(posted, { decision: "approve" });
    assertEquals(form.status, 200);
    assertOurPage(form.html, form.headers, "form_post", { postsTo: redirectUri });
  });
}

test("pages: authorizedPage() in a client's application: markup stays text (OAuth 2.1 §7.12)", async () => {
  for (const text of markup) {
    const show = authorizedPage({
      tokenEndpoint: "https://as.test/oauth2/token",
      issuer: "https://as.test",
      clientId: text,
    });
    const members = { state: text, iss: text, asset: text, unknown: text, error_description: text };
    const responses = [{ ...members, code: text }, { ...members, error: text }, { error_description: text }];
    for (const params of responses) {
      const response = show(new Request(`https://app.example/authorized?${encodeForm(params)}`));
      assertOurPage(await response.text(), response.headers, JSON.stringify(params));
    }
  }
});

test("pages: code and state are in no title, and only on the page that received them", async () => {
  const options = { clients: [{ client_id: "public", redirect_uris: ["https://as.test/authorized"] }] };
  await using world = createWorld(options);
  const browser = createBrowser(world);
  const page = await browser.open("/start?client_id=public");
  const sent = new URL(page.url).searchParams;
  for (const name of ["code", "state"]) {
    assert(page.html.includes(sent.get(name)!), `the page does not show the ${name}`);
    assert(!/<title>([^<]*)/.exec(page.html)![1]!.includes(sent.get(name)!), `the title shows the ${name}`);
  }
  const state = "a-state-of-its-own";
  const paths = ["/", `/nowhere?state=${state}`, `/oauth2/authorize?client_id=unknown&state=${state}`];
  for (const path of paths) {
    const { html } = await browser.open(path);
    assert(!html.includes(state) && !html.includes(sent.get("code")!), path);
  }
});
