/** A web application with sign-in, configured as for any identity provider. */

import express from "express";
import openid from "express-openid-connect";

export function createApplication(baseURL, { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET }) {
  const application = express();
  application.use(openid.auth({
    baseURL,
    issuerBaseURL: OAUTH_ISSUER,
    clientID: OAUTH_CLIENT_ID,
    clientSecret: OAUTH_CLIENT_SECRET,
    secret: "a secret of the application's cookies",
    authorizationParams: { response_type: "code", scope: "openid" },
  }));
  return application.get("/", (request, response) => response.send(`Hello, ${request.oidc.user.sub}`));
}
