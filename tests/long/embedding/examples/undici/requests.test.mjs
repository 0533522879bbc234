/** undici's own functions reach the mock by its dispatcher, without a socket. */
import assert from "node:assert/strict";
import { Readable, Writable } from "node:stream";
import { test } from "node:test";
import { createMock } from "postern/mock";
import { fetch, FormData, pipeline, request, stream } from "undici";

const api = "https://api.test/";

async function openEcho() {
  const as = await createMock({ resources: [api] });
  as.resource(api, {}, async (received) => {
    const type = received.headers.get("content-type");
    return new Response(await received.text(), { headers: { "x-type": type ?? "none" } });
  });
  const headers = { authorization: `Bearer ${await as.mint()}` };
  return { as, terms: { dispatcher: as.dispatcher, method: "POST", headers } };
}

test("request sends each kind of body", async () => {
  const { as, terms } = await openEcho();
  const send = async (body) => {
    const answer = await request(api, { ...terms, body });
    assert.equal(answer.statusCode, 200);
    return [await answer.body.text(), answer.headers["x-type"]];
  };
  const form = new FormData();
  form.append("field", "é");
  for (const body of ["é", Buffer.from("é"), Readable.from(["é"]), new Blob(["é"]).stream()]) {
    assert.equal((await send(body))[0], "é");
  }
  const [text, type] = await send(form);
  assert.match(type, /^multipart\/form-data; boundary=/);
  assert.match(text, /name="field"\r\n\r\né/);
  await as.close();
});

test("fetch sends each kind of body", async () => {
  const { as, terms } = await openEcho();
  const form = new FormData();
  form.append("field", "é");
  for (const body of ["é", Buffer.from("é"), new Blob(["é"]), ReadableStream.from([Buffer.from("é")])]) {
    const answer = await fetch(api, { ...terms, body, duplex: "half" });
    assert.equal(await answer.text(), "é");
  }
  const answer = await fetch(api, { ...terms, body: form });
  assert.match(await answer.text(), /name="field"\r\n\r\né/);
  const sent = await fetch(api, { ...terms, body: new URLSearchParams({ a: "é" }) });
  assert.equal(await sent.text(), "a=%C3%A9");
  await as.close();
});

test("stream and pipeline get the whole of a large answer", async () => {
  const { as, terms } = await openEcho();
  const large = "x".repeat(400_000);
  let length = 0;
  const count = new Writable({ write: (chunk, _encoding, next) => next(void (length += chunk.length)) });
  await stream(api, { ...terms, body: large }, () => count);
  assert.equal(length, large.length);
  let text = "";
  for await (const chunk of Readable.from([large]).pipe(pipeline(api, terms, ({ body }) => body))) {
    text += chunk;
  }
  assert.equal(text.length, large.length);
  await as.close();
});

test("an abort and a foreign origin are errors", async () => {
  const { as, terms: { dispatcher } } = await openEcho();
  await assert.rejects(request("https://other.test/", { dispatcher }), {
    message:
      /^This dispatcher answers for https:\/\/as\.test and https:\/\/api\.test only, not for https:\/\/other/,
  });
  const gate = as.hold("jwks");
  const abortion = new AbortController();
  const url = `${as.issuer}/oauth2/jwks`;
  const { signal } = abortion;
  const held = [request(url, { dispatcher, signal }), fetch(url, { dispatcher, signal })];
  const failing = Promise.all(held.map((each) => assert.rejects(each, { name: "AbortError" })));
  await gate.arrived(2);
  abortion.abort();
  await failing;
  await as.close();
});

test("a dropped answer is a broken connection", async () => {
  const { as, terms: { dispatcher } } = await openEcho();
  as.drop("jwks");
  const url = `${as.issuer}/oauth2/jwks`;
  await assert.rejects(request(url, { dispatcher }), { code: "UND_ERR_SOCKET" });
  await assert.rejects(fetch(url, { dispatcher }), (error) => error.cause.code === "UND_ERR_SOCKET");
  await as.close();
});

test("fetch and request log in at the hosts of a provider", async () => {
  const as = await createMock({ lookLike: "google" });
  const { dispatcher } = as;
  const metadata = await fetch("https://accounts.google.com/.well-known/openid-configuration", {
    dispatcher,
  });
  const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint } = await metadata.json();
  assert.equal(issuer, "https://accounts.google.com");
  const redirect_uri = "https://app.test/callback";
  const query = {
    client_id: "app",
    response_type: "code",
    redirect_uri,
    scope: "openid",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  };
  const url = `${authorization_endpoint}?${new URLSearchParams(query)}`;
  const { searchParams } = await as.authorize(url, { as: "alice" });
  const form = {
    grant_type: "authorization_code",
    client_id: "app",
    code: searchParams.get("code"),
    redirect_uri,
    code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  };
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(form).toString();
  const redeemed = await request(token_endpoint, { dispatcher, method: "POST", headers, body });
  const { access_token } = await redeemed.body.json();
  const authorization = `Bearer ${access_token}`;
  const person = await request(userinfo_endpoint, { dispatcher, headers: { authorization } });
  assert.equal((await person.body.json()).sub, "alice");
  const unknown = await request("https://accounts.google.com/elsewhere", { dispatcher });
  assert.equal(unknown.statusCode, 501);
  await unknown.body.dump();
  assert.deepEqual(as.requests.map(({ api }) => new URL(api).host), [
    "accounts.google.com",
    "accounts.google.com",
    "oauth2.googleapis.com",
    "openidconnect.googleapis.com",
    "accounts.google.com",
  ]);
  await as.close();
});
