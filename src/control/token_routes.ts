/** Tokens over HTTP: refresh, revoke, mint, expire and forge. */

import type { GivenTokens } from "../mock/client/given_tokens.ts";
import type { RefreshTerms } from "../mock/client/refresh.ts";
import type { RevokeTerms } from "../mock/client/revoke.ts";
import { readDuration } from "../mock/terms/duration.ts";
import type { ExpiringTokens } from "../mock/tokens/expire.ts";
import { forgeries, type ForgeryName, type ForgeTerms } from "../mock/tokens/forgeries.ts";
import type { AnyMintTerms, MintTerms } from "../mock/tokens/mint_terms.ts";
import { describeValue, withReceived } from "../schema/received.ts";
import type { Schema } from "../schema/schema.ts";
import { text, texts } from "../schema/text.ts";
import { at, ControlRefused } from "./control_refused.ts";
import { exampleToken, givenTokens, pickTokens, tokens } from "./given_tokens.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import {
  anyText,
  closed,
  duration,
  either,
  flag,
  integer,
  members,
  open,
  resource,
  scope,
} from "./schemas.ts";

/** May be empty: a caller may send a token response as it is. */
const scopeAgain: Schema = either(
  "The granted scope, or a part of it. Names separated by single spaces, or a list.",
  anyText,
  texts,
);

export const forgeryName: Schema = { type: "string", enum: forgeries };

const mintTerms: Readonly<Record<string, Schema>> = {
  username: { ...text, description: "Default: the first person." },
  client: { ...text, description: "Default: the first client that people can sign in to." },
  scope,
  resource,
  claims: { ...members, description: "Added to the usual claims, or instead of them." },
  nonce: text,
  expiresIn: duration,
  withoutPerson: { ...flag, description: "The client's own token, as by client_credentials." },
};

export const verdict: Schema = {
  ...open({
    status: integer,
    error: text,
    spec: text,
    why: text,
    seenBy: { type: "string", enum: ["verification", "scope", "server"] },
  }),
  description: "The answer that a resource server must give.",
};

const givenToken: Schema = open({ token: text });

type RefreshBody = RefreshTerms & GivenTokens & { readonly refresh_token: string };

type RevokeBody = RevokeTerms & GivenTokens & { readonly token?: string };

/** The terms of the kit for any kind of token. The kit refuses terms that exclude each other. */
type MintBody = Omit<AnyMintTerms, "person" | "withoutPerson"> & {
  readonly username?: string;
  readonly withoutPerson?: boolean;
};

type ForgeBody = Omit<MintBody, "kind"> & { readonly name: ForgeryName };

type ExpireBody = { readonly token?: string } & Partial<ExpiringTokens>;

export const tokenRoutes: readonly ControlRoute[] = [
  route<RefreshBody>({
    method: "POST",
    path: "/refresh",
    name: "refresh",
    summary: "Redeems a refresh token.",
    schema: {
      body: {
        ...open({
          ...givenTokens,
          scope: scopeAgain,
          resource,
          client: text,
          clientKey: members,
        }, ["refresh_token"]),
        examples: [{ refresh_token: exampleToken }],
      },
      answer: { schema: tokens },
    },
    handle: refreshTokens,
  }),
  route<RevokeBody>({
    method: "POST",
    path: "/revoke",
    name: "revoke",
    summary: "Revokes a token, or the refresh token of an answer with everything that its grant gave.",
    schema: {
      body: {
        ...open({ token: text, ...givenTokens, client: text, clientKey: members }, []),
        examples: [{ token: exampleToken }],
      },
    },
    handle: revokeTokens,
  }),
  route<MintBody>({
    method: "POST",
    path: "/mint",
    name: "mint",
    summary: "Issues a valid token without a flow.",
    schema: {
      body: closed({ kind: { type: "string", enum: ["access", "id", "refresh"] }, ...mintTerms }, {
        example: { username: "bob", claims: { role: "admin" }, expiresIn: "5m" },
      }),
      alsoCalled: { person: "username" },
      answer: { schema: givenToken },
    },
    handle: mintToken,
  }),
  route<ExpireBody>({
    method: "POST",
    path: "/expire",
    name: "expire",
    summary: "Gives a token, or all tokens of an answer, as if they had expired. The clock does not move.",
    schema: {
      body: {
        ...open({ token: text, ...givenTokens }, []),
        examples: [{ token: exampleToken }],
      },
      answer: { schema: open({ token: text, ...tokens.properties }, []) },
    },
    handle: expireTokens,
  }),
  route<ForgeBody>({
    method: "POST",
    path: "/forge",
    name: "forge",
    summary: "Makes a bad token by name, and says how a resource server must answer it.",
    schema: {
      body: closed({ name: forgeryName, ...mintTerms }, {
        required: ["name"],
        example: { name: "wrong-audience" },
      }),
      alsoCalled: { person: "username" },
      answer: {
        schema: open({
          name: forgeryName,
          token: text,
          verdict,
        }),
      },
    },
    handle: forgeToken,
  }),
];

function pickClient({ client, clientKey }: RevokeTerms): RevokeTerms {
  return {
    ...(client === undefined ? {} : { client }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}

async function refreshTokens({ tenant, body }: Call<RefreshBody>): Promise<Reply> {
  const { scope, resource } = body;
  const terms: RefreshTerms = {
    ...pickClient(body),
    // A token response without a granted scope has an empty one.
    ...(scope === undefined || scope === "" ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  };
  return { json: await tenant.refresh(pickTokens(body), terms) };
}

async function revokeTokens({ tenant, body }: Call<RevokeBody>): Promise<Reply> {
  const { token, access_token, refresh_token } = body;
  if ((token ?? refresh_token ?? access_token) === undefined) {
    throw new ControlRefused("invalid_request", "There is no token to revoke", {
      expected: "token, or an answer with refresh_token or access_token",
    });
  }
  await tenant.revoke(token ?? pickTokens(body), pickClient(body));
}

async function mintToken({ tenant, body }: Call<MintBody>): Promise<Reply> {
  return { json: { token: await tenant.mint(readMintTerms(body) as MintTerms) } };
}

function readMintTerms({ username, withoutPerson = false, ...others }: MintBody): AnyMintTerms {
  const { expiresIn } = others;
  if (expiresIn !== undefined && at("expiresIn", () => readDuration(expiresIn)) < 1) {
    const expected = "must be a second or more: /expire and /forge make expired tokens";
    const problem = withReceived(expected, describeValue(expiresIn));
    throw new ControlRefused("invalid_request", `expiresIn ${problem}`, { place: "expiresIn", expected });
  }
  return {
    ...others,
    ...(username === undefined ? {} : { person: username }),
    ...(withoutPerson ? { withoutPerson } : {}),
  };
}

async function expireTokens({ tenant, body }: Call<ExpireBody>): Promise<Reply> {
  const { token, access_token, ...others } = body;
  if (token !== undefined) return { json: { token: await tenant.expire(token) } };
  if (access_token !== undefined) return { json: await tenant.expire({ ...others, access_token }) };
  throw new ControlRefused("invalid_request", "There is no token to expire", {
    expected: "token, or an answer with access_token",
  });
}

async function forgeToken(
  { tenant, body: { name, ...terms } }: Call<ForgeBody>,
): Promise<Reply> {
  return { json: await tenant.forge(name, readMintTerms(terms) as ForgeTerms) };
}
