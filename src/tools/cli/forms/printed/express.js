//: if opaque
// the access tokens are opaque, and express-oauth2-jwt-bearer checks JWTs only: ask the server about each token
//: else
// an API: Express 5, express-oauth2-jwt-bearer 1
import express from "express";
import { auth } from "express-oauth2-jwt-bearer";

const app = express();
//: if at_jwt
// strict demands the typ at+jwt and the claims of RFC 9068
app.use(auth({ issuerBaseURL: __ISSUER__, audience: [__AUDIENCES__], strict: true }));
//: else
app.use(auth({ issuerBaseURL: __ISSUER__, audience: [__AUDIENCES__] }));
//: end
app.get("/orders", (request, response) => response.json({ sub: request.auth.payload.sub }));
//: if step_up

// stepUp asks for a stronger sign-in (RFC 9470). The library never sends this challenge.
function stepUp(acr) {
  return (request, response, next) => {
    if (request.auth.payload.acr === acr) return next();
    const error = "insufficient_user_authentication";
    response.set("WWW-Authenticate", `Bearer error="${error}", acr_values=${JSON.stringify(acr)}`);
    response.status(401).json({ error });
  };
}
app.post("/payments", stepUp(__ACR__), (request, response) => response.json({ sub: request.auth.payload.sub }));
//: end

app.listen(3002);
//: end
