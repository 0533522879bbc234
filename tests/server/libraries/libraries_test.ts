/** The words of libraries: which request looks like which library, by recorded requests. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { helpWith } from "../../../src/server/libraries/help.ts";
import { libraries } from "../../../src/server/libraries/mod.ts";
import { recogniseLibrary } from "../../../src/server/libraries/recognise.ts";
import { queryOf, recorded, recordings, sendsPkce } from "./recordings.ts";
import { test } from "../../runner.ts";

const issuer = "http://localhost:9000";

test("libraries: there are more than forty, each with a name of its own, and more than twenty were run", () => {
  assertEquals(new Set(libraries.map(({ name }) => name)).size, libraries.length);
  assert(libraries.length >= 40, `${libraries.length}`);
  assert(libraries.filter(({ name }) => recorded(name).length > 0).length >= 30);
  for (const { name, settings, form, version, source } of libraries) {
    assertEquals(
      [settings === undefined, form === undefined, version === "", source === ""].join(),
      [
        form !== undefined,
        form === undefined,
        false,
        false,
      ].join(),
      name,
    );
  }
});

test("libraries: no recorded request looks like one of another library", () => {
  for (const { library, variant, authorization } of recordings) {
    for (const query of authorization) {
      const guess = recogniseLibrary(query.slice(1))?.name ?? library;
      assertEquals(guess, library, `${library} ${variant}`);
    }
  }
});

test("libraries: each that has a shape is recognised by its recorded requests, also with other parameters", () => {
  const shaped = libraries.filter(({ requests }) => requests !== undefined);
  assert(shaped.length >= 20, `${shaped.length}`);
  for (const { name } of shaped) {
    const own = recorded(name).filter((each) =>
      !sendsPkce(each) && each.authorization.every((query) => recogniseLibrary(query.slice(1))?.name === name)
    );
    assert(own.length > 0, name);
    const query = own[0]!.authorization[0]!.slice(1);
    assertEquals(recogniseLibrary(`prompt=login&${query}&resource=https://api.example`)?.name, name);
    assertEquals(recogniseLibrary(`scope=x&${query}`), undefined, name);
  }
});

test("libraries: a redirect URI that only one library has names it, whatever it sends", () => {
  const named = libraries.flatMap(({ name, callback }) => callback === undefined ? [] : [[name, callback]]);
  assertEquals(named.map(([name]) => name), [
    ...["okta-oidc-middleware", "spring", "jetty-openid", "aspnet-core", "grafana", "open-webui", "pgadmin"],
  ]);
  for (const [name, callback] of named) {
    const uri = `http://localhost:8080${callback!.replace("*", "postern")}`;
    const guess = (redirect_uri: string) =>
      recogniseLibrary(`${new URLSearchParams({ state: "a", redirect_uri, prompt: "none" })}`)?.name;
    assertEquals(guess(uri), name);
    for (const other of [`${uri}/more`, `http://localhost:8080/app${callback}`, `${uri}s`]) {
      assertEquals(guess(other), name === "spring" && other === `${uri}s` ? name : undefined, other);
    }
  }
});

test("libraries: how each authenticates is what it was recorded to do", () => {
  const both = recordings.flatMap(({ library, token }) => {
    const row = libraries.find(({ name }) => name === library);
    if (row === undefined || token === undefined) return [];
    return [[library, row.method, token.usesBasic ? undefined : "client_secret_post"]];
  });
  assert(both.length >= 30);
  for (const [library, method, recordedMethod] of both) assertEquals(method, recordedMethod, library);
});

test("libraries: each line for PKCE is a call, or its place is said, or what it is added to", () => {
  const silent = libraries.filter(({ words: { pkce }, where, into }) =>
    pkce !== undefined && (where ?? into?.pkce) === undefined && !pkce.includes("(")
  );
  assertEquals(silent.map(({ name }) => name), []);
});

test("libraries: a state of another length or of other letters, or another callback, is no proof", () => {
  const query = queryOf("flask-dance").slice(1);
  assertEquals(recogniseLibrary(query)?.name, "flask-dance");
  const state = new URLSearchParams(query).get("state")!;
  for (const other of ["", state.slice(1), `${state}a`, `-${state.slice(1)}`]) {
    assertEquals(recogniseLibrary(query.replace(state, other)), undefined, other);
  }
  for (const other of ["/authorized", "/login/a/b/authorized", "/login/a/callback", "no-uri"]) {
    const params = new URLSearchParams(query);
    params.set("redirect_uri", other === "no-uri" ? other : `http://localhost:3000${other}`);
    assertEquals(recogniseLibrary(`${params}`), undefined, other);
  }
});

test("libraries: another path of the redirect URI is no sign of a library that has one path", () => {
  const byPath = libraries.filter(({ requests }) => requests?.some(({ callback }) => callback !== undefined));
  assertEquals(byPath.map(({ name }) => name), [
    ...["next-auth", "grant", "flask-dance", "django-allauth", "zitadel-oidc", "oauth2-proxy"],
  ]);
  for (const { name } of byPath) {
    const queries = recorded(name).flatMap(({ authorization }) => authorization.map((each) => each.slice(1)));
    const params = new URLSearchParams(queries.find((each) => recogniseLibrary(each)?.name === name)!);
    params.set("redirect_uri", "http://localhost:3000/callback");
    assertNotEquals(recogniseLibrary(`${params}`)?.name, name);
  }
});

test("libraries: a state or nonce of another length is no sign of the library that was recorded", () => {
  // That of oauth2-proxy has no fixed length.
  const byValues = libraries.filter(({ name, requests }) =>
    requests !== undefined && name !== "oauth2-proxy"
  );
  const random = byValues.flatMap(({ name }) => {
    const own = recorded(name).find((each) => !sendsPkce(each))!.authorization.map((query) =>
      new URLSearchParams(query)
    );
    const params = own[0]!;
    return ["state", "nonce"].flatMap((value) => {
      const isRandom = new Set(own.map((each) => each.get(value))).size === own.length;
      return isRandom || params.get(value) === "" ? [{ name, params, value }] : [];
    });
  });
  assert(random.length >= 30, `${random.length}`);
  for (const { name, params, value } of random) {
    const changed = new URLSearchParams(params);
    changed.set(value, `${params.get(value)}a`);
    assertNotEquals(recogniseLibrary(`${changed}`)?.name, name, `${name} ${value}`);
  }
});

test("libraries: a library that sends PKCE by itself or never says so", () => {
  for (const { name, pkce, words } of libraries) {
    if (pkce === "if told") assert(words.pkce !== undefined, name);
    if (pkce === "never") assertEquals(words.pkce, undefined, name);
    const always = recorded(name).length > 0 && recorded(name).every(sendsPkce);
    if (always) assertEquals(pkce, "always", name);
  }
  const all = helpWith("pkce", "", issuer).languages.flatMap((each) => each.libraries);
  assertEquals(all.filter(({ line }) => line === undefined).map(({ name }) => name), [
    "passport-openidconnect",
    ...["okta-oidc-middleware", "hellojs", "flask-pyoidc", "goth", "gologin", "jetty-openid"],
    "mojolicious-oauth2",
  ]);
  const languages = helpWith("response_type", "", issuer).languages.map(({ language }) => language);
  assertEquals(languages, ["JavaScript", "Perl", "C#"]);
});
