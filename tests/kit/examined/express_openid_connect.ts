/** `express-openid-connect` 3 in an application behind a proxy. */

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scenario } from "../../../src/kit/mod.ts";
import {
  type Application,
  type ExpressRequest,
  type ExpressResponse,
  type Handler,
  load,
  type Next,
} from "../../portable/server/clients/express_application.ts";
import { createBrowser, locationOf, type Open } from "./browser.ts";
import {
  application,
  callApi,
  challenges,
  countRefreshes,
  type Examined,
  needsTwoLogins,
  notUsed,
  ofApplication,
  refreshForCallers,
  resourceOf,
  scope,
  secret,
  SeenByDriver,
  signOut,
  thrownErrors,
  withSecret,
} from "./examined.ts";

interface AccessToken {
  readonly access_token: string;
  refresh(): Promise<AccessToken>;
}

interface OpenidRequest extends ExpressRequest {
  readonly oidc: {
    readonly accessToken?: AccessToken;
    fetchUserInfo(): Promise<unknown>;
  };
}

interface Library {
  auth(options: unknown): Handler;
  requiresAuth(): Handler;
}

type Store = new () => unknown;

export const expressOpenidConnect: Examined = {
  package: "express-openid-connect",
  dependsOn: ["openid-client"],
  use:
    '`response_type: "code"`, `idpLogout: true`, `backchannelLogout`; `session.store` where an ID token is large',
  leaves: { ...challenges, ...notUsed("pushed_request", "dpop"), ...ofApplication, ...thrownErrors },
  options: withSecret("client_secret_basic", {
    backchannel_logout_uri: `${application}/backchannel-logout`,
  }),
  listen: true,
  does: ["two_refreshes"],
  async client(_as, scenario) {
    const { phase, browse } = scenario;
    await withApplication(scenario, async (open) => {
      const logIn = async () => await open((await browse(await locationOf(await open("/login")))).href);
      if (needsTwoLogins(scenario)) await logIn();
      await logIn();
      // The library sends a browser without a session to the login.
      const openSignedIn = async (path: string) => {
        if ((await open(path)).status !== 200) throw new SeenByDriver("no person is signed in");
      };
      if (phase === "login") await openSignedIn("/userinfo");
      if (phase === "call_api") await openSignedIn("/orders");
      if (phase === "refresh") {
        for (let count = countRefreshes(scenario); count > 0; count--) {
          await refreshForCallers(scenario, () => openSignedIn("/refresh"));
        }
      }
      if (phase === "logout") {
        const back = await signOut(scenario, await locationOf(await open("/logout")));
        if (back !== undefined) await open(back.href);
      }
    });
  },
};

async function withApplication(scenario: Scenario, work: (open: Open) => Promise<void>): Promise<void> {
  const express = await load<() => Application & { set(name: string, value: unknown): void }>("express");
  const app = express();
  app.set("trust proxy", true);
  await addRoutes(app, scenario);
  const failures: unknown[] = [];
  // Express calls a function with four parameters for errors.
  app.use((error: unknown, _request: ExpressRequest, response: ExpressResponse, _next: Next) => {
    failures.push(error);
    response.status(500).json({});
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, "127.0.0.1", () => resolve(listening));
  });
  const { port } = server.address() as AddressInfo;
  /** Sends a request as a proxy in front of the application does. */
  const forward = async (request: Request): Promise<Response> => {
    const { pathname, search, protocol, host } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("x-forwarded-proto", protocol.slice(0, -1));
    headers.set("x-forwarded-host", host);
    const { method } = request;
    const body = method === "POST" ? await request.text() : null;
    const url = `http://127.0.0.1:${port}${pathname}${search}`;
    const response = await fetch(url, { method, headers, body, redirect: "manual" });
    const octets = await response.arrayBuffer();
    return new Response(octets.byteLength === 0 ? null : octets, response);
  };
  scenario.serve(forward);
  try {
    await work(createBrowser(application, async (request) => {
      const response = await forward(request);
      if (failures.length > 0) throw failures[0];
      return response;
    }));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Whether an ID token of this run may be too long for cookies. */
function isLarge({ name }: Scenario): boolean {
  return name === "id_token.huge" || name === "id_token.large";
}

async function addRoutes(app: Application, scenario: Scenario): Promise<void> {
  const { issuer, clientId, postLogoutRedirectUri } = scenario;
  const { auth, requiresAuth } = await load<Library>("express-openid-connect");
  const { MemoryStore } = await load<{ readonly MemoryStore: Store }>("express-session");
  app.use(auth({
    issuerBaseURL: issuer,
    baseURL: application,
    clientID: clientId,
    clientSecret: secret,
    secret: "a secret of the application's cookies",
    authRequired: false,
    idpLogout: true,
    backchannelLogout: { store: new MemoryStore() },
    // A cookie cannot have a large ID token.
    ...(isLarge(scenario) ? { session: { store: new MemoryStore() } } : {}),
    routes: { postLogoutRedirect: postLogoutRedirectUri },
    authorizationParams: { response_type: "code", scope, ...resourceOf(scenario) },
  }));
  const add = (path: string, work: (oidc: OpenidRequest["oidc"]) => Promise<unknown>) =>
    app.get(
      path,
      requiresAuth(),
      (async ({ oidc }, response) => {
        await work(oidc);
        response.json({});
      }) as Handler<OpenidRequest>,
    );
  add("/userinfo", (oidc) => {
    // An application reads the token for its API, too.
    tokenOf(oidc);
    return oidc.fetchUserInfo();
  });
  add("/orders", (oidc) => callApi(fetch, scenario, tokenOf(oidc).access_token));
  add(
    "/refresh",
    async (oidc) => callApi(fetch, scenario, (await tokenOf(oidc).refresh()).access_token),
  );
  app.get("/signed-out", ((_request, response) => response.json({})) as Handler);
}

function tokenOf({ accessToken }: OpenidRequest["oidc"]): AccessToken {
  if (accessToken === undefined) throw new SeenByDriver("the library gives the application no access token");
  return accessToken;
}
