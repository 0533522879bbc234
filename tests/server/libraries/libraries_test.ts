/** The words of libraries: which request looks like which library, by recorded requests. */

import { assert, assertEquals } from "@std/assert";
import { helpWith } from "../../../src/server/libraries/help.ts";
import { libraries } from "../../../src/server/libraries/mod.ts";
import { recogniseLibrary } from "../../../src/server/libraries/recognise.ts";
import { queryOf, recorded, recordings, sendsPkce } from "./recordings.ts";
import { test } from "../../runner.ts";

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
  const shaped = libraries.filter(({ request }) => request !== undefined);
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

test("libraries: a library that sends PKCE by itself or never says so", () => {
  for (const { name, pkce, words } of libraries) {
    if (pkce === "if told") assert(words.pkce !== undefined, name);
    if (pkce === "never") assertEquals(words.pkce, undefined, name);
    const always = recorded(name).length > 0 && recorded(name).every(sendsPkce);
    if (always) assertEquals(pkce, "always", name);
  }
  const all = helpWith("pkce", "").languages.flatMap((each) => each.libraries);
  assertEquals(all.filter(({ line }) => line === undefined).map(({ name }) => name), [
    "passport-openidconnect",
    "okta-oidc-middleware",
    "flask-pyoidc",
    "goth",
    "mojolicious-oauth2",
  ]);
  const languages = helpWith("response_type", "").languages.map(({ language }) => language);
  assertEquals(languages, ["JavaScript", "Perl", "C#"]);
});
