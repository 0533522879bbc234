/** `as.idJag`: an ID-JAG with one fault, and how a server that accepts ID-JAGs answers. */

import { assertEquals, assertRejects } from "@std/assert";
import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { createMock, type IdJagFault, idJagFaults, type Mock, type Tenant } from "../../../../src/kit/mod.ts";
import { testIn } from "../../../test_in.ts";

const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const resource = "https://mcp.test/mcp";

/** A mock with an identity provider, and a server that trusts it. */
async function inCompany(
  work: (company: { readonly as: Mock; readonly idp: Tenant; readonly chat: Tenant }) => Promise<void>,
): Promise<void> {
  await using as = await createMock();
  const idp = as.tenant("idp");
  const chat = as.tenant("chat", {
    clients: [{ client_id: "agent", client_secret: "secret", grant_types: [grant_type] }],
    scopes: { "chat.read": "Read" },
    resources: [resource],
    trust: [{ issuer: idp.issuer, jwks_uri: `${idp.issuer}/oauth2/jwks`, idJag: true }],
  });
  await work({ as, idp, chat });
}

async function send(as: Mock, chat: Tenant, assertion: string): Promise<Response> {
  return await as.fetch(`${chat.issuer}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("agent:secret")}` },
    body: new URLSearchParams({ grant_type, assertion }),
  });
}

const terms = (chat: Tenant) => ({ audience: chat.issuer, client: "agent", scope: "chat.read", resource });

const it = testIn(inCompany);

it("mock: an ID-JAG without a fault is one of the identity provider, and is accepted (ID-JAG §3)", async ({ as, idp, chat }) => {
  const { token, verdict } = await idp.idJag({ ...terms(chat), person: "bob", claims: { tenant: "acme" } });
  assertEquals(verdict, undefined);
  assertEquals(decodeProtectedHeader(token).typ, "oauth-id-jag+jwt");
  const keys = createRemoteJWKSet(new URL(`${idp.issuer}/oauth2/jwks`), { [customFetch]: as.fetch });
  const { payload } = await jwtVerify(token, keys, { issuer: idp.issuer, audience: chat.issuer });
  const { sub, client_id, scope, resource: target, tenant } = payload;
  assertEquals([sub, client_id, scope, target, tenant], ["bob", "agent", "chat.read", resource, "acme"]);
  const answer = await send(as, chat, token);
  assertEquals([answer.status, (await answer.json()).scope], [200, "chat.read"]);
});

it("mock: an ID-JAG with a fault differs from a right one in it alone, and Postern answers as the verdict says (ID-JAG §4.4.1)", async ({ as, idp, chat }) => {
  const namesOf = (token: string) => Object.keys(decodeJwt(token)).sort();
  const right = namesOf((await idp.idJag(terms(chat))).token);
  const differing: Partial<Record<IdJagFault, readonly string[]>> = {
    binding_unknown: [...right, "cnf"].sort(),
    client_missing: right.filter((name) => name !== "client_id"),
    details_unknown: [...right, "authorization_details"].sort(),
    expiry_missing: right.filter((name) => name !== "exp"),
    id_missing: right.filter((name) => name !== "jti"),
    subject_unknown: right.filter((name) => name !== "email"),
  };
  for (const fault of idJagFaults) {
    const { token, verdict } = await idp.idJag({ ...terms(chat), fault });
    assertEquals(namesOf(token), differing[fault] ?? right, fault);
    const answer = await send(as, chat, token);
    const { error } = await answer.json();
    assertEquals([answer.status, error], [verdict?.status, verdict?.error], fault);
  }
});

it("mock: an ID-JAG can be for several scopes and resources (ID-JAG §3)", async ({ idp, chat }) => {
  const several = { scope: ["chat.read", "chat.write"], resource: [resource, "https://files.test"] };
  const claims = decodeJwt((await idp.idJag({ ...terms(chat), ...several })).token);
  assertEquals([claims["scope"], claims["resource"]], [several.scope.join(" "), several.resource]);
});

it("mock: a claim of the test wins over that of the ID-JAG", async ({ idp, chat }) => {
  const { token } = await idp.idJag({ audience: chat.issuer, client: "agent", claims: { iss: "x" } });
  assertEquals(decodeJwt(token).iss, "x");
});

it("mock: wrong terms of an ID-JAG are errors", async ({ idp, chat }) => {
  const { audience, client } = terms(chat);
  const wrong: readonly (readonly [terms: object, message: string])[] = [
    [{ client }, "Cannot issue an ID-JAG: audience must be given"],
    [{ audience }, "Cannot issue an ID-JAG: client must be given"],
    [{ audience, client, fault: "expird" }, 'There is no fault "expird" of an ID-JAG'],
    [{ audience, client, fault: "bad signature" }, "Did you mean signature_bad?"],
    [{ audience, client, person: "carol" }, "carol"],
    [{ audience, client, scopes: "a" }, "scopes"],
  ];
  for (const [given, message] of wrong) {
    await assertRejects(() => idp.idJag(given as never), Error, message);
  }
  await idp.close();
  await assertRejects(() => idp.idJag({ audience, client }), Error, "is closed");
});
