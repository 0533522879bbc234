/** An Express API that verifies access tokens with jose. */

import express from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";

const keys = createRemoteJWKSet(new URL("https://as.test/oauth2/jwks"));
const expected = {
  issuer: "https://as.test",
  audience: "https://api.test",
  typ: "at+jwt",
  requiredClaims: ["exp", "sub", "client_id"],
};

export const application = express().get("/orders", async (request, response) => {
  try {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization)?.[1];
    const { payload } = await jwtVerify(token, keys, expected);
    if (!payload.scope.split(" ").includes("orders")) return response.sendStatus(403);
    response.json([`${payload.sub}'s order`]);
  } catch {
    response.sendStatus(401);
  }
});
