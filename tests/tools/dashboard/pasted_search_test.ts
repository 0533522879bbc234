/** A code or a token in the filter of the inspector, or in the search, leads to its login. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { ServerOptions } from "../../../src/mod.ts";
import { attribute, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { key, load, openControlled, type OpenedDashboard, openPlain, passesOf } from "./open_dashboard.ts";
import { authorizePath, getCode, redeem, spaOptions } from "./spa.ts";

const places = ["/inspector", "/search"] as const;

const addressOf = (place: string, q: string, more: Readonly<Record<string, string>> = {}) =>
  `${place}?${new URLSearchParams({ q, ...more })}`;

interface LoggedIn {
  readonly opened: OpenedDashboard;
  /** The address of the requests of the login. */
  readonly list: string;
  readonly texts: Readonly<Record<"code" | "access_token" | "refresh_token" | "id_token", string>>;
}

/** Runs a login after another one, whose requests must not be found. */
async function logIn(options: ServerOptions = {}): Promise<LoggedIn> {
  const opened = openPlain({ ...spaOptions, ...options });
  await redeem(opened, await getCode(opened));
  const code = await getCode(opened);
  const texts = { ...await (await redeem(opened, code)).json(), code };
  return { opened, list: `/inspector?q=flow:${code.split(".")[0]}`, texts };
}

const formats: readonly (readonly [string, ServerOptions])[] = [
  ["JWT", {}],
  ["opaque", { accessTokens: "opaque" }],
];

for (const [format, options] of formats) {
  test(`pasted: a code, a refresh token and an access token (${format}) lead to their login`, async () => {
    const { opened, list, texts } = await logIn(options);
    const html = await load(opened, list);
    assertStringIncludes(html, "2 of 4 requests");
    for (const name of ["code", "access_token", "refresh_token"] as const) {
      const text = texts[name];
      for (const pasted of [text, ` ${text}\n`, `Bearer ${text}`, `"${text}"`]) {
        for (const place of places) {
          const response = await opened.send(addressOf(place, pasted));
          const { status, headers } = response;
          assertEquals([status, headers.get("location"), await response.text()], [303, list, ""], name);
        }
      }
      const { headers } = await opened.send(addressOf("/inspector", text, { order: "oldest", after: "x" }));
      assertEquals(headers.get("location"), `${list}&order=oldest`);
    }
  });
}

test("pasted: a used code and a rotated refresh token still lead to their login", async () => {
  const { opened, list, texts } = await logIn();
  const form = { grant_type: "refresh_token", refresh_token: texts.refresh_token, code: "" };
  assertEquals((await redeem(opened, "", form)).status, 200);
  for (const text of [texts.code, texts.refresh_token]) {
    assertEquals((await opened.send(addressOf("/search", text))).headers.get("location"), list);
  }
});

test("pasted: an access token that a misbehaviour has made wrong leads to its login", async () => {
  await using opened = await openControlled({ ...spaOptions });
  opened.as.misbehave("access_token.alg_none");
  const code = await getCode(opened);
  const { access_token: token } = await (await redeem(opened, code)).json();
  assertMatch(token, /\.$/);
  const { headers } = await opened.send(addressOf("/inspector", token));
  assertEquals(headers.get("location"), `/inspector?q=flow:${code.split(".")[0]}`);
});

test("pasted: a text of no login has an empty page that leads to Take something apart", async () => {
  const { opened, texts: { code, id_token, refresh_token } } = await logIn();
  const wrong = (text: string) => text.slice(0, -2) + (text.endsWith("AA") ? "BB" : "AA");
  const texts = [wrong(code), wrong(refresh_token), id_token, code.split(".")[1]!, "eyJ.eyJ.x", "zzz-absent"];
  // A word that begins with "-" would find everything else.
  for (const text of texts.map((each) => each.replace(/^-+/, "x"))) {
    for (const place of places) {
      const html = await load(opened, addressOf(place, text));
      const isButton = place === "/search" && text === id_token;
      assertEquals(/<button[^>]* id="take-apart">Take it apart</.test(html), isButton, text);
      const link = /<a href="\/playground\/read" id="take-apart">Take something apart<\/a>/;
      assertEquals(link.test(html), !isButton, text);
    }
  }
  for (const path of ["/inspector", "/search", "/search?q=spa", "/inspector?q=client:spa"]) {
    assertEquals((await load(opened, path)).includes("take-apart"), false, path);
  }
});

