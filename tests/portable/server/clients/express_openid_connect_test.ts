/** `express-openid-connect` with its default settings. */

import { assert, assertEquals } from "@std/assert";
import { findFreePort } from "../../../free_port.ts";
import { runtime, test } from "../../../runner.ts";
import { type ExpressRequest, type Handler, load, withApplication } from "./express_application.ts";
import { basicClient, requireCarol, secret, signIn } from "./postern.ts";
import { withSite } from "./with_site.ts";

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

const name = "clients: express-openid-connect: sign-in, userinfo, refresh, sign-out by client and by server";

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
          // The library's default is the implicit grant, which OAuth 2.1 has removed.
          authorizationParams: { response_type: "code", scope: "openid profile email" },
          authRequired: false,
          idpLogout: true,
          backchannelLogout: { store: new MemoryStore() },
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
        // Core §5.4: with an access token, the claims of the scopes come from userinfo.
        assertEquals(signedIn.user.sub, signedIn.before.sub);
        requireCarol(signedIn.before);
        requireCarol(signedIn.after);
        assert(signedIn.changed);

        // Signs out at the application, which sends the browser to the server and gets it back.
        const home = await visitor.open(`${origin}/logout`);
        assertEquals([home.url.origin, JSON.parse(home.html)], [origin, { signedIn: false }]);
        const ended = journal.at(-1)!;
        assertEquals([ended.request.path, ended.response.status], ["/connect/logout", 303]);
        assertEquals(ended.facts.more?.["back_channel_logout"], { app: "told" });

        // Signs out at the server, which tells the application by back-channel logout.
        await signIn(visitor, `${origin}/login`);
        assertEquals(await read("/"), { signedIn: true });
        await visitor.press(await visitor.open(`${issuer}/connect/logout`), "sign-out");
        assertEquals(journal.at(-1)!.facts.more?.["back_channel_logout"], { app: "told" });
        assertEquals(await read("/"), { signedIn: false });
      });
    }, [origin]);
  });
}
