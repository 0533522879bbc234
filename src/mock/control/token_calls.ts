/** Signing in, and what is done with tokens, over HTTP. */

import type { ExpiringTokens } from "../expire.ts";
import type { ForgeryName, ForgeTerms } from "../forge.ts";
import type { MintTerms } from "../mint.ts";
import type { AuthorizeTerms, LoginTerms } from "../sign_in.ts";
import type { RefreshTerms, Tokens } from "../tokens.ts";
import { ControlRefused } from "./errors.ts";
import type { Asked, Reply } from "./route.ts";
import type { Room } from "./room.ts";

interface Named {
  readonly browser?: string;
}

export type LoginBody = Omit<LoginTerms, "browser"> & Named & { readonly username?: string };
export type AuthorizeBody = Omit<AuthorizeTerms, "browser"> & Named & { readonly url: string };

function withBrowser<T extends Named>(terms: T, room: Room) {
  const { browser, ...others } = terms;
  return browser === undefined ? others : { ...others, browser: room.browser(browser) };
}

export async function logIn({ tenant, room, body }: Asked<LoginBody>): Promise<Reply> {
  const { username, ...terms } = body;
  return { json: room.remember(await tenant.login(username, withBrowser(terms, room))) };
}

/** What the browser sends to the client in the end, by whichever response mode was asked for. */
export async function answerAuthorize({ tenant, room, body }: Asked<AuthorizeBody>): Promise<Reply> {
  const { url, ...named } = body;
  if (!URL.canParse(url)) {
    const expected = "must be an absolute URL, as the client sends the browser to";
    throw new ControlRefused("invalid_request", `url ${expected}`, { place: "url", expected });
  }
  const terms = withBrowser(named, room);
  if (new URL(url).searchParams.get("response_mode") === "form_post") {
    const request = await tenant.authorizeForm(url, terms);
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    return { json: { method: request.method, url: request.url, form } };
  }
  return { json: { method: "GET", url: (await tenant.authorize(url, terms)).href } };
}

export interface NextBody {
  readonly person?: string;
  readonly deny?: boolean;
  readonly client?: string;
}

export function answerNext({ tenant, body: { person, deny, client } }: Asked<NextBody>): Reply {
  if ((person === undefined) === (deny !== true)) {
    throw new ControlRefused("invalid_request", "The next sign-in is somebody's, or a no", {
      expected: "either person, or deny as true",
    });
  }
  tenant.nextSignIn(person ?? { deny: true }, client === undefined ? {} : { client });
}

export type RefreshBody = RefreshTerms & { readonly refresh_token: string };

export async function refreshTokens({ tenant, room, body }: Asked<RefreshBody>): Promise<Reply> {
  const { refresh_token, ...terms } = body;
  const tokens = room.recall(refresh_token) ?? { refresh_token };
  return { json: room.remember(await tenant.refresh(tokens, terms)) };
}

type RevokeTerms = Pick<RefreshTerms, "client" | "clientKey">;
export type RevokeBody = RevokeTerms & Partial<TokenBody>;

export async function revokeTokens({ tenant, body }: Asked<RevokeBody>): Promise<Reply> {
  const { token, access_token, refresh_token, client, clientKey } = body;
  const tokens = {
    ...(access_token === undefined ? {} : { access_token }),
    ...(refresh_token === undefined ? {} : { refresh_token }),
  };
  await tenant.revoke(token ?? tokens, {
    ...(client === undefined ? {} : { client }),
    ...(clientKey === undefined ? {} : { clientKey }),
  });
}

export async function endSession(
  { tenant, room, body: { id_token } }: Asked<{ readonly id_token: string }>,
): Promise<Reply> {
  // Without the browser that they were asked for in, the hint is all that there is.
  const tokens: Pick<Tokens, "id_token"> = room.recall(id_token) ?? { id_token };
  await tenant.endSession(tokens as Tokens);
}

export async function mintToken({ tenant, body }: Asked<MintTerms>): Promise<Reply> {
  return { json: { token: await tenant.mint(body) } };
}

export interface TokenBody {
  readonly token: string;
  readonly access_token: string;
  readonly refresh_token: string;
}

export type ExpireBody = { readonly token?: string } & Partial<ExpiringTokens>;

export async function expireTokens({ tenant, body }: Asked<ExpireBody>): Promise<Reply> {
  const { token, access_token, ...others } = body;
  if (token !== undefined) return { json: { token: await tenant.expire(token) } };
  if (access_token !== undefined) return { json: await tenant.expire({ ...others, access_token }) };
  throw new ControlRefused("invalid_request", "There is nothing to expire", {
    expected: "a token, or an answer that holds access_token",
  });
}

export async function forgeToken(
  { tenant, body: { name, ...terms } }: Asked<ForgeTerms & { readonly name: ForgeryName }>,
): Promise<Reply> {
  return { json: await tenant.forge(name, terms) };
}
