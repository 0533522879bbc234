/** Forms as a browser was given them: they can be sent to any server over the same store, as often as one likes. */
import { type Browser, createBrowser, type Page, type Params, type World } from "../world.ts";

export interface Form {
  send(world: World, fields: Params): Promise<Response>;
  /** Where an answer leads to, when that is another page of the server. */
  follow(world: World, response: Response): Promise<Response>;
}

/** To another page of the server, and not to a client. */
export function leadsOn({ headers }: Response): boolean {
  return headers.get("location")?.startsWith("/oauth2/authorize?continue=") ?? false;
}

/** Needs a world where people are asked: `login: "picker"`. */
export async function openSignInForm(world: World, changed?: Params): Promise<Form> {
  const browser = createBrowser(world);
  return readForm(await browser.open(world.authorizeUrl(changed)), "/oauth2/sign_in", browser);
}

/** The next form, for somebody who has just signed in. */
export async function openConsentForm(world: World, changed?: Params): Promise<Form> {
  const browser = createBrowser(world);
  const signIn = await browser.open(world.authorizeUrl(changed));
  return readForm(await browser.submit(signIn, { person: "alice" }), "/oauth2/consent", browser);
}

function readForm({ html }: Page, path: string, browser: Browser): Form {
  const sealed = /<input[^>]*\sname="request"[^>]*\svalue="([^"]*)"/.exec(html)?.[1];
  if (sealed === undefined || !html.includes(path)) throw new Error(`no form for ${path}: ${html}`);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return {
    send: (world, fields) => world.post(path, { request: sealed, ...fields }, { cookie }),
    follow: (world, response) => world.get(response.headers.get("location")!, { cookie }),
  };
}
