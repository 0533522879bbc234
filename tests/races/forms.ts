/** Forms that a browser was given: a test can send them repeatedly, and to any server over the same store. */
import { type DeviceCodes, openConsent } from "../server/features/device_login.ts";
import { type Browser, createBrowser, type Page, type Params, type World } from "../world.ts";

export interface Form {
  /** The hidden fields. */
  readonly fields: Readonly<Record<string, string>>;
  readonly cookie: string;
  send(world: World, fields: Params): Promise<Response>;
  /** Follows a redirect to another page of the server. */
  follow(world: World, response: Response): Promise<Response>;
}

/** Needs a world with `login: "picker"`. */
export async function openSignInForm(world: World, changed?: Params): Promise<Form> {
  const browser = createBrowser(world);
  return readForm(await browser.open(world.authorizeUrl(changed)), "/oauth2/sign_in", browser);
}

/** Signs in alice, or another person, first. */
export async function openConsentForm(world: World, changed?: Params, person = "alice"): Promise<Form> {
  const browser = createBrowser(world);
  const signIn = await browser.open(world.authorizeUrl(changed));
  return readForm(await browser.submit(signIn, { person }), "/oauth2/consent", browser);
}

/** The form that asks whether to sign out, after a sign-in of alice. */
export async function openSignOutForm(world: World): Promise<Form> {
  const browser = createBrowser(world);
  await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
  return readForm(await browser.open("/connect/logout"), "/connect/logout", browser);
}

/** The form of the second factor of a person who signs in with one click. */
export async function openCodeForm(world: World, person: string): Promise<Form> {
  const browser = createBrowser(world);
  const signIn = await browser.open(world.authorizeUrl({ acr_values: "mfa" }));
  return readForm(await browser.submit(signIn, { person }), "/oauth2/second_factor", browser);
}

/** The consent form of a device login. Signs in alice first. */
export async function openDeviceConsentForm(world: World, codes: DeviceCodes): Promise<Form> {
  const browser = createBrowser(world);
  return readForm(await openConsent(browser, codes), "/oauth2/consent", browser);
}

function readForm({ html }: Page, path: string, browser: Browser): Form {
  const encrypted = /<input[^>]*\sname="request"[^>]*\svalue="([^"]*)"/.exec(html)?.[1];
  if (encrypted === undefined || !html.includes(path)) throw new Error(`no form for ${path}: ${html}`);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const hidden = { request: encrypted };
  return {
    fields: hidden,
    cookie,
    send: (world, fields) => world.post(path, { ...hidden, ...fields }, { cookie }),
    follow: (world, response) => world.get(response.headers.get("location")!, { cookie }),
  };
}
