/** The requests of a client: what each sends, and how the client proves who it is. */

import { assertEquals } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { judgeResponse } from "../../../src/server/client/check.ts";
import {
  type ClientRequest,
  createCall,
  createClientForm,
  createRegistration,
  identify,
  sendAsClient,
  tokenHeaders,
} from "../../../src/server/client/client_request.ts";
import { type ClientReply, describeProof, keepNonce } from "../../../src/server/client/dpop_key.ts";
import { writeTokenExamples } from "../../../src/server/client/example_commands.ts";
import {
  authorizationParams,
  carriedParams,
  codeParams,
  pushedParams,
  readOutcome,
  refreshParams,
  requestObjectClaims,
} from "../../../src/server/client/flow.ts";
import { importSigningKey } from "../../../src/ground/crypto/jwt.ts";
import { test } from "../../runner.ts";
import { sampleKey } from "../../world.ts";

const url = "https://as.test/oauth2/token";
const now = 1_800_000_000;
const form = ["content-type", "application/x-www-form-urlencoded"];
const json = ["accept", "application/json"];
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

test("client: each method of authentication has its place (RFC 6749 §2.3.1, RFC 7523 §2.2)", () => {
  const clientId = "a:b", secret = "c d";
  const inForm = [["client_id", clientId]];
  const identified = (method: string, assertion?: string) =>
    identify({ clientId, method, secret }, assertion);
  const authorization = `Basic ${btoa("a%3Ab:c+d")}`;
  assertEquals(identified("client_secret_basic"), { headers: [["authorization", authorization]], form: [] });
  const withSecret = [...inForm, ["client_secret", secret]];
  assertEquals(identified("client_secret_post") as unknown, { headers: [], form: withSecret });
  assertEquals(identified("none") as unknown, { headers: [], form: inForm });
  const asserted = [...inForm, ["client_assertion_type", assertionType], ["client_assertion", "jwt"]];
  assertEquals(identified("private_key_jwt", "jwt") as unknown, { headers: [], form: asserted });
});

test("client: forms, registrations and calls have their methods and headers (RFC 6750 §2.1, RFC 7591 §3, RFC 9449 §5)", () => {
  const identification = { headers: [["x", "y"]], form: [["client_id", "app"]] } as const;
  assertEquals<unknown>(createClientForm(url, [["a", "b"]], identification, "proof"), {
    method: "POST",
    url,
    headers: [json, ["x", "y"], ["dpop", "proof"], form],
    form: [["a", "b"], ["client_id", "app"]],
  });
  const bearer = ["authorization", "Bearer token"];
  const ofJson = ["content-type", "application/json"];
  const registration = { method: "POST", url, json: "{}" };
  assertEquals<unknown>(createRegistration(url, "{}"), { ...registration, headers: [json, ofJson] });
  const approved = createRegistration(url, "{}", "token");
  assertEquals<unknown>(approved, { ...registration, headers: [json, bearer, ofJson] });
  assertEquals<unknown>(createCall(url, "token"), { method: "GET", url, headers: [bearer, json] });
  assertEquals<unknown>(createCall(url), { method: "GET", url, headers: [json] });
  assertEquals<unknown>(tokenHeaders("token", "p"), [["authorization", "DPoP token"], ["dpop", "p"]]);
});

test("client: it repeats a request once, with the nonce that the server demands (RFC 9449 §8)", async () => {
  const key = await importSigningKey(sampleKey as never, "ES256");
  const dpop = { key, nonces: new Map<string, string>() };
  const identity = { clientId: "app", method: "client_secret_jwt", secret: "s" };
  let ids = 0;
  const play = async (...replies: readonly ClientReply[]) => {
    const sent: ClientRequest[] = [];
    const left = [...replies];
    const reply = await sendAsClient(
      { url: `${url}?x#y`, params: [], identity, dpop },
      { issuer: "https://as.test", now: now + 0.5, createId: () => `id-${++ids}` },
      (request) => {
        sent.push(request);
        return Promise.resolve(left.shift()!);
      },
    );
    const proofs = sent.map(({ headers }) => new Map(headers).get("dpop")!);
    return { reply, sent, nonces: proofs.map((proof) => decodeJwt(proof)["nonce"]), proof: proofs[0]! };
  };
  const demand = { status: 400, nonce: "n", body: '{"error":"use_dpop_nonce"}' };
  const success = { status: 200, nonce: "n", body: "{}" };
  const { nonces, reply, sent, proof } = await play(demand, success);
  assertEquals([nonces, reply], [[undefined, "n"], success]);
  const { jwk, ...header } = decodeProtectedHeader(proof);
  assertEquals(header, { typ: "dpop+jwt", alg: "ES256" });
  assertEquals(Object.keys(jwk!).sort(), ["crv", "kty", "x", "y"]);
  assertEquals(decodeJwt(proof), { jti: "id-2", htm: "POST", htu: url, iat: now });
  const assertion = new Map(sent[0]!.form).get("client_assertion")!;
  const claims = { iss: "app", sub: "app", aud: "https://as.test", jti: "id-1", iat: now, exp: now + 60 };
  assertEquals([decodeProtectedHeader(assertion).alg, decodeJwt<unknown>(assertion)], ["HS256", claims]);
  // From now on, it knows the nonce of this origin.
  assertEquals((await play(demand, demand)).nonces, ["n", "n"]);
  for (const other of [{ status: 401 }, { body: "{}" }, { nonce: undefined }]) {
    assertEquals(keepNonce(dpop, url, { ...demand, ...other }), false);
  }
  const bound = { method: "GET", url, jti: "j", now, accessToken: "token", claims: { htm: "PUT" } };
  const { ath, htm } = describeProof({ alg: "ES256", jwk: {} }, bound).claims;
  assertEquals([ath, htm], ["PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A", "PUT"]);
});

