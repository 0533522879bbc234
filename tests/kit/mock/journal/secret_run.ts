/** A run of requests with a secret in each place where one can be, for tests of what is shown of a journal. */

import type { ServerOptions } from "../../../../src/mod.ts";
import { basic, createBrowser, redirectUri, verifier, type World } from "../../../world.ts";

/** The options of a world for the run. */
export const secretOptions: ServerOptions = {
  login: "picker",
  people: [{ username: "carol", password: "PASSWORD-CANARY" }],
  clients: [{ client_id: "canary", client_secret: "SECRET-CANARY", redirect_uris: [redirectUri] }],
};

export interface RunSecrets {
  /** Passwords, secrets of clients and cookies. */
  readonly lasting: readonly string[];
  /** What a page may show to the person who has the key. */
  readonly passing: readonly string[];
}

/** Signs in, redeems the code, calls with the tokens, and puts secrets where none belong. */
export async function runWithSecrets(world: World): Promise<RunSecrets> {
  const browser = createBrowser(world);
  const asked = { client_id: "canary", scope: "openid", state: "STATE-CANARY", nonce: "NONCE-CANARY" };
  const page = await browser.open(world.authorizeUrl(asked));
  await browser.submit(page, { username: "PASSWORD-CANARY", password: "wrong" });
  const consent = await browser.submit(page, { username: "carol", password: "PASSWORD-CANARY" });
  const left = await browser.submit(consent, { decision: "approve" });
  const code = new URL(left.leftFor!).searchParams.get("code")!;
  const headers = basic("canary", "SECRET-CANARY");
  // An application that takes its own address for its redirect URI sends this.
  await world.redeem(code, { client_id: undefined, redirect_uri: left.leftFor }, headers);
  await world.redeem(code, { client_id: "canary", client_secret: "SECRET-CANARY" });
  const tokens = await (await world.redeem(code, { client_id: undefined }, headers)).json();
  const { access_token: token, id_token } = tokens;
  await world.get("/userinfo", { authorization: `Bearer ${token}` });
  await world.get(`/userinfo?access_token=${token}`);
  await world.get(`/oauth2/authorize?login_hint=${token}&redirect_uri=https://u:SECRET-CANARY@app.example/`);
  await world.get(`/authorized?code=${code}`);
  await world.get(`/${token}`);
  await world.post("/oauth2/introspect", { token }, headers);
  await world.post("/oauth2/token", { client_id: "canary", client_secret: "SECRET-CANARY", code }, {
    cookie: "a=COOKIE-CANARY; COOKIE-CANARY",
    "x-other": "SECRET-CANARY",
  });
  await world.post("/oauth2/token?SECRET-CANARY", "SECRET-CANARY&STATE-CANARY=1");
  const cookies = [...browser.cookies.values()].map((value) => value.split(".").at(-1)!);
  const encoded = headers.authorization.slice("Basic ".length);
  return {
    lasting: ["PASSWORD-CANARY", "SECRET-CANARY", "COOKIE-CANARY", encoded, ...cookies],
    passing: [
      ...["STATE-CANARY", "NONCE-CANARY", verifier, code, code.split(".")[1]!, token],
      ...[token, id_token].map((each) => each.split(".")[2]!),
    ],
  };
}
