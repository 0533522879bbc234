/** A device login in a test: the device, and the person with a browser. */

import { assertEquals } from "@std/assert";
import {
  type Browser,
  createBrowser,
  type Page,
  type Params,
  type World,
  type WorldOptions,
} from "../../world.ts";

export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

export const deviceClients: NonNullable<WorldOptions["clients"]> = [
  { client_id: "tv", grant_types: [deviceGrantType, "refresh_token"], client_name: "Television" },
  {
    client_id: "gateway",
    client_secret: "gateway secret",
    grant_types: [deviceGrantType],
    scope: "read",
    redirect_uris: [],
  },
  { client_id: "public", redirect_uris: ["https://app.example/cb"] },
];

/** A world with clients for device logins, in which people sign in on a page. */
export const deviceOptions: WorldOptions = { clients: deviceClients, login: "picker" };

export interface DeviceCodes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

export function beginAt(world: World, changed: Params = {}, headers?: HeadersInit): Promise<Response> {
  return world.post("/oauth2/device_authorization", { client_id: "tv", scope: "read", ...changed }, headers);
}

export async function begin(world: World, changed?: Params, headers?: HeadersInit): Promise<DeviceCodes> {
  const response = await beginAt(world, changed, headers);
  const body = await response.json();
  assertEquals(response.status, 200, JSON.stringify(body));
  return body;
}

export function poll(
  world: World,
  { device_code }: Pick<DeviceCodes, "device_code">,
  changed: Params = {},
  headers?: HeadersInit,
): Promise<Response> {
  return world.post(
    "/oauth2/token",
    { grant_type: deviceGrantType, client_id: "tv", device_code, ...changed },
    headers,
  );
}

/** Returns the error of a poll with its reason, or "tokens". */
export async function pollFor(world: World, codes: DeviceCodes, changed?: Params): Promise<string> {
  const response = await poll(world, codes, changed);
  const { error } = await response.json();
  return response.status === 200 ? "tokens" : `${response.status} ${error} ${world.lastRefusal()?.reason}`;
}

/** Types a code into the form. */
export async function typeCode(browser: Browser, code: string, headers?: HeadersInit): Promise<Page> {
  return await browser.submit(await browser.open("/device"), { user_code: code }, headers);
}

/** Types the code, and signs in alice if no person is signed in: up to the consent page. */
export async function openConsent(browser: Browser, { user_code }: DeviceCodes): Promise<Page> {
  const page = await typeCode(browser, user_code);
  return page.html.includes("/oauth2/sign_in") ? await browser.submit(page, { person: "alice" }) : page;
}

export async function answer(
  world: World,
  codes: DeviceCodes,
  decision: "approve" | "deny" = "approve",
  browser: Browser = createBrowser(world),
): Promise<Page> {
  return await browser.submit(await openConsent(browser, codes), { decision });
}
