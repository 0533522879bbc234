/** The banner: which clients work and why no other does, automatic sign-in, the configuration file. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import project from "../../../../deno.json" with { type: "json" };
import {
  type BannerOptions,
  describeServer,
  summariseServer,
} from "../../../../src/tools/cli/start/banner.ts";
import { createColours } from "../../../../src/tools/cli/terminal/colours.ts";
import { applyProfiles } from "../../../../src/server/features/fapi/fapi.ts";
import { defaultFeatures } from "../../../../src/server/features/mod.ts";
import type { Configuration } from "../../../../src/mod.ts";
import { gatherSlots } from "../../../../src/server/slots.ts";
import { readSettings } from "../../../../src/server/setup/read_settings.ts";
import { test } from "../../../runner.ts";
import { assertKept } from "../assert_kept.ts";

function describe(configuration: Configuration, more: Partial<BannerOptions> = {}): string {
  return describeServer(createTerms(configuration, more), createColours({ isTTY: false }));
}

function createTerms(configuration: Configuration, more: Partial<BannerOptions>): BannerOptions {
  return {
    settings: readSettings(configuration, gatherSlots(defaultFeatures(configuration))),
    configuration,
    listensAt: "localhost:9000",
    store: "memory",
    form: "env",
    isReached: false,
    program: "deno task",
    printCommand: ["deno task print NAME"],
    ...more,
  };
}

const clients = [{ client_id: "shop", redirect_uris: ["https://shop.example/cb", "https://shop.example/2"] }];

test("banner: neither its text nor its summary for --log json has the password of the store or a key of a page", () => {
  const more = {
    store: "postgres://postern:hunter2@db.shop.example/sign_ins",
    inspectorUrl: "http://localhost:9000/inspector#key=canary",
  };
  const summary = summariseServer(createTerms({}, more));
  assertEquals(
    [summary["store"], summary["inspector"]],
    ["postgres://postern@db.shop.example/sign_ins", "http://localhost:9000/inspector"],
  );
  assertEquals(/hunter2|canary/.test(JSON.stringify(summary)), false);
  assertEquals(describe({}, more).includes("hunter2"), false);
});

test("banner: it says which other clients work, and when the server remembers them", () => {
  const works = [
    "            Any other client_id works too, if its redirect URI is on localhost",
    "            or has the scheme of an app (com.example.app:/cb).",
  ];
  const cases: readonly (readonly [configuration: Configuration, end: string])[] = [
    [{}, "It is remembered when you approve it."],
    [{ login: "auto" }, "It is remembered at its first login."],
  ];
  for (const [configuration, end] of cases) {
    assertStringIncludes(describe(configuration), [...works, `            ${end}`, ""].join("\n"));
  }
});

test("banner: narrowed methods of authentication also narrow which other clients work", () => {
  const works = "Any other client_id works too, if its redirect URI is on localhost";
  const app = "or has the scheme of an app (com.example.app:/cb).";
  const cases: readonly (readonly [clientAuthMethods: readonly string[], lines: readonly string[]])[] = [
    [["none", "private_key_jwt"], [works, app, "It authenticates with none."]],
    [["client_secret_post", "client_secret_basic", "client_secret_jwt"], [
      `${works}.`,
      "It authenticates with client_secret_post or client_secret_basic.",
    ]],
    [["private_key_jwt", "client_secret_jwt"], [
      "No other client_id works, because clientAuthMethods has no method for a client without a key.",
    ]],
  ];
  for (const [clientAuthMethods, lines] of cases) {
    const text = describe({ clientAuthMethods });
    assertStringIncludes(text, lines.join("\n            ") + "\n");
    assertEquals(text.includes(app), lines.includes(app));
  }
});

test("banner: the first link is for a client that a link can start (RFC 9126 §6)", () => {
  assertStringIncludes(describe({}), "/start?client_id=demo");
  const demo = { client_id: "demo", redirect_uris: ["http://localhost:9000/authorized"] };
  const pushing = { ...demo, require_pushed_authorization_requests: true };
  assertStringIncludes(
    describe({ clients: [pushing, { ...demo, client_id: "free" }] }),
    "/start?client_id=free",
  );
  for (const configuration of [{ clients: [pushing] }, { requirePushedRequests: true }]) {
    assert(!describe(configuration).includes("/start"));
  }
});

test("banner: it says where a client registers itself, and whether that needs a token", () => {
  const sentence = "A client can register itself at http://localhost:9000/connect/register";
  assertStringIncludes(describe({}), `${sentence}.`);
  const gated = { registration: { initialAccessTokens: ["a-long-secret"] } };
  assertStringIncludes(describe(gated), `${sentence}, with an initial access token.`);
  assert(!describe(gated).includes("a-long-secret"));
  for (const configuration of [{ registration: false }, { issuer: "https://as.dev", clients }]) {
    assert(!describe(configuration).includes("register itself"));
  }
});

test("banner: if no other client works, it says why", () => {
  const causes: readonly (readonly [configuration: Configuration, sentence: string])[] = [
    [{ clients }, "No other client_id works, because the configuration has its own clients."],
    [{ clients: [] }, "Clients   No client_id works, because the configuration has no clients."],
    [
      applyProfiles<Configuration>({ profile: "fapi2-security" }),
      "Clients   No client_id works: the profile fapi2-security needs the clients of a configuration (--config FILE).",
    ],
  ];
  for (const [configuration, sentence] of causes) {
    const text = describe(configuration);
    assertStringIncludes(text, `  ${sentence}\n`);
    assert(!text.includes("works too"), text);
  }
});

test("banner: a client has its redirect URIs, a person has no secret", () => {
  const people = [{ username: "carol", password: "canary", claims: { name: "Carol Clark" } }];
  const text = describe({
    clients: [{ ...clients[0]!, client_secret: "canary" }, { client_id: "spa" }],
    people,
  });
  assertStringIncludes(text, "shop  client_secret_basic, redirect URI https://shop.example/cb and 1 more\n");
  assertStringIncludes(text, "spa   public, no redirect URI\n");
  assertStringIncludes(text, "carol  Carol Clark, with a password\n");
  assert(!text.includes("canary"));
});

test("banner: automatic sign-in names the person and how to choose another", () => {
  assertStringIncludes(
    describe({ login: "auto:bob" }),
    "            Sign-in and consent are automatic, as bob.\n" +
      "            A request with login_hint=alice signs in alice.\n",
  );
});

test("banner: with several issuers it names the person of each", () => {
  const people = [{ username: "kari" }, { username: "ola" }];
  const login = { azuread: "auto", tokenx: "auto:ola", shop: "picker" };
  const text = (more: Record<string, string>) =>
    describe({ paths: "navikt", people, login: { ...login, ...more } });
  const lines = [
    "            Sign-in and consent:",
    "            - azuread: automatic, as kari",
    "            - tokenx: automatic, as ola",
    "            - shop: a sign-in page",
  ].join("\n");
  assertStringIncludes(
    text({ "*": "auto" }),
    `${lines}\n            - any other issuer: automatic, as kari\n`,
  );
  assertStringIncludes(text({}), `${lines}\n            - any other issuer: a sign-in page\n`);
});

test("banner: it says that clients use the port of the issuer", () => {
  const listensAt = "localhost:27400";
  const note = "But the issuer tells clients to use port 8080:";
  assertStringIncludes(describe({ issuer: "http://localhost:8080" }, { listensAt }), note);
  for (const issuer of ["http://localhost:27400", "http://127.0.0.1:27400", "https://localhost:8080"]) {
    assert(!describe({ issuer }, { listensAt }).includes("But the issuer"), issuer);
  }
});

test("banner: it names the configuration file and says whether changes are applied", () => {
  const lines = (isWatched: boolean) =>
    describe({ clients }, { file: { path: "postern.json", isWatched } }).split("\n");
  assertEquals(lines(false).filter((line) => line.includes("postern.json")), ["  Config    postern.json"]);
  const watched = lines(true);
  assertEquals(
    watched[watched.indexOf("  Config    postern.json") + 1],
    "            The server applies the file again when it changes.",
  );
});

test("banner: it names what the server does wrong on purpose", () => {
  assertEquals(describe({}).includes("Faults"), false);
  assertStringIncludes(
    describe({ issAnnounced: false, issSent: "slash" }),
    "  Faults    issAnnounced: the metadata does not announce iss.\n" +
      "            issSent: authorization responses have iss=http://localhost:9000/.\n",
  );
});

test("banner: it shows how to call the API beside the server", () => {
  const resource = "http://localhost:9000/resource";
  assertStringIncludes(
    describe({ demoResource: "/resource" }),
    [
      `  Resource  ${resource}`,
      "            It says who calls it, in a POSIX shell:",
      "            token=$(deno task token alice --resource /resource)",
      `            curl -H "Authorization: Bearer $token" ${resource}`,
      "",
    ].join("\n"),
  );
  const other = describe(
    { issuer: "http://localhost:9100", demoResource: "/api", people: [{ username: "o'neil" }] },
    { file: { path: "my file.json", isWatched: false } },
  );
  assertStringIncludes(
    other,
    "token=$(deno task token \"o'neil\" --issuer http://localhost:9100 --config 'my file.json' --resource /api)",
  );
});

test("banner: the call of the API is by a client that the command token can be", () => {
  const shop = { client_id: "shop", redirect_uris: ["https://shop.example/cb"] };
  const job = { client_id: "job", client_secret: "job-secret", grant_types: ["client_credentials"] };
  const resource = { demoResource: "/resource" };
  const token = "deno task token alice";
  const bound =
    `${token} --resource /resource --dpop /resource |\n              curl -H @- http://localhost:9000/resource`;
  const includes = (configuration: Configuration, text: string) =>
    assertStringIncludes(describe({ ...resource, ...configuration }), text);
  includes({ clients: [job, shop] }, `token=$(${token} --client shop --resource /resource)`);
  includes(
    { issuer: "https://localhost" },
    `token=$(${token} --issuer https://localhost --resource /resource)`,
  );
  includes({ dpop: { required: true } }, bound);
  includes({ clients: [{ ...shop, dpop_bound_access_tokens: true }] }, bound);
  const certified = { ...shop, client_id: "bank", tls_client_certificate_bound_access_tokens: true };
  const mtls = {};
  includes({ mtls, clients: [certified, shop] }, `$(${token} --client shop --resource /resource)`);
  assertEquals(describe({ ...resource, mtls, clients: [certified] }).includes("It says who calls it"), false);
  includes({ clients: [shop], requirePushedRequests: true }, `$(${token} --resource /resource)`);
  const people = [{ username: "carol", password: "open sesame" }, { username: "dave" }];
  includes({ people }, "deno task token dave ");
  for (const none of [{ clients: [job] }, { clients: [] }, { requireSignedRequests: true }]) {
    const text = describe({ ...resource, ...none });
    assertStringIncludes(text, "  Resource  http://localhost:9000/resource\n");
    assertEquals(text.includes("deno task token"), false, text);
  }
});

test("banner: each server is described line by line, and summarised for a program", () =>
  assertKept("banner", (given) => {
    const [configuration, more, isPainted = false] = JSON.parse(given);
    const plain = createColours({});
    const named = Object.keys(plain).map((name) => [name, (text: string) => `<${name} ${text}>`]);
    const terms = createTerms(configuration, more);
    const text = describeServer(terms, isPainted ? Object.fromEntries(named) : plain);
    return `${text}\n${JSON.stringify(summariseServer(terms))}`.replaceAll(project.version, "VERSION");
  }));