test("client: the parameters of each request of a flow (OAuth 2.1 §4, RFC 8707 §2, RFC 9126 §2.1)", () => {
  const asked = {
    ...{ clientId: "app", redirectUri: "https://app.test/cb", scope: undefined, state: "s", challenge: "c" },
    resources: ["https://a.test/", "https://b.test/"],
  };
  const resource = asked.resources.map((each) => ["resource", each]);
  const params = authorizationParams({ ...asked, more: { state: "t", nonce: "n", prompt: undefined } });
  const expected = [
    ...[["response_type", "code"], ["client_id", "app"], ["redirect_uri", "https://app.test/cb"]],
    ...[["state", "t"], ["code_challenge", "c"], ["code_challenge_method", "S256"], ["nonce", "n"]],
    ...resource,
  ];
  assertEquals<unknown>(params, expected);
  assertEquals<unknown>(pushedParams(params), expected.filter(([name]) => name !== "client_id"));
  const signed = { clientId: "app", issuer: "https://as.test", jti: "j", now: now + 0.5 };
  const { iss, aud, jti, iat, nbf, exp, ...inside } = requestObjectClaims(params, signed);
  assertEquals([iss, aud, jti, iat, nbf, exp], ["app", "https://as.test", "j", now, now, now + 60]);
  assertEquals<unknown>([inside["resource"], inside["state"]], [asked.resources, "t"]);
  assertEquals(requestObjectClaims(params.slice(0, -1), signed)["resource"], "https://a.test/");
  assertEquals<unknown>(carriedParams("app", "request", "jwt"), [["client_id", "app"], ["request", "jwt"]]);
  assertEquals<unknown>(
    codeParams({ code: "x", redirectUri: undefined, codeVerifier: "v", resources: asked.resources }),
    [["grant_type", "authorization_code"], ["code", "x"], ["code_verifier", "v"], ...resource],
  );
  assertEquals<unknown>(
    refreshParams({
      refreshToken: "r",
      scope: "read",
      authorizationDetails: "[]",
      resources: asked.resources,
    }),
    [
      ...[["grant_type", "refresh_token"], ["refresh_token", "r"], ["scope", "read"]],
      ...[["authorization_details", "[]"], ...resource],
    ],
  );
});

test("client: what an authorization response says, and what it must repeat (OAuth 2.1 §4.1.2, RFC 9207 §2.4)", () => {
  const read = (members: Record<string, string>) => readOutcome(new Map(Object.entries(members)));
  assertEquals(read({ code: "c", state: "s" }), { hasError: false, code: "c", state: "s" });
  assertEquals(read({ code: "c", error: "e", error_description: "d", state: "s" }), {
    ...{ hasError: true, error: "e", errorDescription: "d", state: "s" },
  });
  assertEquals([read({ state: "s" }), read({ error: "e" })], [{ hasError: true }, {
    hasError: true,
    error: "e",
  }]);
  const judge = (
    state: string | undefined,
    iss: string | undefined,
    sent = { state: "s" as string | undefined },
  ) => judgeResponse({ state, iss }, { sent, issuer: "i" }).map(({ result }) => result).join(" ");
  assertEquals(judge("s", "i"), "passed passed");
  assertEquals([judge("t", "i"), judge(undefined, "i")], ["failed passed", "failed passed"]);
  assertEquals([judge("s", "j"), judge("s", undefined)], ["passed failed", "passed failed"]);
  assertEquals(judge(undefined, "i", { state: undefined }), "absent passed");
  const unknown = { sent: undefined, issuer: undefined };
  for (const [state, result] of [["s", "open"], [undefined, "absent"]] as const) {
    const checks = judgeResponse({ state, iss: "i" }, unknown);
    assertEquals(checks.map(({ result }) => result), [result, "absent"]);
  }
});

test("client: the example of the right kind names the client of the code, and an unknown kind both", () => {
  const examples = (authentication: string | undefined, demoSecret?: string) => {
    const known = { ...(authentication && { authentication }), ...(demoSecret && { demoSecret }) };
    const options = { tokenEndpoint: url, code: "c", redirectUri: "r", clientId: "shop", ...known };
    const { open, confidential } = writeTokenExamples(options);
    const namesClient = [open, confidential].map(({ command }) => command.join("").includes("shop"));
    return [open.method, confidential.method, ...namesClient, confidential.authorization];
  };
  const none = undefined;
  assertEquals(examples(undefined), ["none", "client_secret_basic", true, true, none]);
  assertEquals(examples("none"), ["none", "client_secret_basic", true, false, none]);
  for (const method of ["client_secret_basic", "client_secret_post", "private_key_jwt"]) {
    assertEquals(examples(method), ["none", method, false, true, none]);
  }
  const basic = `Basic ${btoa("shop:s")}`;
  assertEquals(examples("client_secret_basic", "s"), ["none", "client_secret_basic", false, true, basic]);
  assertEquals(examples("client_secret_post", "s").at(-1), none);
});
