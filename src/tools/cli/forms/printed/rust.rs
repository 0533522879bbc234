//: if signs
// this client authenticates with __METHOD__, and the crate openidconnect cannot sign an assertion
//: else if runs
// Cargo.toml: openidconnect = { version = "4", features = ["reqwest-blocking"] }
// __SECRET_NOTE__
//: if login
// this program __SERVED_NOTE__
//: if openid
use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreProviderMetadata, CoreUserInfoClaims};
//: else
use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreProviderMetadata};
//: end
use openidconnect::{reqwest::{blocking, redirect::Policy}, url::Url, *};
use std::io::{BufRead, BufReader, Write};
//: else
use openidconnect::core::{CoreClient, CoreProviderMetadata};
use openidconnect::{reqwest::{blocking, redirect::Policy}, *};
//: end

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let http = blocking::Client::builder().redirect(Policy::none()).build()?;
    let server = CoreProviderMetadata::discover(&IssuerUrl::new(__ISSUER__.into())?, &http)?;
//: if none
    let client = CoreClient::from_provider_metadata(server, ClientId::new(__CLIENT_ID__.into()), None)
//: else
    let client = CoreClient::from_provider_metadata(server, ClientId::new(__CLIENT_ID__.into()), Some(ClientSecret::new(std::env::var("OAUTH_CLIENT_SECRET")?)))
//: end
//: if login
//: if client_secret_basic
        .set_auth_type(AuthType::BasicAuth)
//: else
        .set_auth_type(AuthType::RequestBody)
//: end
        .disable_openid_scope() // the scopes below are all
        .set_redirect_uri(RedirectUrl::new(__SERVED_URI__.into())?);
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
//: if openid
    let (url, state, nonce) = client
//: else
    let (url, state, _nonce) = client
//: end
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
        .add_scopes([__SCOPES__].map(|name| Scope::new(name.into())))
        .set_pkce_challenge(challenge)
        .url();
    println!("Open {url}");
    for stream in std::net::TcpListener::bind("localhost:__SERVED_PORT__")?.incoming() {
        let mut stream = stream?;
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line)?;
        let address = Url::parse("http://localhost:__SERVED_PORT__")?.join(line.split(' ').nth(1).unwrap_or("/"))?;
        let find = |name| address.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        if find("state").as_ref() != Some(state.secret()) || find("iss").as_deref() != Some(__ISSUER__) {
            continue; // not our answer
        }
        let code = AuthorizationCode::new(find("code").ok_or(address.to_string())?);
        let tokens = client.exchange_code(code)?.set_pkce_verifier(verifier).request(&http)?;
//: if openid
        let id_token = tokens.id_token().ok_or("no ID token")?.claims(&client.id_token_verifier(), &nonce)?;
        let person: CoreUserInfoClaims = client
            .user_info(tokens.access_token().clone(), Some(id_token.subject().clone()))?
            .request(&http)?;
        write!(stream, "HTTP/1.0 200 OK\r\n\r\n{} {:?}", person.subject().as_str(), person.email())?;
//: else
        write!(stream, "HTTP/1.0 200 OK\r\n\r\n{:?}", tokens.scopes())?;
//: end
        break;
    }
//: else
//: if client_secret_basic
        .set_auth_type(AuthType::BasicAuth);
//: else
        .set_auth_type(AuthType::RequestBody);
//: end
    let tokens = client.exchange_client_credentials()?.request(&http)?;
    println!("{}", tokens.access_token().secret());
//: end
    Ok(())
}
//: else
// __SIGN_IN_PROBLEM__
//: end
