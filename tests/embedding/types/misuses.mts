/** Misuses of the kit, none of which compiles: whoever lets one of them through has an unused directive here. */

import { createMock } from "postern/mock";

export async function misuse(): Promise<void> {
  // @ts-expect-error -- an option that there is not
  const as = await createMock({ usres: [] });
  // @ts-expect-error -- what a test decides by other means is no option
  await createMock({ now: () => 0 });
  // @ts-expect-error -- an algorithm that nobody signs with
  await createMock({ alg: "none" });

  // @ts-expect-error -- the name of an endpoint
  as.hold("tokens");
  // @ts-expect-error -- a term of a gate
  as.hold("token", { counts: 2 });
  // @ts-expect-error -- a gate counts
  as.hold("token").release("first");
  // @ts-expect-error -- the name of an endpoint
  as.drop("refresh");
  // @ts-expect-error -- how late
  as.delay("token");

  // @ts-expect-error -- the name of a hook
  as.on("idtoken", () => {});
  // @ts-expect-error -- claims are an object
  as.on("id_token", () => "claims");
  // @ts-expect-error -- a status is a number
  as.on("token_response", ({ members }) => ({ status: "200", members }));
  // @ts-expect-error -- whoever asks for metadata does not say who they are
  as.on("metadata", (members) => members, { client: "app" });
  // @ts-expect-error -- nor whoever asks for keys
  as.on("jwks", (keys) => keys, { once: true, person: "bob" });
  // @ts-expect-error -- whom a hook is for
  as.on("id_token", (claims) => claims, { user: "bob" });

  // @ts-expect-error -- the name of an endpoint
  as.requests.nosuch;
  // @ts-expect-error -- there may be none
  as.requests.token.last.pkce;
  // @ts-expect-error -- the name of an endpoint
  await as.requests.next("nosuch");

  // @ts-expect-error -- a person has a name
  await as.login({ username: "bob" });
  // @ts-expect-error -- a term of a sign-in
  await as.login("bob", { scopes: "openid" });
  // @ts-expect-error -- there may be no refresh token
  (await as.login("bob")).refresh_token.length;
  // @ts-expect-error -- a member of a token response
  (await as.login("bob")).acess_token;
  // @ts-expect-error -- the claims of a response that refuses
  (await as.protect()(new Request("https://api.test"))).sub.length;
  // @ts-expect-error -- the name of a forgery
  await as.forge("expird");
  // @ts-expect-error -- the kind of a token
  await as.mint({ kind: "access_token" });
  // @ts-expect-error -- a refresh token has no claims
  await as.mint({ kind: "refresh", claims: { role: "admin" } });
  // @ts-expect-error -- a client that acts for itself gets no ID token
  await as.mint({ kind: "id", withoutPerson: true });
  // @ts-expect-error -- nor a refresh token
  await as.mint({ kind: "refresh", withoutPerson: true });
  // @ts-expect-error -- a person's token, or the client's own
  await as.mint({ withoutPerson: true, person: "alice" });
  // @ts-expect-error -- the same for a forgery
  await as.forge("expired", { withoutPerson: true, person: "alice" });
  // @ts-expect-error -- its name says what it is
  await as.forge("expired", { kind: "id" });
  // @ts-expect-error -- a parameter is text
  await as.login("bob", { params: { max_age: 60 } });
  // @ts-expect-error -- one audience
  as.protect({ audience: ["https://api.test"] });
  // @ts-expect-error -- a port is a number
  await as.listen({ port: "0" });
  // @ts-expect-error -- the form of a timeline
  as.timeline("xml");
  // @ts-expect-error -- a person or a no
  as.nextSignIn({ deny: false });
  // @ts-expect-error -- an issuer of its own is not a tenant's to have
  as.tenant("acme", { issuer: "https://acme.test" });
  // @ts-expect-error -- the same for all
  as.issuer = "https://another.test";
}