test("pasted: in the search, a button takes a JWT of another issuer apart, and no address has it", async () => {
  const opened = openPlain(spaOptions);
  const part = (value: unknown) => btoa(JSON.stringify(value)).replace(/=/g, "");
  const claims = { iss: "https://other.test", sub: "s".repeat(300) };
  const jwt = `${part({ alg: "ES256" })}.${part(claims)}.${"A".repeat(86)}`;
  for (const pasted of [jwt, `Bearer ${jwt}`, `"${jwt}"`]) {
    const html = await load(opened, addressOf("/search", pasted));
    assertStringIncludes(html, "The text is a token of no login of this server.");
    assertEquals(
      /href="[^"]*eyJ[\w-]+\.|action="[^"]*eyJ[\w-]+\.|id="looks-at"|id="filter-requests"/.test(html),
      false,
    );
    const form = findAll(readHtml(html), "form").find((each) => textOf(each).includes("Take it apart"))!;
    const fields = findAll(form, "input").map(({ attributes }) =>
      [attributes.get("name")!, attributes.get("value")!] as const
    );
    const taken = await opened.post(attribute(form, "action")!, Object.fromEntries(fields));
    assertEquals([taken.status, attribute(form, "action")], [200, "/playground/read"]);
    assertStringIncludes(await taken.text(), "https://other.test");
  }
  // A page of another site gets no form with its text.
  const headers = { "sec-fetch-site": "cross-site" };
  const html = await (await opened.send(addressOf("/search", jwt), { headers })).text();
  assertStringIncludes(html, "Take something apart");
  assertEquals(html.includes("Take it apart"), false);
});

test("pasted: no field cuts a token of the server", async () => {
  const { opened } = await logIn();
  for (const [path, id] of [["/inspector", "filter"], ["/search", "q"]] as const) {
    const fields = [...(await load(opened, path)).matchAll(/<input[^>]* name="q"[^>]*>/g)].map(String);
    assertEquals(fields.map((field) => /maxlength="(\d+)"/i.exec(field)?.[1]), ["8000", "8000"], id);
  }
  assertMatch(
    await load(opened, "/clients"),
    /<input type="search" id="[^"]*" name="q"[^>]* maxlength="200"/i,
  );
});

test("pasted: without JavaScript, the page of the login follows at once, with the pass", async () => {
  const { opened, list, texts: { code } } = await logIn();
  const [pass = ""] = passesOf(await (await opened.enter(key)).text());
  opened.openTab();
  for (const place of places) {
    const carried = { pass, without_script: "1", open_page: "1" };
    const response = await opened.post(place, { ...carried, q: code });
    const html = await response.text();
    assertEquals([response.status, html.includes(code.split(".")[1]!)], [200, false]);
    assertStringIncludes(html, `data-address="${list}"`);
    assertStringIncludes(html, "2 of 4 requests");
  }
});

test("pasted: a link of another site finds no login", async () => {
  const { opened, texts: { code } } = await logIn();
  for (const place of places) {
    const headers = { "sec-fetch-site": "cross-site" };
    const response = await opened.send(addressOf(place, code), { headers });
    assertEquals([response.status, response.headers.get("location")], [200, null], place);
  }
});

test("pasted: who may not see the pages learns nothing of a code", async () => {
  const opened = openPlain(spaOptions, { isReached: true });
  const code = await getCode(opened);
  for (const place of places) {
    const response = await opened.send(addressOf(place, code));
    assertEquals([response.headers.get("location"), response.status], [null, 401], place);
    assertStringIncludes(await response.text(), 'name="key"');
  }
  assertEquals((await opened.send(authorizePath())).status, 303);
});
