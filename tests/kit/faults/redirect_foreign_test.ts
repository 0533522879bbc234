/** Clients that follow a redirect to a foreign host, and what they do with what they find there. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import { examine, type ExamineTerms } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { createClient as createStrictClient } from "./clients/client.ts";
import { quick, quickAlg } from "./clients/habits.ts";

interface Habits {
  readonly follows: boolean;
  readonly comparesIssuer?: true;
  readonly verifies?: true;
  readonly registers?: true;
}

function createClient({ follows, comparesIssuer, verifies, registers }: Habits): ExamineTerms["client"] {
  return async (_as, { issuer, clientId, redirectUri, browse }) => {
    const load = async (url: string | URL, init: RequestInit = {}) => {
      const response = await fetch(url, { redirect: follows ? "follow" : "manual", ...init });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`the status is ${response.status}`);
      return JSON.parse(text);
    };
    const metadata = await load(`${issuer}/.well-known/openid-configuration`);
    if (comparesIssuer && metadata.issuer !== issuer) throw new Error("the issuer is another one");
    if (registers) {
      const body = JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: "none" });
      const init = { method: "POST", headers: { "content-type": "application/json" }, body };
      const { client_id } = await (await fetch(metadata.registration_endpoint, init)).json();
      if (client_id === undefined) throw new Error("the registration has no client_id");
    }
    const login = { client_id: clientId, redirect_uri: redirectUri, response_type: "code", scope: "openid" };
    const pkce = {
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    };
    const { searchParams } = await browse(
      `${metadata.authorization_endpoint}?${new URLSearchParams({ ...login, ...pkce })}`,
    );
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: searchParams.get("code") ?? "",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    });
    const tokens = await load(metadata.token_endpoint, { method: "POST", body });
    if (verifies) {
      const keys = createLocalJWKSet(await load(metadata.jwks_uri));
      await jwtVerify(tokens.id_token, keys, { issuer, audience: clientId });
    }
    await load(metadata.userinfo_endpoint, { headers: { authorization: `Bearer ${tokens.access_token}` } });
  };
}

/** What becomes of the rows about metadata and about keys. */
const clients: Readonly<Record<string, readonly [Habits, metadata: string, keys: string]>> = {
  "follows none": [{ follows: false, comparesIssuer: true, verifies: true }, "noticed", "noticed"],
  "compares the issuer": [{ follows: true, comparesIssuer: true, verifies: true }, "noticed", "fooled"],
  "compares nothing": [{ follows: true, verifies: true }, "fooled", "fooled"],
  "compares nothing, and registers itself": [{ follows: true, registers: true }, "fooled", "not_reached"],
  "loads no keys": [{ follows: true }, "fooled", "not_reached"],
};

for (const [what, [habits, ...expected]] of Object.entries(clients)) {
  test(`misbehaviours: redirects to a foreign host, for a client that ${what}`, async () => {
    const { rows } = await examine({
      client: createClient(habits),
      only: ["metadata.redirect_foreign", "keys.redirect_foreign"],
      listen: true,
      within: 60,
    });
    assertEquals<readonly string[]>(
      rows.map(({ outcome }) => outcome),
      expected,
      rows.map(({ because }) => because).join("\n"),
    );
  });
}

/** Whether a client sends its token along with a redirect, and the variant that each careless check falls for. */
const followers: Readonly<
  Record<string, readonly [(target: URL, right: URL) => boolean, string | undefined]>
> = {
  "to any host": [() => true, ""],
  "to what begins with the right origin": [
    (target, right) => target.href.startsWith(right.origin),
    "host_inside",
  ],
  "to what ends with the right host": [
    (target, right) => target.hostname.endsWith(right.hostname),
    "host_inside",
  ],
  "to the right host on any port": [
    (target, right) => target.protocol === right.protocol && target.hostname === right.hostname,
    "other_port",
  ],
  "to the right host": [(target, right) => target.host === right.host, "without_tls"],
  "to the right origin": [(target, right) => target.origin === right.origin, undefined],
};

for (const [where, [follows, variant]] of Object.entries(followers)) {
  test(`misbehaviours: a client that sends its token along with a redirect ${where} (RFC 6750 §5.3)`, async () => {
    const { rows } = await examine({
      only: ["userinfo.redirect_foreign", "resource.redirects_to_foreign_host"],
      within: 60,
      async client(as, { phase, api }) {
        const call = async (url: string, token: string): Promise<Response> => {
          const response = await as.fetch(url, {
            redirect: "manual",
            headers: { authorization: `Bearer ${token}` },
          });
          const target = new URL(response.headers.get("location") ?? url, url);
          if (target.href === new URL(url).href) return response;
          if (!follows(target, new URL(url))) throw new Error("it redirects elsewhere");
          return await call(target.href, token);
        };
        const { access_token: token } = await as.login(
          "alice",
          phase === "call_api" ? { scope: "orders", resource: api } : {},
        );
        const metadata = await (await as.fetch(`${as.issuer}/.well-known/openid-configuration`)).json();
        await call(phase === "call_api" ? api : metadata.userinfo_endpoint, token);
      },
    });
    for (const { name, outcome, because } of rows) {
      // The API is not called without TLS or on another port, because no other server has its name there.
      const isOfApi = name.startsWith("resource.") &&
        (variant === "without_tls" || variant === "other_port" || where.includes("ends with"));
      const isFooled = variant !== undefined && !isOfApi;
      assertEquals([name, outcome], [name, isFooled ? "fooled" : "noticed"], because);
      if (isFooled) assertStringIncludes(because, variant);
    }
  });
}

for (const [where, [follows, variant]] of Object.entries(followers)) {
  test(`misbehaviours: a client that loads keys and redeems codes along with a redirect ${where}`, async () => {
    const { rows } = await examine({
      only: ["keys.redirect_foreign", "token_response.redirect_post"],
      options: { alg: quickAlg },
      within: 60,
      async client(as, scenario) {
        const fetching: typeof as.fetch = async (input, init) => {
          const response = await as.fetch(input, { ...init, redirect: "manual" });
          const right = new URL(input instanceof Request ? input.url : input);
          const target = new URL(response.headers.get("location") ?? right, right);
          const mayFollow = target.href !== right.href && /jwks|token$/.test(right.pathname) &&
            follows(target, right);
          return mayFollow ? await fetching(target, init) : response;
        };
        await createStrictClient(quick)({ ...as, fetch: fetching }, scenario);
      },
    });
    for (const { name, outcome, because } of rows) {
      assertEquals([name, outcome], [name, variant === undefined ? "noticed" : "fooled"], because);
      if (variant !== undefined) assertStringIncludes(because, variant);
    }
  });
}

test("misbehaviours: a client that takes name and password from the address of a redirect (RFC 6750 §5.3)", async () => {
  // As Go's HTTP client does. It sends no token there.
  const { rows: [row] } = await examine({
    only: ["userinfo.redirect_foreign"],
    listen: true,
    within: 60,
    async client(as) {
      const { access_token: token } = await as.login("alice");
      const metadata = await (await fetch(`${as.issuer}/.well-known/openid-configuration`)).json();
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(metadata.userinfo_endpoint, { redirect: "manual", headers });
      await response.body?.cancel();
      const location = response.headers.get("location");
      if (location === null) return;
      const target = new URL(location);
      const { username, password } = target;
      target.username = target.password = "";
      const basic = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
      await (await fetch(target, { headers: username === "" ? {} : basic })).body?.cancel();
      throw new Error("userinfo is of another person");
    },
  });
  assertEquals(row?.outcome, "noticed", row?.because);
});
