/** A Hono API that verifies access tokens with Hono's own middleware. */

import { Hono } from "hono";
import { jwk } from "hono/jwk";

export const application = new Hono();

application.use(jwk({
  jwks_uri: "https://as.test/oauth2/jwks",
  alg: ["RS256"],
  verification: { iss: "https://as.test", aud: "https://api.test", typ: "at+jwt" },
}));

application.get("/orders", (c) => {
  const { exp, sub, scope } = c.get("jwtPayload");
  if (exp === undefined) return c.body(null, 401); // the middleware lets it pass
  return scope.split(" ").includes("orders") ? c.json([`${sub}'s order`]) : c.body(null, 403);
});
