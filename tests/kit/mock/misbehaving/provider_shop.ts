/** A shop that logs in at a look-alike, and its requests. */

import { createMock, type LookAlikeName, type Mock } from "../../../../src/kit/mod.ts";

export const redirectUri: string = "https://app.test/callback";
export const secret = "the secret of the shop";
export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

export type Texts = Readonly<Record<string, string>>;

export const createShop = (
  lookLike: LookAlikeName,
  options: Parameters<typeof createMock>[0] = {},
): Promise<Mock> =>
  createMock({
    lookLike,
    clients: ["shop", "other", "Iv1.shop"].map((id) => ({
      ...{ client_id: id, client_secret: secret, redirect_uris: [redirectUri] },
      grant_types: ["authorization_code", "refresh_token", deviceGrant],
    })),
    ...options,
  });

export async function authorize(as: Mock, url: string, more: Texts = {}): Promise<string> {
  const params = { client_id: "shop", response_type: "code", redirect_uri: redirectUri, state: "s", ...more };
  const callback = await as.authorize(`${url}?${new URLSearchParams(params)}`, { username: "alice" });
  return callback.searchParams.get("code")!;
}

export const accept: Texts = { accept: "application/json" };
export const json: Texts = { "content-type": "application/json", ...accept };
export const basic = (id = "shop", text: string = secret): Texts => ({
  authorization: `Basic ${btoa(`${id}:${text}`)}`,
});
export const inForm: Readonly<Record<"client_id" | "client_secret", string>> = {
  client_id: "shop",
  client_secret: secret,
};

export async function post(as: Mock, url: string, params: Texts, headers: Texts = {}): Promise<Response> {
  const isJson = headers["content-type"] === "application/json";
  const body = isJson ? JSON.stringify(params) : new URLSearchParams(params);
  return await as.fetch(url, { method: "POST", headers: { ...accept, ...headers }, body });
}

/** Logs alice in, and returns what redeems the code, without the client. */
export async function grant(as: Mock, url: string, asked: Texts): Promise<Texts> {
  const code = await authorize(as, url, asked);
  return { grant_type: "authorization_code", code, redirect_uri: redirectUri };
}

export async function redeem(
  as: Mock,
  urls: { authorize: string; token: string },
  scope: string,
  params: Texts,
  headers: Texts = {},
): Promise<Response> {
  return await post(as, urls.token, { ...await grant(as, urls.authorize, { scope }), ...params }, headers);
}

export const reasonOf = (as: Mock): string | undefined => as.requests.at(-1)?.refusal?.reason;
