/** A right client passes each row of the level tolerate, whatever else it uses: another type of token, or JWTs besides the ID token. */

import { assert, assertEquals } from "@std/assert";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { serverMisbehaviours } from "../../../src/kit/faults/names.ts";
import { examine, type MisbehaviourName, type MockOptions } from "../../../src/kit/mod.ts";
import { encryptingClient } from "../../server/tokens/encryption.ts";
import { test } from "../../runner.ts";
import { redirectUri } from "../../world.ts";
import { detailTypes } from "./clients/authorization_details.ts";
import { createClient } from "./clients/client.ts";
import { type Kind, quick, quickAlg, Refusal } from "./clients/habits.ts";

const tolerant = serverMisbehaviours.filter((name) => catalogue.get(name)!.level === "tolerate");

/** Rows of the metadata of an API that rest on a rule of MCP alone. */
const ofMcp = serverMisbehaviours.filter((name) => catalogue.get(name)!.needs?.includes("mcp"));

const keyAgreement = "ECDH-ES";

const withSignOut = (members: Parameters<typeof encryptingClient>[0]) =>
  encryptingClient({ ...members, post_logout_redirect_uris: ["https://app.test/signed-out"] });

const kinds:
  readonly (readonly [title: string, kind?: Kind | undefined, clients?: MockOptions["clients"]])[] = [
    ["is plain"],
    ["has DPoP", "dpop"],
    ["authenticates by an assertion", "assertion"],
    ["has tokens that are bound to a certificate", "certificate"],
    ["has JARM", "jarm"],
    ["pushes its requests", "pushed"],
    ["asks for authorization details", "details"],
    ["has an API of its own, which verifies tokens", "own_api"],
    ["has an API of its own, which asks the server", "introspection"],
    ["has an API of its own, which asks the server for a JWT", "introspection_jwt"],
    ["reads the metadata of an API", "api_metadata"],
    ["is one of MCP", "mcp"],
    ["has signed userinfo", undefined, [withSignOut({ userinfo_signed_response_alg: quickAlg })]],
    ["has encrypted tokens and userinfo", undefined, [withSignOut({
      userinfo_signed_response_alg: quickAlg,
      userinfo_encrypted_response_alg: keyAgreement,
      id_token_encrypted_response_alg: keyAgreement,
    })]],
    ["has encrypted JARM", "jarm", [withSignOut({ authorization_encrypted_response_alg: keyAgreement })]],
  ];

const usual: readonly MisbehaviourName[] = ["keys.kid_odd", "token_response.token_type_case"];

async function examineRight(
  only: readonly MisbehaviourName[],
  kind?: Kind,
  clients?: MockOptions["clients"],
) {
  return await examine({
    client: createClient(quick, kind),
    only,
    within: 60,
    options: {
      alg: quickAlg,
      authorizationDetails: detailTypes,
      mtls: {},
      ...clients === undefined ? {} : { clients },
    },
  });
}

for (const [title, kind, clients] of kinds) {
  test(`misbehaviours: a right client that ${title} goes on where it has to`, async () => {
    const { problem, rows } = await examineRight(tolerant, kind, clients);
    assertEquals(problem, undefined);
    const others = rows.filter(({ outcome }) =>
      !["tolerated", "not_applicable", "not_reached"].includes(outcome)
    );
    assertEquals(others.map(({ name, outcome, because }) => `${name}: ${outcome}. ${because}`), []);
    for (const name of usual) {
      assert(rows.some((row) => row.name === name && row.outcome === "tolerated"), name);
    }
  });
}

test("misbehaviours: a client that reads the metadata of an API, and is none of MCP, has none of the duties of MCP", async () => {
  assert(ofMcp.length > 3);
  const { rows } = await examineRight(ofMcp, "api_metadata");
  assertEquals(
    rows.map(({ name, outcome }) => `${name}: ${outcome}`),
    ofMcp.map((name) => `${name}: not_applicable`),
  );
});

test("misbehaviours: a client that knows only the address in the challenge is not judged by another one (RFC 9728 §5.1)", async () => {
  const client = createClient(quick, "api_metadata");
  const { rows: [row] } = await examine({
    only: ["resource.path_slash"],
    options: { alg: quickAlg },
    within: 60,
    client(as, scenario) {
      let isNamed = false;
      const fetch: typeof as.fetch = async (url, init) => {
        if (!isNamed && `${url}`.includes("/oauth-protected-resource")) throw new Refusal("no address");
        const response = await as.fetch(url, init);
        isNamed ||= response.headers.get("www-authenticate")?.includes("resource_metadata") === true;
        return response;
      };
      return client({ ...as, fetch }, scenario);
    },
  });
  assertEquals(row!.outcome, "unknown", row!.because);
});

for (const listen of [false, true]) {
  test(`examine: options name the API without the number of a run${listen ? ", also on a port" : ""}`, async () => {
    const secret = "secret-of-the-api";
    const asker = {
      client_id: "orders-api",
      client_secret: secret,
      grant_types: ["client_credentials"],
      introspects: ["https://api.test/orders", "https://api.test/other"],
    } as const;
    const active: unknown[] = [];
    const { problem } = await examine({
      listen,
      only: ["introspection.active_text"],
      options: { clients: [{ client_id: "app", redirect_uris: [redirectUri] }, asker] },
      within: 60,
      async client(as, { issuer, api, phase }) {
        const { access_token: token } = await as.login("alice", { scope: "openid orders", resource: api });
        if (phase !== "call_api") return;
        const response = await as.fetch(`${issuer}/oauth2/introspect`, {
          method: "POST",
          headers: { authorization: `Basic ${btoa(`${asker.client_id}:${secret}`)}` },
          body: new URLSearchParams({ token }),
        });
        active.push((await response.json()).active);
        await as.fetch(api, { headers: { authorization: `Bearer ${token}` } });
      },
    });
    assertEquals([problem, active[0]], [undefined, true]);
  });
}
