/** Misuses of the test kit and of the dashboard that must not compile: if one does, its directive is unused, which is an error. */

import { createServer } from "postern";
import { openDashboard } from "postern/dashboard";
import { createMock } from "postern/mock";

export async function misuse(): Promise<void> {
  // @ts-expect-error -- an unknown option
  const as = await createMock({ usres: [] });
  // @ts-expect-error -- not an option: tests set the time by `clock`
  await createMock({ now: () => 0 });
  // @ts-expect-error -- not a signing algorithm
  await createMock({ alg: "none" });

  // @ts-expect-error -- an unknown endpoint
  as.hold("tokens");
  // @ts-expect-error -- an unknown term of a gate
  as.hold("token", { counts: 2 });
  // @ts-expect-error -- release() takes a number
  as.hold("token").release("first");
  // @ts-expect-error -- an unknown endpoint
  as.drop("refresh");
  // @ts-expect-error -- the delay is missing
  as.delay("token");

  // @ts-expect-error -- an unknown hook
  as.on("idtoken", () => {});
  // @ts-expect-error -- claims are an object
  as.on("id_token", () => "claims");
  // @ts-expect-error -- a status is a number
  as.on("token_response", ({ members }) => ({ status: "200", members }));
  // @ts-expect-error -- a request for metadata names no client
  as.on("metadata", (members) => members, { client: "app" });
  // @ts-expect-error -- a request for keys names no person
  as.on("jwks", (keys) => keys, { once: true, person: "bob" });
  // @ts-expect-error -- an unknown term of a hook
  as.on("id_token", (claims) => claims, { user: "bob" });

  // @ts-expect-error -- an unknown endpoint
  as.requests.nosuch;
  // @ts-expect-error -- there may be no request
  as.requests.token.last.pkce;
  // @ts-expect-error -- an unknown endpoint
  await as.requests.next("nosuch");

  // @ts-expect-error -- a person is named by a string
  await as.login({ username: "bob" });
  // @ts-expect-error -- an unknown term of a sign-in
  await as.login("bob", { scopes: "openid" });
  // @ts-expect-error -- there may be no refresh token
  (await as.login("bob")).refresh_token.length;
  // @ts-expect-error -- there may be no ID token
  (await as.login("bob")).claims.sub;
  // @ts-expect-error -- an unknown member of a token response
  (await as.login("bob")).acess_token;
  // @ts-expect-error -- a refusal has no claims
  (await as.protect()(new Request("https://api.test"))).sub.length;
  // @ts-expect-error -- an unknown forgery
  await as.forge("expird");
  // @ts-expect-error -- an unknown kind of token
  await as.mint({ kind: "access_token" });
  // @ts-expect-error -- a refresh token has no claims
  await as.mint({ kind: "refresh", claims: { role: "admin" } });
  // @ts-expect-error -- a client's own token is no ID token
  await as.mint({ kind: "id", withoutPerson: true });
  // @ts-expect-error -- a client's own token is no refresh token
  await as.mint({ kind: "refresh", withoutPerson: true });
  // @ts-expect-error -- a token is either a person's or the client's own
  await as.mint({ withoutPerson: true, person: "alice" });
  // @ts-expect-error -- a forgery is either a person's or the client's own
  await as.forge("access_token.expired", { withoutPerson: true, person: "alice" });
  // @ts-expect-error -- the forgery's name decides the kind
  await as.forge("access_token.expired", { kind: "id" });
  // @ts-expect-error -- a parameter is a string
  await as.login("bob", { params: { max_age: 60 } });
  // @ts-expect-error -- the audience is one string
  as.protect({ audience: ["https://api.test"] });
  // @ts-expect-error -- a port is a number
  await as.listen({ port: "0" });
  // @ts-expect-error -- an unknown form of a timeline
  as.timeline("xml");
  // @ts-expect-error -- deny is true or left out
  as.nextSignIn({ deny: false });
  // @ts-expect-error -- a tenant has no issuer of its own
  as.tenant("acme", { issuer: "https://acme.test" });
  // @ts-expect-error -- the pages of a server change nothing
  await openDashboard(createServer(), { change: true });
  // @ts-expect-error -- the issuer is read-only
  as.issuer = "https://another.test";
}
