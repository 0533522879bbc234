/** The settings that `postern start --print` prints work as they are: each form is run. */

import { Auth, type AuthConfig } from "@auth/core";
import { assert, assertEquals } from "@std/assert";
import process from "node:process";
import { parseEnv } from "node:util";
import * as openidClient from "openid-client";
import { type ApplicationForm, describeApplication } from "../../src/cli/application.ts";
import { defaultFeatures } from "../../src/features/mod.ts";
import { testKeysFor } from "../../src/mock/server/test_keys.ts";
import { type Configuration, createPlainServer } from "../../src/mod.ts";
import { gatherSlots } from "../../src/oauth/slots.ts";
import { acceptsFirstUse } from "../../src/setup/server_options.ts";
import { readSettings } from "../../src/setup/read_settings.ts";
import { serve } from "../../src/runtime/serve.ts";
import { createVisitor, type Visitor } from "../clients/visitor.ts";
import { test } from "../runner.ts";
import { sampleKey } from "../world.ts";
import { findFreePort } from "./command.ts";

const secret = "a secret: with + and % in it";
const { d: _d, ...publicSample } = sampleKey;

function print(form: ApplicationForm, configuration: Configuration): string {
  const firstUse = acceptsFirstUse(configuration);
  const settings = readSettings(configuration, gatherSlots(defaultFeatures({ firstUse })));
  return describeApplication({ form, settings, configuration, acceptsFirstUse: firstUse }).join("\n");
}

/** A running server with automatic sign-in, and the secret in the environment, where the printed settings read it. */
async function withServer(
  form: ApplicationForm,
  more: Configuration,
  work: (printed: string, visitor: Visitor) => Promise<void>,
): Promise<void> {
  const port = await findFreePort();
  const configuration = { issuer: `http://localhost:${port}`, login: "auto", ...more };
  const server = createPlainServer({ ...configuration, signingKeys: testKeysFor(["RS256"]) });
  const served = await serve({ answer: server.answer, host: "localhost", port });
  process.env["OAUTH_CLIENT_SECRET"] = secret;
  try {
    const { issuer } = configuration;
    await work(
      print(form, configuration),
      createVisitor({ send: fetch, serves: ({ origin }) => origin === issuer }),
    );
  } finally {
    delete process.env["OAUTH_CLIENT_SECRET"];
    await served.close();
    await server.close();
  }
}

function confidential(method: string, redirectUri: string): Configuration {
  return {
    clients: [{
      client_id: "shop",
      client_secret: secret,
      token_endpoint_auth_method: method,
      redirect_uris: [redirectUri],
    }],
  };
}

async function leave(visitor: Visitor, url: string): Promise<URL> {
  const { leftFor, status, html } = await visitor.open(url);
  if (leftFor === undefined) throw new Error(`${status}: ${html.slice(0, 400)}`);
  return leftFor;
}

const callback = "http://localhost:3000/callback";

const openidClients: readonly (readonly [name: string, configuration: Configuration])[] = [
  ["a new client", {}],
  ["a client with Basic", confidential("client_secret_basic", callback)],
  ["a client with its secret in the body", confidential("client_secret_post", callback)],
  ["a client with a key", {
    clients: [{
      client_id: "signer",
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [publicSample] },
      redirect_uris: [callback],
    }],
  }],
];

for (const [name, configuration] of openidClients) {
  test(`application: the printed openid-client program signs people in with ${name}`, () =>
    withServer("openid-client", configuration, async (printed, visitor) => {
      const program = printed
        .replace('import * as client from "openid-client";', "")
        .replace(/^\/\/ send the browser to url\.href.*$/m, "const currentUrl = await visit(url.href);");
      const privateKey = await crypto.subtle.importKey(
        "jwk",
        sampleKey,
        { name: "ECDSA", namedCurve: "P-256" },
        false,
        ["sign"],
      );
      const run = new AsyncFunction("client", "privateKey", "visit", `${program}\nreturn person;`);
      const person = await run(openidClient, privateKey, (url: string) => leave(visitor, url));
      assertEquals([person.sub, person.name, person.email], ["alice", "Alice Adams", "alice@example.com"]);
    }));
}

test("application: the printed openid-client program gets a token with client credentials", () =>
  withServer(
    "openid-client",
    { clients: [{ client_id: "robot", client_secret: secret }] },
    async (printed) => {
      const program = printed.replace('import * as client from "openid-client";', "");
      const tokens = await new AsyncFunction("client", `${program}\nreturn tokens;`)(openidClient);
      assertEquals(tokens.token_type, "bearer");
    },
  ));

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: readonly string[]
  // deno-lint-ignore no-explicit-any
) => (...values: readonly unknown[]) => Promise<any>;

const authjsCallback = "http://localhost:3000/api/auth/callback/postern";

const authjsClients: readonly (readonly [name: string, configuration: Configuration])[] = [
  ["a new client", {}],
  ["a client with Basic", confidential("client_secret_basic", authjsCallback)],
  ["a client with its secret in the body", confidential("client_secret_post", authjsCallback)],
  [
    "a client under the name that its redirect URI has",
    confidential("client_secret_basic", authjsCallback.replace(/postern$/, "our-as")),
  ],
];

for (const [name, configuration] of authjsClients) {
  test(`application: the printed Auth.js provider signs people in with ${name}`, () =>
    withServer("authjs", configuration, async (printed, visitor) => {
      const provider = new Function("process", `${printed}\nreturn postern;`)(process);
      const application = createAuthApplication(provider);
      const { csrfToken } = await (await application.send("/csrf")).json();
      const asked = await application.send(`/signin/${provider.id}`, new URLSearchParams({ csrfToken }));
      const answer = await leave(visitor, asked.headers.get("location")!);
      assertEquals(answer.pathname, `/api/auth/callback/${provider.id}`);
      await application.send(answer.href.split("/api/auth")[1]!);
      const { user } = await (await application.send("/session")).json();
      assertEquals(user, { name: "Alice Adams", email: "alice@example.com" });
    }));
}

/** Auth.js, and a browser that keeps its cookies. */
function createAuthApplication(provider: AuthConfig["providers"][number]) {
  const cookies = new Map<string, string>();
  const config: AuthConfig = {
    basePath: "/api/auth",
    providers: [provider],
    secret: "a secret of the application's own",
    trustHost: true,
    logger: { error: (error) => void console.error(error) },
  };
  return {
    async send(path: string, body?: URLSearchParams): Promise<Response> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const method = body === undefined ? "GET" : "POST";
      const request = new Request(`http://localhost:3000/api/auth${path}`, {
        method,
        headers: { cookie },
        ...(body === undefined ? {} : { body }),
      });
      const response = await Auth(request, config);
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      return response;
    },
  };
}

test("application: the printed .env file is read with the intended values", () => {
  const wide: Configuration = {
    clients: [{ client_id: "the #1 'shop' $HOME", client_secret: secret, redirect_uris: [callback] }],
  };
  assertEquals(parseEnv(print("env", wide)), {
    OAUTH_ISSUER: "http://localhost:9000",
    OAUTH_CLIENT_ID: "the #1 'shop' $HOME",
    OAUTH_REDIRECT_URI: callback,
    OAUTH_SCOPE: "openid profile email",
  });
  assert(!Object.hasOwn(parseEnv(print("env", wide)), "OAUTH_CLIENT_SECRET"));
});
