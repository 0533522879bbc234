/** Prints a Rust program for the crate openidconnect 4: a login at the terminal, or the client credentials grant. */

import { publicClientMethod } from "../../server/oauth/clients/client.ts";
import {
  type Application,
  describePlainFlow,
  type LoginApplication,
  noteSecret,
  quote,
  secretName,
} from "./application_terms.ts";
import { findServedAddress } from "./library_address.ts";

export function describeRust(application: Application): readonly string[] {
  return describePlainFlow(application, {
    mark: "//",
    limit: "the crate openidconnect cannot sign an assertion",
    logIn,
    getToken: () => getToken(application),
  });
}

function logIn(application: LoginApplication): readonly string[] {
  const { issuer, scope } = application;
  const { redirectUri, port, notes } = findServedAddress(application, "this program");
  const hasIdToken = scope.includes("openid");
  const base = quote(`http://localhost:${port}`);
  return [
    ...describeCargo(application),
    ...notes.map((line) => `// ${line}`),
    `use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreProviderMetadata${
      hasIdToken ? ", CoreUserInfoClaims" : ""
    }};`,
    "use openidconnect::{reqwest::{blocking, redirect::Policy}, url::Url, *};",
    "use std::io::{BufRead, BufReader, Write};",
    "",
    ...createClient(application, [
      "        .disable_openid_scope() // the scopes below are all",
      `        .set_redirect_uri(RedirectUrl::new(${quote(redirectUri)}.into())?);`,
    ]),
    "    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();",
    `    let (url, state, ${hasIdToken ? "" : "_"}nonce) = client`,
    "        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)",
    `        .add_scopes([${scope.map(quote).join(", ")}].map(|name| Scope::new(name.into())))`,
    "        .set_pkce_challenge(challenge)",
    "        .url();",
    '    println!("Open {url}");',
    `    for stream in std::net::TcpListener::bind("localhost:${port}")?.incoming() {`,
    "        let mut stream = stream?;",
    "        let mut line = String::new();",
    "        BufReader::new(&stream).read_line(&mut line)?;",
    `        let address = Url::parse(${base})?.join(line.split(' ').nth(1).unwrap_or("/"))?;`,
    "        let find = |name| address.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());",
    `        if find("state").as_ref() != Some(state.secret()) || find("iss").as_deref() != Some(${
      quote(issuer)
    }) {`,
    "            continue; // not our answer",
    "        }",
    '        let code = AuthorizationCode::new(find("code").ok_or(address.to_string())?);',
    "        let tokens = client.exchange_code(code)?.set_pkce_verifier(verifier).request(&http)?;",
    ...(hasIdToken
      ? [
        '        let id_token = tokens.id_token().ok_or("no ID token")?.claims(&client.id_token_verifier(), &nonce)?;',
        "        let person: CoreUserInfoClaims = client",
        "            .user_info(tokens.access_token().clone(), Some(id_token.subject().clone()))?",
        "            .request(&http)?;",
        '        write!(stream, "HTTP/1.0 200 OK\\r\\n\\r\\n{} {:?}", person.subject().as_str(), person.email())?;',
      ]
      : ['        write!(stream, "HTTP/1.0 200 OK\\r\\n\\r\\n{:?}", tokens.scopes())?;']),
    "        break;",
    "    }",
    "    Ok(())",
    "}",
  ];
}

function getToken(application: Application): readonly string[] {
  return [
    ...describeCargo(application),
    "use openidconnect::core::{CoreClient, CoreProviderMetadata};",
    "use openidconnect::{reqwest::{blocking, redirect::Policy}, *};",
    "",
    ...createClient(application, []),
    // Without scope the server grants what the client may have.
    "    let tokens = client.exchange_client_credentials()?.request(&http)?;",
    '    println!("{}", tokens.access_token().secret());',
    "    Ok(())",
    "}",
  ];
}

function describeCargo(application: Application): readonly string[] {
  return [
    '// Cargo.toml: openidconnect = { version = "4", features = ["reqwest-blocking"] }',
    ...noteSecret(application, "//"),
  ];
}

/** Begins the program, up to the client. The calls in `more` end the statement. */
function createClient({ issuer, clientId, method }: Application, more: readonly string[]): readonly string[] {
  const secret = method === publicClientMethod
    ? "None"
    : `Some(ClientSecret::new(std::env::var("${secretName}")?))`;
  return [
    "fn main() -> Result<(), Box<dyn std::error::Error>> {",
    "    let http = blocking::Client::builder().redirect(Policy::none()).build()?;",
    `    let server = CoreProviderMetadata::discover(&IssuerUrl::new(${quote(issuer)}.into())?, &http)?;`,
    `    let client = CoreClient::from_provider_metadata(server, ClientId::new(${
      quote(clientId)
    }.into()), ${secret})`,
    `        .set_auth_type(AuthType::${method === "client_secret_basic" ? "BasicAuth" : "RequestBody"})${
      more.length === 0 ? ";" : ""
    }`,
    ...more,
  ];
}
