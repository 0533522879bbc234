/** Runs what `postern start --print` prints: a started server, and the programs as functions. */

import process from "node:process";
import { describeApplication } from "../../../src/tools/cli/forms/application.ts";
import { defaultFeatures, expandOptions } from "../../../src/server/features/mod.ts";
import { testKeysFor } from "../../../src/kit/mock/server/test_keys.ts";
import { type Configuration, createPlainServer } from "../../../src/mod.ts";
import { findProfile } from "../../../src/server/oauth/contracts/paths.ts";
import { serve } from "../../../src/server/runtime/serve.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import { readSettings } from "../../../src/server/setup/read_settings.ts";
import { createVisitor, type Visitor } from "../../portable/server/clients/visitor.ts";
import { findFreePort } from "../../free_port.ts";
import { sampleKey } from "../../world.ts";

export const secret = "a long secret: with + and % in it";

export function print(form: string, configuration: Configuration): string {
  const settings = readSettings(configuration, gatherSlots(defaultFeatures(configuration)));
  return describeApplication(form, settings, configuration).join("\n");
}

/** A running server with automatic sign-in, and the secret in the environment, where the printed settings read it. */
export async function withServer(
  form: string,
  more: Configuration,
  work: (printed: string, visitor: Visitor) => Promise<void>,
): Promise<void> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const { issuerPath = "" } = findProfile(more.paths);
  const configuration = expandOptions<Configuration>({
    issuer: origin + issuerPath,
    login: "auto",
    ...more,
  });
  // RS256 signs where nothing else is asked for, also beside another algorithm.
  const algorithms = [...new Set(["RS256", configuration.alg ?? "RS256"] as const)];
  const server = createPlainServer({ ...configuration, signingKeys: testKeysFor(algorithms) });
  const served = await serve({ answer: server.answer, host: "localhost", port });
  process.env["OAUTH_CLIENT_SECRET"] = secret;
  try {
    const visitor = createVisitor({ send: fetch, serves: (url) => url.origin === origin });
    await work(print(form, configuration), visitor);
  } finally {
    delete process.env["OAUTH_CLIENT_SECRET"];
    await served.close();
    await server.close();
  }
}

export function confidential(method: string, redirectUri: string): Configuration {
  return {
    clients: [{
      client_id: "shop",
      client_secret: secret,
      token_endpoint_auth_method: method,
      redirect_uris: [redirectUri],
    }],
  };
}

export type ClientRow = readonly [name: string, configuration: Configuration];

/** Clients that send their secret, or have none. */
export function clientsAt(redirectUri: string): readonly ClientRow[] {
  return [
    ["a new client, at the paths of Auth0", { paths: "auth0" }],
    ["a client with Basic", confidential("client_secret_basic", redirectUri)],
    ["a client with its secret in the body", confidential("client_secret_post", redirectUri)],
  ];
}

/** Clients that sign assertions. The second one has `sampleKey`. */
export function signingClientsAt(redirectUri: string): readonly ClientRow[] {
  const { d: _d, ...publicKey } = sampleKey;
  return [
    ["a client that signs with its secret", confidential("client_secret_jwt", redirectUri)],
    ["a client with a key", {
      clients: [{
        client_id: "signer",
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [publicKey] },
        redirect_uris: [redirectUri],
      }],
    }],
  ];
}

export async function leave(visitor: Visitor, url: string): Promise<URL> {
  const { leftFor, status, html } = await visitor.open(url);
  if (leftFor === undefined) throw new Error(`${status}: ${html.slice(0, 400)}`);
  return leftFor;
}

export const callback = "http://localhost:3000/callback";

export const AsyncFunction = (async () => {}).constructor as new (
  ...parts: readonly string[]
  // deno-lint-ignore no-explicit-any
) => (...values: readonly unknown[]) => Promise<any>;

/** Removes the imports, and returns them as the names that the program uses. */
export async function resolveImports(
  program: string,
): Promise<readonly [text: string, names: Record<string, unknown>]> {
  const names: Record<string, unknown> = {};
  const pattern = /^import \{([^}]+)\} from "([^"]+)";$/gm;
  for (const [, list = "", module = ""] of program.matchAll(pattern)) {
    const exported = await import(module);
    for (const name of list.split(",").map((each) => each.trim()).filter(Boolean)) {
      names[name] = exported[name];
    }
  }
  return [program.replace(pattern, ""), names];
}

export async function runPrinted(
  program: string,
  values: Readonly<Record<string, unknown>>,
  result: string,
  // deno-lint-ignore no-explicit-any
): Promise<any> {
  const [text, imported] = await resolveImports(program);
  const all = { ...imported, ...values };
  return await new AsyncFunction(...Object.keys(all), `${text}\nreturn ${result};`)(...Object.values(all));
}
