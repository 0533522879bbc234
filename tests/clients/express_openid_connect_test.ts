/** `express-openid-connect` with its default settings, in an application that only this file knows. */

import { assert, assertEquals } from "@std/assert";
import { findFreePort } from "../cli/command.ts";
import { runtime, test } from "../runner.ts";
import { type ExpressRequest, type Handler, load, withApplication } from "./express_application.ts";
import { basicClient, requireCarol, secret, signIn, withSite } from "./postern.ts";

interface OpenidRequest extends ExpressRequest {
  readonly oidc: {
    isAuthenticated(): boolean;
    readonly user?: Readonly<Record<string, unknown>>;
    readonly refreshToken?: string;
    readonly accessToken?: {
      readonly access_token: string;
      refresh(): Promise<{ readonly access_token: string }>;
    };
    fetchUserInfo(): Promise<Readonly<Record<string, unknown>>>;
  };
}

type Store = new () => unknown;

interface Library {
  auth(options: unknown): Handler;
  requiresAuth(): Handler;
}

const name = "clients: express-openid-connect: sign-in, userinfo, refresh, sign-out from both ends";

if (runtime !== "node") test.skip(name, "Express is for Node");
else {
  test(name, async () => {
    const port = await findFreePort();
    const origin = `http://localhost:${port}`;
    const metadata = {
      ...basicClient,
      redirect_uris: [`${origin}/callback`],
      post_logout_redirect_uris: [origin],
      backchannel_logout_uri: `${origin}/backchannel-logout`,
    };
    await withSite(metadata, async ({ issuer, journal, visitor }) => {
      const { auth, requiresAuth } = await load<Library>("express-openid-connect");
      const { MemoryStore } = await load<{ readonly MemoryStore: Store }>("express-session");
      await withApplication(port, (application) => {
        application.use(auth({
          issuerBaseURL: issuer,
          baseURL: origin,
          clientID: "app",
          clientSecret: secret,
          secret: "a secret of the application's cookies",
          authRequired: false,
          idpLogout: true,
          backchannelLogout: { store: new MemoryStore() },
          // Left alone it would be the implicit grant, which OAuth 2.1 does not have any more.
          authorizationParams: { response_type: "code", scope: "openid profile email" },
        }));
        application.get(
          "/",
          (({ oidc }, response) => {
            response.json({ signedIn: oidc.isAuthenticated() });
          }) as Handler<OpenidRequest>,
        );
        application.get(
          "/me",
          requiresAuth(),
          (async ({ oidc }, response) => {
            const before = await oidc.fetchUserInfo();
            const old = oidc.accessToken!.access_token;
            const { access_token: next } = await oidc.accessToken!.refresh();
            response.json({
              user: oidc.user,
              before,
              after: await oidc.fetchUserInfo(),
              changed: old !== next,
            });
          }) as Handler<OpenidRequest>,
        );
        return Promise.resolve();
      }, async () => {
        const read = async (path: string) => JSON.parse((await visitor.open(`${origin}${path}`)).html);
        const signedIn = JSON.parse((await signIn(visitor, `${origin}/me`)).html);
        assertEquals(signedIn.failed, undefined);
        // Core §5.4: with an access token at hand, what the scopes stand for comes from userinfo.
        assertEquals(signedIn.user.sub, signedIn.before.sub);
        requireCarol(signedIn.before);
        requireCarol(signedIn.after);
        assert(signedIn.changed);

        // Signed out at the application: it sends the browser along, and takes it back.
        const home = await visitor.open(`${origin}/logout`);
        assertEquals([home.url.origin, JSON.parse(home.html)], [origin, { signedIn: false }]);
        const ended = journal.at(-1)!;
        assertEquals([ended.request.path, ended.response.status], ["/connect/logout", 303]);
        assertEquals(ended.facts.more?.["back_channel_logout"], { app: "told" });

        // Signed out at the server: the application is told behind the browser's back.
        await signIn(visitor, `${origin}/login`);
        assertEquals(await read("/"), { signedIn: true });
        await visitor.press(await visitor.open(`${issuer}/connect/logout`), "sign-out");
        assertEquals(journal.at(-1)!.facts.more?.["back_channel_logout"], { app: "told" });
        assertEquals(await read("/"), { signedIn: false });
      });
    }, [origin]);
  });
}
