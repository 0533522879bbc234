/** Signing in, and what is done with tokens, over HTTP. */

import type { ExpiringTokens } from "../expire.ts";
import type { ForgeryName, ForgeTerms } from "../forge.ts";
import type { MintTerms } from "../mint.ts";
import type { AuthorizeTerms, LoginTerms } from "../sign_in.ts";
import type { GivenTokens, RefreshTerms, RevokeTerms } from "../tokens.ts";
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
  return { json: await tenant.login(username, withBrowser(terms, room)) };
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

/** Of an answer that may hold more. */
function pickTokens({ access_token, refresh_token, id_token }: GivenTokens): GivenTokens {
  return {
    ...(access_token === undefined ? {} : { access_token }),
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(id_token === undefined ? {} : { id_token }),
  };
}

function pickClient({ client, clientKey }: RevokeTerms): RevokeTerms {
  return {
    ...(client === undefined ? {} : { client }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}

export type RefreshBody = RefreshTerms & GivenTokens & { readonly refresh_token: string };

export async function refreshTokens({ tenant, body }: Asked<RefreshBody>): Promise<Reply> {
  const { scope, resource } = body;
  const terms: RefreshTerms = {
    ...pickClient(body),
    // An answer has one where nothing was granted, too.
    ...(scope === undefined || scope === "" ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  };
  return { json: await tenant.refresh(pickTokens(body), terms) };
}

export type RevokeBody = RevokeTerms & GivenTokens & { readonly token?: string };

export async function revokeTokens({ tenant, body }: Asked<RevokeBody>): Promise<Reply> {
  await tenant.revoke(body.token ?? pickTokens(body), pickClient(body));
}

export type EndSessionBody = Named & GivenTokens;

export async function endSession({ tenant, room, body }: Asked<EndSessionBody>): Promise<Reply> {
  const tokens = pickTokens(body);
  const { browser } = body;
  if (browser === undefined && Object.keys(tokens).length === 0) {
    throw new ControlRefused("invalid_request", "There is no session to end", {
      expected: "a browser, or the tokens of a sign-in",
    });
  }
  await tenant.endSession(tokens, browser === undefined ? {} : { browser: room.requireBrowser(browser) });
}

export async function mintToken({ tenant, body }: Asked<MintTerms>): Promise<Reply> {
  return { json: { token: await tenant.mint(body) } };
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
