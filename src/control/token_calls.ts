/** Signing in, and what is done with tokens, over HTTP. */

import { withoutQuery } from "../http/address.ts";
import type { AuthorizeTerms } from "../mock/client/authorize.ts";
import type { GivenTokens } from "../mock/client/given_tokens.ts";
import type { LoginTerms } from "../mock/client/login.ts";
import type { RefreshTerms } from "../mock/client/refresh.ts";
import type { RevokeTerms } from "../mock/client/revoke.ts";
import type { Tenant } from "../mock/tenant.ts";
import { readDuration } from "../mock/terms/duration.ts";
import type { ExpiringTokens } from "../mock/tokens/expire.ts";
import type { ForgeryName, ForgeTerms } from "../mock/tokens/forge.ts";
import type { AnyMintTerms, MintTerms } from "../mock/tokens/mint.ts";
import { describeValue } from "../schema/received.ts";
import { at, ControlRefused } from "./errors.ts";
import type { Room } from "./room.ts";
import type { Asked, Reply } from "./route.ts";

interface Named {
  readonly browser?: string;
}

export type LoginBody = Omit<LoginTerms, "browser"> & Named & { readonly username?: string };
export type AuthorizeBody = Omit<AuthorizeTerms, "browser" | "as"> & Named & {
  readonly url: string;
  readonly username?: string;
};

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
  const { url, username, ...named } = body;
  requireOwnUrl(url, tenant);
  const terms = { ...withBrowser(named, room), ...(username === undefined ? {} : { as: username }) };
  if (new URL(url).searchParams.get("response_mode") === "form_post") {
    const request = await tenant.authorizeForm(url, terms);
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    return { json: { method: request.method, url: request.url, form } };
  }
  return { json: { method: "GET", url: (await tenant.authorize(url, terms)).href } };
}

function requireOwnUrl(url: string, { issuer }: Tenant): void {
  const base = `${issuer.replace(/\/$/, "")}/`;
  if (!URL.canParse(url)) {
    const expected = "must be an absolute URL, as the client sends the browser to";
    throw new ControlRefused("invalid_request", `url ${expected}`, { place: "url", expected });
  }
  if (url.startsWith(base)) return;
  const expected = `must be below ${base}, as the client's authorization URL is`;
  throw new ControlRefused("invalid_request", `url ${expected}, but got ${withoutQuery(url)}`, {
    place: "url",
    expected,
  });
}

export interface NextBody {
  readonly username?: string;
  readonly deny?: boolean;
  readonly client?: string;
}

export function answerNext({ tenant, body: { username, deny, client } }: Asked<NextBody>): Reply {
  if ((username === undefined) === (deny !== true)) {
    throw new ControlRefused("invalid_request", "The next sign-in is somebody's, or a no", {
      expected: "either username, or deny as true",
    });
  }
  tenant.nextSignIn(username ?? { deny: true }, client === undefined ? {} : { client });
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
  const { token, access_token, refresh_token } = body;
  if ((token ?? refresh_token ?? access_token) === undefined) {
    throw new ControlRefused("invalid_request", "There is nothing to revoke", {
      expected: "a token, or an answer that holds refresh_token or access_token",
    });
  }
  await tenant.revoke(token ?? pickTokens(body), pickClient(body));
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

/** The kit's terms, whatever their kind; what does not go together, it refuses by itself. */
export type MintBody = Omit<AnyMintTerms, "person" | "itself"> & {
  readonly username?: string;
  readonly itself?: boolean;
};

export type ForgeBody = Omit<MintBody, "kind"> & { readonly name: ForgeryName };

export async function mintToken({ tenant, body }: Asked<MintBody>): Promise<Reply> {
  return { json: { token: await tenant.mint(readMintTerms(body) as MintTerms) } };
}

function readMintTerms({ username, itself = false, ...others }: MintBody): AnyMintTerms {
  const { expiresIn } = others;
  if (expiresIn !== undefined && at("expiresIn", () => readDuration(expiresIn)) < 1) {
    const expected = "must be a second or more: /expire and /forge make tokens that have expired";
    throw new ControlRefused(
      "invalid_request",
      `expiresIn ${expected}, but got ${describeValue(expiresIn)}`,
      { place: "expiresIn", expected },
    );
  }
  return {
    ...others,
    ...(username === undefined ? {} : { person: username }),
    ...(itself ? { itself } : {}),
  };
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
  { tenant, body: { name, ...terms } }: Asked<ForgeBody>,
): Promise<Reply> {
  return { json: await tenant.forge(name, readMintTerms(terms) as ForgeTerms) };
}
