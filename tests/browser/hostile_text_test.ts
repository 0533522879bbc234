/** Markup in everything that a page shows is text in a browser: configuration, parameters, headers, registered clients. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { Configuration } from "../../src/server/setup/configuration.ts";
import { encodeForm } from "../world.ts";
import { clientOrigin, everyPage, listTours, openNext, openPage, type Visitor } from "./every_page.ts";
import { sites } from "./sites.ts";
import { type StartOptions, startServer } from "./start_server.ts";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

/** Leaves every place in a document from which text can become a tag, an attribute, a script or a link. */
const hostile = `"'></title></textarea></style></script>--><img src=x onerror=xss=1><svg onload=xss=1>` +
  `<script>xss=1</script>" onfocus="xss=1" autofocus="{{constructor.constructor('xss=1')()}}`;

const names = ["name", "email", "given_name", "picture", "website"];

/** The clients and people of every site, with hostile texts. Usernames and ids stay, because the pages are opened by them. */
function createHostileConfiguration(issuer: string, firstUse: boolean): Partial<Configuration> {
  const own = { redirect_uris: [`${issuer}/authorized`], client_name: hostile };
  const claims = Object.fromEntries(names.map((name) => [name, hostile]));
  const passwords: Readonly<Record<string, string>> = { carol: "correct horse" };
  const usernames = ["alice", "bob", "carol", "dave", "wolfeschlegelsteinhausenbergerdorff"];
  return {
    firstUse,
    registration: true,
    signUp: true,
    clients: [
      { client_id: "demo", ...own },
      { client_id: "demo-confidential", client_secret: "demo-secret", ...own },
      { client_id: "walk", ...own, remember_consent: true },
      { client_id: "shop", client_name: hostile, redirect_uris: ["http://localhost:3000/callback"] },
      {
        client_id: "procurement-and-expenses-workspace-production",
        client_name: hostile,
        redirect_uris: [
          "https://procurement.extraordinarily-long-subdomain.internal.example.org/workspace/callback",
        ],
      },
    ],
    people: usernames.map((username) => ({
      username,
      claims,
      ...(username === "alice" ? { secondFactor: "totp" as const } : {}),
      ...(passwords[username] === undefined ? {} : { password: passwords[username] }),
    })),
    scopes: Object.fromEntries(
      ["orders", "orders:write", "urn:example:northern-europe:procurement:expenses:approve", "read", "openid"]
        .map((scope) => [scope, hostile]),
    ),
    resources: ["https://api.example.com/orders"],
    authorizationDetails: {
      payment_initiation: {
        schema: { properties: { euros: {}, creditorName: {} } },
        title: withoutBraces(hostile),
        summary: `${withoutBraces(hostile)} {euros} {creditorName}`,
      },
    },
  };
}

/** Braces in the text of a type stand for values. */
function withoutBraces(text: string): string {
  return text.replaceAll(/[{}]/g, "");
}

/** What clients of this kind send: the text in each parameter, header and member that the server reads. */
async function runHostileClients(issuer: string): Promise<void> {
  const header = encodeURIComponent(hostile).replaceAll("%", "");
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    authorization: `Basic ${btoa(`${encodeURIComponent(hostile)}:${encodeURIComponent(hostile)}`)}`,
    "user-agent": hostile,
    dpop: header,
  };
  const form = encodeForm(Object.fromEntries(
    ["grant_type", "client_id", "code", "refresh_token", "token", "scope", "state", hostile]
      .map((name) => [name, hostile]),
  ));
  for (const path of ["token", "introspect", "revoke", "par"]) {
    await send(`${issuer}/oauth2/${path}`, { method: "POST", headers, body: form });
  }
  const members = { client_name: hostile, redirect_uris: ["http://localhost:3000/callback"], scope: hostile };
  await send(`${issuer}/connect/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...members, token_endpoint_auth_method: "none" }),
  });
  await send(`${issuer}/oauth2/authorize?${form}`);
  await send(`${issuer}/${encodeURIComponent(hostile)}?${form}`);
  await send(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${createHostileToken()}` } });
}

/** A token that the server did not sign, and whose header and claims are hostile. */
function createHostileToken(): string {
  const encode = (value: unknown) =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const claims = { iss: hostile, sub: hostile, aud: [hostile], [hostile]: hostile, exp: 1 };
  return `${encode({ alg: "ES256", kid: hostile, typ: hostile })}.${encode(claims)}.AAAA`;
}

async function send(url: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(url, init);
  await response.body?.cancel();
}

