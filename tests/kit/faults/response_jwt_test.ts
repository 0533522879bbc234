/** The verdicts about wrong authorization responses hold for each way in which a JWT comes (JARM §2.2, §2.3). */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { examine, type MisbehaviourName, type Mock, type Scenario } from "../../../src/kit/mod.ts";
import { authorizeUrl, requestToken } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { decrypt, encryptingClient } from "../../server/tokens/encryption.ts";
import { redirectUri } from "../../world.ts";
import { quickAlg } from "./clients/habits.ts";

const names: readonly MisbehaviourName[] = [
  "jarm.alg_none",
  "jarm.audience_missing",
  "jarm.audience_other",
  "jarm.expired",
  "jarm.expiry_missing",
  "jarm.issuer_missing",
  "jarm.issuer_other",
  "jarm.other_key",
  "jarm.parameters_beside",
  "jarm.plain_parameters",
  "authorization_response.iss_wrong",
  "authorization_response.parameters_unknown",
  "authorization_response.code_twice",
  "authorization_response.state_twice",
];

/** Logs in without any check, and prefers the parameters beside the JWT. */
async function logIn(as: Mock, { issuer, clientId }: Scenario, response_mode: string): Promise<void> {
  const client = { client_id: clientId, redirect_uri: redirectUri };
  const url = authorizeUrl(issuer, { ...client, scope: "openid", response_mode });
  const sent = response_mode === "form_post.jwt"
    ? new URLSearchParams(await (await as.authorizeForm(url)).text())
    : (await as.authorize(url)).searchParams;
  const form = { ...client, code: sent.get("code") ?? await findCode(`${sent.get("response")}`) };
  const { ok, status } = await requestToken({ issuer, fetch: as.fetch }, form);
  if (!ok) throw new Error(`the token endpoint answers ${status}`);
}

async function findCode(response: string): Promise<string> {
  const isEncrypted = response.split(".").length === 5;
  return `${decodeJwt(isEncrypted ? (await decrypt(response)).text : response)["code"]}`;
}

for (const mode of ["query.jwt", "form_post.jwt"]) {
  for (const isEncrypted of [false, true]) {
    test(`misbehaviours: the verdicts hold for ${isEncrypted ? "encrypted" : "signed"} responses in ${mode} (JARM §2.2, §2.3)`, async () => {
      const members = isEncrypted ? { authorization_encrypted_response_alg: "ECDH-ES" } as const : {};
      const { rows, problem } = await examine({
        only: names,
        options: { alg: quickAlg, clients: [encryptingClient(members)] },
        client: (as, scenario) => logIn(as, scenario, mode),
        within: 60,
      });
      const outcomes = Object.fromEntries(rows.map(({ name, outcome }) => [name, outcome]));
      assertEquals([outcomes, problem], [
        {
          ...Object.fromEntries(names.map((name) => [name, "fooled"])),
          "authorization_response.parameters_unknown": "tolerated",
          // In a JWT, each claim occurs once (RFC 7519 §4).
          "authorization_response.code_twice": "not_applicable",
          "authorization_response.state_twice": "not_applicable",
        },
        undefined,
      ]);
    });
  }
}

for (const readsFragment of [true, false]) {
  for (const mode of ["jwt", "query.jwt"]) {
    const [reads, outcome] = readsFragment ? ["reads", "fooled"] : ["does not read", "noticed"];
    test(`misbehaviours: a client that asks for ${mode} and ${reads} the fragment is ${outcome} (JARM §2.3.2)`, async () => {
      const { rows: [row] } = await examine({
        only: ["authorization_response.fragment"],
        options: { alg: quickAlg },
        within: 60,
        async client(as, { issuer, clientId, redirectUri }) {
          const client = { client_id: clientId, redirect_uri: redirectUri };
          const url = authorizeUrl(issuer, { ...client, scope: "openid", response_mode: mode });
          const { search, hash } = await as.authorize(url);
          const response = new URLSearchParams(readsFragment ? search || hash.slice(1) : search).get(
            "response",
          );
          if (response === null) throw new Error("there is no response in the query");
          await requestToken({ issuer, fetch: as.fetch }, { ...client, code: await findCode(response) });
        },
      });
      assertEquals(row?.outcome, outcome, row?.because);
    });
  }
}

for (const isNew of [true, false]) {
  const title = isNew ? "a new nonce protects" : "a nonce that is the same in each login protects none";
  test(`misbehaviours: without state, ${title}, even if the ID token is encrypted (RFC 9700 §2.1)`, async () => {
    const confidential = {
      client_secret: "a secret",
      token_endpoint_auth_method: "client_secret_post",
      require_pkce: false,
      id_token_encrypted_response_alg: "ECDH-ES",
    } as const;
    const { rows: [row] } = await examine({
      only: ["authorization_response.state_missing"],
      options: { alg: quickAlg, clients: [encryptingClient(confidential)] },
      async client(as, { issuer, clientId }) {
        const nonce = isNew ? crypto.randomUUID() : "a-nonce";
        const request = { client_id: clientId, redirect_uri: redirectUri };
        const asked = { ...request, response_type: "code", scope: "openid", state: "a-state", nonce };
        const callback = await as.authorize(`${issuer}/oauth2/authorize?${new URLSearchParams(asked)}`);
        const body = new URLSearchParams({
          ...request,
          grant_type: "authorization_code",
          client_secret: confidential.client_secret,
          code: `${callback.searchParams.get("code")}`,
        });
        const response = await as.fetch(`${issuer}/oauth2/token`, { method: "POST", body });
        const { id_token } = await response.json();
        assertEquals(decodeJwt((await decrypt(id_token)).text)["nonce"], nonce);
      },
      within: 60,
    });
    assertEquals(row!.outcome, isNew ? "unharmed" : "fooled", row!.because);
  });
}
