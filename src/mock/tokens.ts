/** The tokens of a flow, as the token endpoint answered, and what is done with them afterwards. */

import type { Answer } from "../http/message.ts";
import type { ClientMetadata } from "../oauth/client_metadata.ts";
import type { Facts } from "../oauth/journal.ts";
import type { Pair } from "../oauth/params.ts";
import { paths } from "../oauth/paths.ts";
import { findToken } from "../oauth/read_token.ts";
import { type Browser, createBrowser, visit } from "./browser.ts";
import { requireClient } from "./configured.ts";
import { requestAsClient } from "./client_requests.ts";
import type { Kernel } from "./kernel.ts";
import { refusedBy } from "./refused.ts";

/** The members of a token response, under their own names. */
export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  /** What a hook added. */
  readonly [member: string]: unknown;
}

/** Where tokens came from: what the next request about them needs to know. */
export interface TokenOrigin {
  readonly client: ClientMetadata;
  readonly clientKey?: JsonWebKey | undefined;
  readonly browser?: Browser;
}

/** Beside the tokens and not in them: what a test compares is what the server said. */
export function keepOrigin(tokens: Tokens, origin: TokenOrigin, { origins }: Kernel): Tokens {
  origins.set(tokens, origin);
  return tokens;
}

export function readTokens(doing: string, answer: Answer, facts: Partial<Facts> | undefined): Tokens {
  if (answer.status !== 200) throw refusedBy(doing, facts);
  return JSON.parse(answer.body) as Tokens;
}

export interface RefreshTerms {
  /** Less than was granted. */
  readonly scope?: string;
  readonly resource?: string | readonly string[];
  /** Where the tokens did not come from `login`. */
  readonly client?: string;
  readonly clientKey?: JsonWebKey;
}

export async function refresh(
  tokens: { readonly refresh_token?: string },
  terms: RefreshTerms,
  kernel: Kernel,
): Promise<Tokens> {
  const doing = "refresh";
  const { refresh_token: token } = tokens;
  if (token === undefined) {
    throw new TypeError(
      "Cannot refresh: these tokens hold no refresh_token; is refresh_token among the client's grant_types?",
    );
  }
  const origin = await findOrigin(tokens, token, terms, kernel);
  const form: Pair[] = [["grant_type", "refresh_token"], ["refresh_token", token]];
  if (terms.scope !== undefined) form.push(["scope", terms.scope]);
  for (const resource of terms.resource === undefined ? [] : [terms.resource].flat()) {
    form.push(["resource", resource]);
  }
  const { answer, facts } = await requestAsClient({ path: paths.token, form, ...origin }, kernel);
  return keepOrigin(readTokens(doing, answer, facts), origin, kernel);
}

/** At the revocation endpoint, as the client would: the refresh token, where there is one, and all that it gave. */
export async function revoke(
  tokens: string | { readonly access_token?: string; readonly refresh_token?: string },
  terms: Pick<RefreshTerms, "client" | "clientKey">,
  kernel: Kernel,
): Promise<void> {
  const token = typeof tokens === "string" ? tokens : tokens.refresh_token ?? tokens.access_token;
  if (token === undefined) {
    throw new TypeError("Cannot revoke: expected a token, or an answer that holds one");
  }
  const origin = await findOrigin(typeof tokens === "string" ? undefined : tokens, token, terms, kernel);
  const { answer, facts } = await requestAsClient(
    { path: paths.revoke, form: [["token", token]], ...origin },
    kernel,
  );
  if (answer.status !== 200) throw refusedBy("revoke", facts);
}

async function findOrigin(
  tokens: object | undefined,
  token: string,
  { client: id, clientKey }: Pick<RefreshTerms, "client" | "clientKey">,
  kernel: Kernel,
): Promise<TokenOrigin> {
  const known = tokens && kernel.origins.get(tokens);
  if (known !== undefined && id === undefined) return { ...known, clientKey: clientKey ?? known.clientKey };
  const named = id ?? (await findToken(token, undefined, kernel.services))?.clientId;
  if (named === undefined) {
    throw new TypeError(
      'This token was not given here, so whose it is cannot be told: name the client, { client: "…" }',
    );
  }
  // A first-use client is in the store only.
  const configured = kernel.clients.find((client) => client.client_id === named);
  return {
    client: configured ?? (id === undefined ? { client_id: named } : requireClient(named, kernel)),
    clientKey,
  };
}

/** The person signs out at the server, in the browser that these tokens were asked for in. */
export async function endSession(tokens: Tokens, kernel: Kernel): Promise<void> {
  const { browser = createBrowser() } = kernel.origins.get(tokens) ?? {};
  const { baseUrl } = kernel.services.settings;
  const hint = tokens.id_token === undefined ? "" : `?id_token_hint=${encodeURIComponent(tokens.id_token)}`;
  const first = await visit(browser, { url: `${baseUrl}${paths.logout}${hint}` }, kernel);
  if (first.answer.status >= 400) throw refusedBy("end the session", first.facts);
  const sealed = /<input[^>]*\sname="request"[^>]*\svalue="([^"]*)"/.exec(first.answer.body)?.[1];
  if (sealed === undefined) return;
  const form: readonly Pair[] = [["request", sealed], ["decision", "sign_out"]];
  const second = await visit(browser, { url: `${baseUrl}${paths.logout}`, form }, kernel);
  if (second.answer.status >= 400) throw refusedBy("end the session", second.facts);
}
