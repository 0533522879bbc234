/** Prints a Python program for Authlib: a Flask application that signs people in, or the client credentials grant. */

import { publicClientMethod, signsAssertion, usesSecret } from "../../server/oauth/clients/client.ts";
import { metadataPaths } from "../../server/oauth/metadata_addresses.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import { type Application, lacksSignIn, noteSecret, quote, secretName, urlOf } from "./application_terms.ts";
import { findServedAddress } from "./library_address.ts";

export function describePython(application: Application, settings: Settings): readonly string[] {
  const { redirectUris, actsForItself } = application;
  if (redirectUris.length > 0) return describeFlask(application);
  if (actsForItself) return describeSession(application, settings);
  return [
    "# Authlib 1",
    ...describeSecret(application),
    ...lacksSignIn(application).map((line) => `# ${line}`),
  ];
}

function describeFlask(application: Application): readonly string[] {
  const { issuer, clientId, scope, method } = application;
  const { redirectUri, path, port, notes } = findServedAddress(application, "Flask");
  return [
    "# Authlib 1 and Flask: pip install authlib flask requests",
    ...[...notes, ...lacksSignIn(application)].map((line) => `# ${line}`),
    ...describeSecret(application),
    ...importsOf(method),
    "from authlib.integrations.flask_client import OAuth",
    "from flask import Flask",
    "",
    "app = Flask(__name__)",
    'app.secret_key = "for development only"',
    "postern = OAuth(app).register(",
    '    "postern",',
    `    server_metadata_url=${quote(issuer.replace(/\/$/, "") + metadataPaths.openidConfiguration)},`,
    `    client_id=${quote(clientId)},`,
    ...(method === publicClientMethod ? [] : [`    client_secret=${keyOf(method)},`]),
    ...(signsAssertion(method) ? [`    client_auth_methods=[${createSigner(method, issuer)}],`] : []),
    "    client_kwargs={",
    `        "scope": ${quote(scope.join(" "))},`,
    `        "token_endpoint_auth_method": ${quote(method)},`,
    '        "code_challenge_method": "S256",',
    "    },",
    ")",
    "",
    "",
    `@app.get("${path === "/login" ? "/" : "/login"}")`,
    "def login():",
    `    return postern.authorize_redirect(${quote(redirectUri)})`,
    "",
    "",
    `@app.get(${quote(path)})`,
    "def callback():",
    "    token = postern.authorize_access_token()",
    `    return ${
      scope.includes("openid") ? "dict(postern.userinfo(token=token))" : '{"scope": token["scope"]}'
    }`,
    "",
    "",
    `app.run(port=${port})`,
  ];
}

function describeSession(application: Application, settings: Settings): readonly string[] {
  const { issuer, clientId, method } = application;
  return [
    "# Authlib 1: pip install authlib requests",
    ...describeSecret(application),
    ...importsOf(method),
    "from authlib.integrations.requests_client import OAuth2Session",
    "",
    "session = OAuth2Session(",
    `    ${quote(clientId)}, ${keyOf(method)}, token_endpoint_auth_method=${quote(method)}`,
    ")",
    ...(signsAssertion(method)
      ? [`session.register_client_auth_method(${createSigner(method, issuer)})`]
      : []),
    // Without scope the server grants what the client may have.
    `session.fetch_token(${quote(urlOf("token", settings))}, grant_type="client_credentials")`,
    'print(session.get("http://localhost:8000/your/api").text)',
  ];
}

/** Returns the expression of the client's private key or secret. */
function keyOf(method: string): string {
  return usesSecret(method) ? `os.environ["${secretName}"]` : "private_key";
}

/** Returns the expression that signs assertions with that key. */
function createSigner(method: string, issuer: string): string {
  return usesSecret(method)
    ? `ClientSecretJWT(${quote(issuer)}, alg="HS256")`
    : `PrivateKeyJWT(${quote(issuer)}, alg="ES256")`;
}

function describeSecret(application: Application): readonly string[] {
  const { method } = application;
  if (usesSecret(method)) return noteSecret(application, "#");
  return method === "private_key_jwt"
    ? [
      "# private_key: the private key that belongs to the client's jwks, as ECKey.import_key(...) of joserfc.jwk",
    ]
    : [];
}

function importsOf(method: string): readonly string[] {
  return [
    ...(usesSecret(method) ? ["import os", ""] : []),
    ...(signsAssertion(method)
      ? [`from authlib.oauth2.rfc7523 import ${usesSecret(method) ? "ClientSecretJWT" : "PrivateKeyJWT"}`]
      : []),
  ];
}