/** What the text has become on the page, besides text. */
async function findMarkup(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    document.querySelectorAll("details").forEach((each) => each.open = true);
    const found = [...document.querySelectorAll("*")].filter((element) =>
      element.matches("img[src=x], svg[onload], script:not([src]), a[href^='javascript' i], style") ||
      element.getAttributeNames().some((name) => /^on|xss|["'<]/i.test(name))
    ).map(({ outerHTML }) => outerHTML.slice(0, 200));
    return "xss" in globalThis ? [...found, "the script has run"] : found;
  });
}

async function withHostileServer(
  { control, misbehave, like, configuration }: StartOptions,
  work: (issuer: string) => Promise<void>,
): Promise<void> {
  const terms = { ...(control && { control }), ...(misbehave && { misbehave }), ...(like && { like }) };
  await using server = await startServer({
    ...terms,
    label: hostile.slice(0, 60),
    configuration: (issuer) => createHostileConfiguration(issuer, configuration === undefined),
  });
  await runHostileClients(server.issuer);
  await work(server.issuer);
}

const params = Object.fromEntries(
  ["state", "nonce", "login_hint", "ui_locales", "acr_values", "error_uri", hostile].map((name) => [
    name,
    hostile,
  ]),
);

/** Addresses that show what is in them. */
const addresses = [
  "/search?q=…",
  "/authorized?error=…&error_description=…&state=…&iss=…",
  "/authorized?code=…&state=…&iss=…",
  "/nowhere/…?…=…",
  "/start?client_id=…",
  "/oauth2/authorize?client_id=…&redirect_uri=…",
  "/oauth2/authorize?client_id=shop&redirect_uri=…",
  "/oauth2/authorize?client_id=new&redirect_uri=http%3A%2F%2Flocalhost%2F…&scope=…&response_type=…",
  "/connect/logout?id_token_hint=…&post_logout_redirect_uri=…&client_id=…",
  "/inspector?q=…&filter=…&entry=…",
  "/inspector/…",
  "/_postern?call=…",
  "/_postern/…",
  "/session?next=…&purpose=…",
];

/** States whose texts another state of the same page shows, too, and pages without a text of a client or a person. */
const repeated = new Set([
  ...[
    "resource",
    "resource-called",
    "not-found",
    "sign-in-new-client",
    "sign-in-mixed",
    "sign-in-crowd",
    "consent-long",
  ],
  ...["signed-out", "authorized-jwt-refused", "authorized-elsewhere", "walk-replayed", "failed-challenge"],
  ...["refused-pkce", "wrong-method-program", "control-locked", "playground", "playground-refused"],
  ...["inspector-from-elsewhere", "session-wrong", "people-crowd", "person-edit", "misbehaviours-on"],
  ...[
    "misbehaviours-found",
    "misbehaviours-read-only",
    "misbehaviour-of-api",
    "clock",
    "gates",
    "look-alikes",
  ],
]);

for (const tour of listTours()) {
  const opened = tour.filter(({ name }, at) => !repeated.has(name) || tour[at + 1]?.from === name);
  if (opened.length === 0) continue;
  const names = opened.map(({ name }) => name).join(", ");
  browserTest(`pages: markup stays text on the pages ${names}`, async (browser) => {
    await withHostileServer(sites[tour[0]!.site ?? "demo"], async (issuer) => {
      await withContext(browser, { origins: [issuer, clientOrigin] }, async (context) => {
        const page = await context.newPage();
        for (const state of opened) {
          await openNext(state, { page, issuer, params });
          assertEquals(await findMarkup(page), [], state.name);
        }
      });
    });
  });
}

browserTest("pages: markup in an address stays text on its page", async (browser) => {
  await withHostileServer({ control: true }, async (issuer) => {
    // Chromium asks for this icon where the answer is JSON.
    const tolerates = /favicon\.ico/;
    await withContext(browser, { origins: [issuer], tolerates }, async (context) => {
      const page = await context.newPage();
      for (const address of addresses) {
        await page.goto(issuer + address.replaceAll("…", encodeURIComponent(hostile)));
        assertEquals(await findMarkup(page), [], address);
      }
    });
  });
});

browserTest("pages: markup stays text in an inspector that is open while it arrives", async (browser) => {
  await withHostileServer({ control: true }, async (issuer) => {
    await withContext(browser, { origins: [issuer] }, async (context) => {
      const visitor: Visitor = { page: await context.newPage(), issuer };
      await openPage(everyPage.find(({ name }) => name === "inspector")!, visitor);
      const newest = await visitor.page.locator("#requests tbody").first().getAttribute("id");
      await runHostileClients(issuer);
      // The last request of these clients is the first of the list.
      await visitor.page.waitForFunction((before) => {
        const row = document.querySelector("#requests tbody");
        return row?.id !== before && row?.textContent?.includes("Userinfo");
      }, newest);
      assertEquals(await findMarkup(visitor.page), []);
    });
  });
});
