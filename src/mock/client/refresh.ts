/** The tokens of a flow, as the token endpoint answered, and what is done with them afterwards. */

import type { Jwk } from "../../crypto/jwk.ts";
import { findSealedRequest } from "../../http/html.ts";
import type { Answer } from "../../http/message.ts";
import type { ClientMetadata } from "../../oauth/clients/client_metadata.ts";
import type { Facts } from "../../oauth/journal.ts";
import type { Pair } from "../../oauth/params.ts";
import { paths } from "../../oauth/paths.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import { readReceived } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";
import { exampleRedirectUris, NotFoundHere, requireClient, toList } from "../terms/configured.ts";
import { describeKind } from "../terms/describe_value.ts";
import { namesOf, requireKnownTerms } from "../terms/known_terms.ts";
import { isMembers, parseMembers } from "../terms/members.ts";
import { type Browser, visit } from "./browser.ts";
import { requestAsClient } from "./client_requests.ts";
import type { TenantContext } from "./tenant_context.ts";

/**
 * The members of a token response, under their own names. What a hook adds is there as well: ask for it with
 * `"tenant_id" in tokens`.
 */
// A type and no interface: what takes any JSON object takes it, too.
export type Tokens = {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
};

/** Where tokens came from: what the next request about them needs to know. */
export interface TokenRecipient {
  readonly client: ClientMetadata;
  readonly clientKey?: Jwk | undefined;
  readonly browser?: Browser;
}

/** A token response, from whichever client library, or a copy of one. */
export interface GivenTokens {
  readonly access_token?: string | undefined;
  readonly refresh_token?: string | undefined;
  readonly id_token?: string | undefined;
}

/** Beside the tokens and not in them: what a test compares is what the server said. */
export interface TokenRecipients {
  /** By the tokens themselves, by a copy of them, or by the text of one. */
  get(tokens: string | GivenTokens): TokenRecipient | undefined;
  set(tokens: GivenTokens, recipient: TokenRecipient): void;
}

// Texts: more than a test looks back on.
const mostRemembered = 10_000;

export function createTokenRecipients(): TokenRecipients {
  const byAnswer = new WeakMap<object, TokenRecipient>();
  const byText = new Map<string, TokenRecipient>();

  return {
    get(tokens) {
      if (typeof tokens === "string") return byText.get(tokens);
      const known = textsOf(tokens).find((text) => byText.has(text));
      return byAnswer.get(tokens) ?? (known === undefined ? undefined : byText.get(known));
    },
    set(tokens, recipient) {
      byAnswer.set(tokens, recipient);
      for (const text of textsOf(tokens)) {
        // Whatever is set anew counts as the latest.
        byText.delete(text);
        byText.set(text, recipient);
      }
      for (const oldest of byText.keys()) {
        if (byText.size <= mostRemembered) break;
        byText.delete(oldest);
      }
    },
  };
}

/** The most telling first: a hook may give the same access token to everybody. */
function textsOf({ refresh_token, id_token, access_token }: GivenTokens): readonly string[] {
  return [refresh_token, id_token, access_token].filter((text) => typeof text === "string");
}

export function rememberRecipient(
  tokens: Tokens,
  recipient: TokenRecipient,
  { recipients }: TenantContext,
): Tokens {
  recipients.set(tokens, recipient);
  return tokens;
}

export function readTokens(doing: string, answer: Answer, facts: Partial<Facts> | undefined): Tokens {
  if (answer.status !== 200) {
    throw refusedBy(doing, facts, readReceived(answer), "tokens or an OAuth error");
  }
  const members = parseMembers(answer.body);
  if (typeof members?.["access_token"] === "string") return members as Tokens;
  const { altered = [] } = facts ?? {};
  throw new Error(
    `Cannot ${doing}: the token endpoint answered 200, ` +
      `${members === undefined ? "but with no JSON object" : "but without an access_token"}; ` +
      (altered.length === 0 ? "expected a token response" : `a hook changed it (${altered.join(", ")})`),
  );
}

/** `doing` continues "Cannot"; `wanted` says what must be there. */
export function requireTokens(doing: string, tokens: unknown, wanted: string): void {
  if (isMembers(tokens)) return;
  throw new TypeError(`Cannot ${doing}: expected ${wanted}, but got ${describeKind(tokens)}`);
}

/** The text by itself, or the first of these members that is there. */
function requireToken(
  doing: string,
  tokens: string | GivenTokens,
  names: readonly (keyof GivenTokens)[],
  { wanted, none }: { readonly wanted: string; readonly none: string },
): string {
  if (typeof tokens !== "string") requireTokens(doing, tokens, wanted);
  const token = typeof tokens === "string"
    ? tokens
    : names.map((name) => tokens[name]).find((each) => each !== undefined && each !== null);
  if (typeof token === "string" && token !== "") return token;
  const came = token === undefined ? none : `got ${token === "" ? "empty text" : describeKind(token)}`;
  throw new TypeError(`Cannot ${doing}: expected ${wanted}, but ${came}`);
}

/** What a refresh asks for. */
export interface RefreshTerms {
  /** Less than was granted. */
  readonly scope?: string | readonly string[];
  readonly resource?: string | readonly string[];
  /** Where the tokens did not come from `login`. */
  readonly client?: string;
  readonly clientKey?: Jwk;
}

