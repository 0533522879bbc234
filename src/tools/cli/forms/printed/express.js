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

// stepUp asks for a stronger and newer sign-in (RFC 9470). The library never sends this challenge.
function stepUp(acr, maxAge) {
  return (request, response, next) => {
    const { acr: found, auth_time: signedInAt } = request.auth.payload;
    if (found === acr && Date.now() / 1000 - signedInAt <= maxAge) return next();
    const error = "insufficient_user_authentication";
    const needed = `acr_values=${JSON.stringify(acr)}, max_age="${maxAge}"`;
    response.set("WWW-Authenticate", `Bearer error="${error}", ${needed}`);
    response.status(401).json({ error });
  };
}
app.post("/payments", stepUp(__ACR__, 300), (request, response) => response.json({ sub: request.auth.payload.sub }));
//: end

app.listen(3002);
//: end
