/** A client that is not configured logs in at a look-alike in each way, one after the other: with a code, and on a device. */

import { assertEquals } from "@std/assert";
import { createMock, type LookAlikeName, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const usual = "http://localhost:3000/callback";
const client_id = "shop";

interface Site {
  readonly name?: LookAlikeName;
  readonly authorize: string;
  readonly token: string;
  readonly device: string;
  /** The client pushes its authorization requests there (RFC 9126). */
  readonly push?: string;
  readonly secret: Readonly<Record<string, string>>;
}

const sites: readonly Site[] = [
  {
    name: "github",
    authorize: "https://github.com/login/oauth/authorize",
    token: "https://github.com/login/oauth/access_token",
    device: "https://github.com/login/device/code",
    secret: { client_secret: "s" },
  },
  {
    name: "auth0",
    authorize: "https://shop.eu.auth0.com/authorize",
    token: "https://shop.eu.auth0.com/oauth/token",
    device: "https://shop.eu.auth0.com/oauth/device/code",
    secret: {},
  },
  {
    name: "okta",
    push: "https://shop.okta.com/oauth2/default/v1/par",
    authorize: "https://shop.okta.com/oauth2/default/v1/authorize",
    token: "https://shop.okta.com/oauth2/default/v1/token",
    device: "https://shop.okta.com/oauth2/default/v1/device/authorize",
    secret: {},
  },
];

const own = ({ issuer }: Mock): Site => ({
  authorize: `${issuer}/oauth2/authorize`,
  token: `${issuer}/oauth2/token`,
  device: `${issuer}/oauth2/device_authorization`,
  secret: {},
});

async function post(as: Mock, url: string, form: Readonly<Record<string, string>>) {
  const headers = { accept: "application/json" };
  const body = new URLSearchParams({ client_id, ...form });
  return await (await as.fetch(url, { method: "POST", headers, body })).json();
}

/** Resolves to the access token's type, or to the reason of the refusal. */
async function logInByCode(
  as: Mock,
  { authorize, push, token, secret }: Site,
  redirect_uri = usual,
): Promise<string> {
  const asked = {
    redirect_uri,
    response_type: "code",
    // BASE64URL(SHA-256(code_verifier)), RFC 7636 §4.2.
    code_challenge: "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM",
    code_challenge_method: "S256",
  };
  const { request_uri } = push === undefined ? {} : await post(as, push, asked);
  if (push !== undefined && request_uri === undefined) return `${as.requests.last?.refusal?.reason}`;
  const params = new URLSearchParams({ client_id, ...(push === undefined ? asked : { request_uri }) });
  const callback = await as.authorize(`${authorize}?${params}`, { username: "alice" }).catch(() => undefined);
  const code = callback?.searchParams.get("code");
  if (code === null || code === undefined) return `${as.requests.last?.refusal?.reason}`;
  const code_verifier = "v".repeat(43);
  const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier };
  const { access_token } = await post(as, token, { ...form, ...secret });
  return access_token === undefined ? `${as.requests.last?.refusal?.reason}` : "tokens";
}

async function logInOnDevice(as: Mock, { device, token }: Site): Promise<string> {
  const { user_code, device_code } = await post(as, device, {});
  if (user_code === undefined) return `${as.requests.last?.refusal?.reason}`;
  await as.approveDevice(user_code, "alice");
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  const { access_token } = await post(as, token, { grant_type, device_code });
  return access_token === undefined ? `${as.requests.last?.refusal?.reason}` : "tokens";
}

for (const site of sites) {
  test(`look-alike ${site.name}: an unknown client logs in with a code, and then on a device`, async () => {
    await using as = await createMock({ lookLike: site.name! });
    assertEquals(await logInByCode(as, site), "tokens");
    assertEquals(await logInOnDevice(as, site), "tokens");
    assertEquals(await logInByCode(as, site), "tokens");
  });

  test(`look-alike ${site.name}: an unknown client logs in on a device, and then with a code`, async () => {
    await using as = await createMock({ lookLike: site.name! });
    assertEquals(await logInOnDevice(as, site), "tokens");
    assertEquals(await logInByCode(as, site), "tokens");
    assertEquals(await logInOnDevice(as, site), "tokens");
    // From then on, the client has this redirect URI.
    assertEquals(await logInByCode(as, site), "tokens");
    assertEquals(await logInByCode(as, site, `${usual}/other`), "redirect_uri_unregistered");
  });
}

test("at its own addresses, the first use of a client decides how it logs in", async () => {
  await using byCode = await createMock({ lookLike: "github" });
  assertEquals(await logInByCode(byCode, own(byCode)), "tokens");
  assertEquals(await logInOnDevice(byCode, own(byCode)), "device_login_not_for_client");
  await using onDevice = await createMock({ lookLike: "github" });
  assertEquals(await logInOnDevice(onDevice, own(onDevice)), "tokens");
  assertEquals(await logInByCode(onDevice, own(onDevice)), "redirect_uri_none_registered");
});