const refreshNames = namesOf<RefreshTerms>({ scope: true, resource: true, client: true, clientKey: true });

export async function refresh(
  tokens: string | Pick<GivenTokens, "refresh_token">,
  terms: RefreshTerms,
  context: TenantContext,
): Promise<Tokens> {
  const doing = "refresh";
  context.requireOpen();
  requireKnownTerms(doing, terms, refreshNames);
  const token = requireToken(doing, tokens, ["refresh_token"], {
    wanted: "a refresh token, or an answer that holds one",
    none: "these tokens hold no refresh_token; is refresh_token among the client's grant_types?",
  });
  const recipient = await findRecipient(tokens, token, terms, context);
  const form: Pair[] = [["grant_type", "refresh_token"], ["refresh_token", token]];
  if (terms.scope !== undefined) form.push(["scope", toList(terms.scope).join(" ")]);
  for (const resource of toList(terms.resource)) form.push(["resource", resource]);
  const { answer, facts } = await requestAsClient({ path: paths.token, form, ...recipient }, context);
  return rememberRecipient(readTokens(doing, answer, facts), recipient, context);
}

/** Whose token it is, where that cannot be told. */
export type RevokeTerms = Pick<RefreshTerms, "client" | "clientKey">;

const revokeNames = namesOf<RevokeTerms>({ client: true, clientKey: true });

/** At the revocation endpoint, as the client would: the refresh token, where there is one, and all that it gave. */
export async function revoke(
  tokens: string | Pick<GivenTokens, "access_token" | "refresh_token">,
  terms: RevokeTerms,
  context: TenantContext,
): Promise<void> {
  context.requireOpen();
  requireKnownTerms("revoke", terms, revokeNames);
  const token = requireToken("revoke", tokens, ["refresh_token", "access_token"], {
    wanted: "a token, or an answer that holds one",
    none: "got neither refresh_token nor access_token",
  });
  const recipient = await findRecipient(tokens, token, terms, context);
  const { answer, facts } = await requestAsClient(
    { path: paths.revoke, form: [["token", token]], ...recipient },
    context,
  );
  if (answer.status !== 200) throw refusedBy("revoke", facts, readReceived(answer));
}

async function findRecipient(
  tokens: string | GivenTokens,
  token: string,
  { client: id, clientKey }: RevokeTerms,
  context: TenantContext,
): Promise<TokenRecipient> {
  const known = context.recipients.get(tokens);
  if (known !== undefined && id === undefined) {
    const { client: { client_id: name } } = known;
    // It may have got another secret meanwhile.
    const client = context.clients.find((each) => each.client_id === name) ?? known.client;
    return { ...known, client, clientKey: clientKey ?? known.clientKey };
  }
  const named = id ?? (await findToken(token, undefined, context.services))?.clientId;
  if (named === undefined) {
    throw new NotFoundHere(
      'This token was not given here, so whose it is cannot be told: name the client, { client: "…" }',
      {
        kind: "client",
        known: context.clients.map((client) => client.client_id),
        entry: { client_id: "my-app", redirect_uris: exampleRedirectUris },
      },
    );
  }
  // A first-use client is in the store only.
  const configured = context.clients.find((client) => client.client_id === named);
  return {
    client: configured ?? (id === undefined ? { client_id: named } : requireClient(named, context)),
    clientKey,
  };
}

/** Which session ends. */
export interface EndSessionTerms {
  /** Where the person is signed in. Default: the browser that `login` got the tokens in. */
  readonly browser?: Browser;
}

const endSessionNames = namesOf<EndSessionTerms>({ browser: true });

/** The person signs out at the server, in the browser that these tokens were asked for in. */
export async function endSession(
  tokens: GivenTokens,
  terms: EndSessionTerms,
  context: TenantContext,
): Promise<void> {
  const doing = "end the session";
  context.requireOpen();
  requireKnownTerms(doing, terms, endSessionNames);
  requireTokens(doing, tokens, "the tokens of a sign-in");
  const browser = terms.browser ?? context.recipients.get(tokens)?.browser;
  if (browser === undefined) {
    throw new TypeError(
      "Cannot end the session. These tokens did not come from as.login, so their browser is not known: " +
        "give { browser }",
    );
  }
  const { baseUrl } = context.services.settings;
  const { id_token: idToken } = tokens;
  const hint = typeof idToken === "string" ? `?id_token_hint=${encodeURIComponent(idToken)}` : "";
  const first = await visit(browser, { url: `${baseUrl}${paths.logout}${hint}` }, context);
  if (first.answer.status >= 400) {
    throw refusedBy(doing, first.facts, readReceived(first.answer), "the page that asks");
  }
  const sealed = findSealedRequest(first.answer.body);
  if (sealed === undefined) return;
  const form: readonly Pair[] = [["request", sealed], ["decision", "sign_out"]];
  const second = await visit(browser, { url: `${baseUrl}${paths.logout}`, form }, context);
  if (second.answer.status >= 400) throw refusedBy(doing, second.facts, readReceived(second.answer));
}
