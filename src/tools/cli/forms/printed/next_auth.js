// next-auth 4: app/api/auth/[...nextauth]/route.js
// .env.local: NEXTAUTH_URL=__CALLBACK_ORIGIN__, and NEXTAUTH_SECRET=any long random text
// redirect URI: __CALLBACK_URI__
// next-auth __CALLBACK_NOTE__
// __SIGN_IN_PROBLEM__
//: if private_key_jwt
// privateKey: the private key that belongs to the client's jwks, as a JWK
//: end
// __SECRET_NOTE__
import NextAuth from "next-auth";

const handler = NextAuth({
  providers: [{
    id: "__PROVIDER__",
    name: "Postern",
    type: "oauth",
    wellKnown: __DISCOVERY_URL__,
    issuer: __ISSUER__,
    clientId: __CLIENT_ID__,
//: if secret
    clientSecret: process.env.OAUTH_CLIENT_SECRET,
//: else if private_key_jwt
    jwks: { keys: [privateKey] },
//: end
//: if rs256
    client: { token_endpoint_auth_method: "__METHOD__" },
//: else
    client: { token_endpoint_auth_method: "__METHOD__", id_token_signed_response_alg: "__ALG__" },
//: end
    authorization: { params: { scope: __SCOPE__ } },
    checks: ["pkce", "state"],
    // name and email come from the userinfo endpoint
    userinfo: { request: ({ client, tokens }) => client.userinfo(tokens) },
    profile: ({ sub, name, email }) => ({ id: sub, name, email }),
  }],
});
export { handler as GET, handler as POST };
