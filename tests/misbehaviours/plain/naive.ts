/** A client in forty lines that makes no check at all: it takes what the server sends. */
import { Buffer } from "node:buffer";
import type { ExamineTerms, Mock, Scenario } from "../../../src/mock/mod.ts";

const verifier = "a-verifier-that-is-the-same-in-each-login-0123456789";

export const naive: ExamineTerms["client"] = async (as, scenario) => {
  const { issuer, clientId, redirectUri, browse, api, phase, postLogoutRedirectUri } = scenario;
  const metadata = await (await as.fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const url = new URL(metadata.authorization_endpoint);
  const isForApi = phase === "refresh" || phase === "call_api";
  url.search = `${new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "s", nonce: "n" },
    ...{ code_challenge: Buffer.from(digest).toString("base64url"), code_challenge_method: "S256" },
    ...(isForApi ? { scope: "openid orders offline_access", resource: api } : { scope: "openid" }),
  })}`;
  const code = (await browse(url)).searchParams.get("code")!;
  const redirect = { redirect_uri: redirectUri, code_verifier: verifier };
  let tokens = await ask(metadata, { grant_type: "authorization_code", code, ...redirect }, as, scenario);
  if (phase === "refresh") {
    const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    tokens = await ask(metadata, form, as, scenario);
  }
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  await as.fetch(isForApi ? api : metadata.userinfo_endpoint, { headers });
  if (phase !== "logout") return;
  scenario.serve(() => new Response());
  const end = new URL(metadata.end_session_endpoint);
  end.search = `${new URLSearchParams({
    ...{ id_token_hint: tokens.id_token, post_logout_redirect_uri: postLogoutRedirectUri, state: "s" },
  })}`;
  await browse(end);
};

async function ask(
  { token_endpoint }: { readonly token_endpoint: string },
  form: Readonly<Record<string, string>>,
  { fetch }: Mock,
  { clientId }: Scenario,
) {
  const body = new URLSearchParams({ ...form, client_id: clientId });
  return await (await fetch(token_endpoint, { method: "POST", body })).json();
}
