/** `passport-openidconnect` with its default settings: no PKCE, no nonce, and the secret in the body. */

import { assertEquals } from "@std/assert";
import { findFreePort } from "../../../free_port.ts";
import { runtime, test } from "../../../runner.ts";
import { type Handler, load, withApplication } from "./express_application.ts";
import { basicClient, secret, signIn } from "./postern.ts";
import { withSite } from "./with_site.ts";

type Done = (error: unknown, user?: unknown) => void;

interface Profile {
  readonly id: string;
  readonly displayName?: string;
  readonly emails?: readonly { readonly value: string }[];
}

interface Passport {
  use(strategy: unknown): void;
  serializeUser(work: (user: unknown, done: Done) => void): void;
  deserializeUser(work: (user: unknown, done: Done) => void): void;
  initialize(): Handler;
  session(): Handler;
  authenticate(name: string, options?: unknown): Handler;
}

type Verify = typeof verify;
type Strategy = new (options: unknown, verify: Verify) => unknown;

/** The library counts the parameters of this function: with nine it also calls userinfo. */
function verify(
  _issuer: string,
  userinfo: Profile,
  _profile: Profile,
  _context: unknown,
  idToken: string,
  _accessToken: string,
  _refreshToken: string,
  _params: unknown,
  done: Done,
): void {
  done(null, { userinfo, idToken });
}

const name = "clients: passport-openidconnect without PKCE and nonce: sign-in, userinfo, sign-out";

if (runtime !== "node") test.skip(name, "Express is for Node");
else {
  test(name, async () => {
    const port = await findFreePort();
    const origin = `http://localhost:${port}`;
    const metadata = {
      ...basicClient,
      token_endpoint_auth_method: "client_secret_post",
      redirect_uris: [`${origin}/callback`],
      post_logout_redirect_uris: [origin],
      require_pkce: false,
      oauth_version: "2.0" as const,
    };
    await withSite(metadata, async ({ issuer, visitor }) => {
      const passport = await load<Passport>("passport");
      const session = await load<(options: unknown) => Handler>("express-session");
      const { Strategy } = await load<{ readonly Strategy: Strategy }>("passport-openidconnect");
      const options = {
        issuer,
        authorizationURL: `${issuer}/oauth2/authorize`,
        tokenURL: `${issuer}/oauth2/token`,
        userInfoURL: `${issuer}/userinfo`,
        clientID: "app",
        clientSecret: secret,
        callbackURL: `${origin}/callback`,
        scope: ["profile", "email"],
      };
      await withApplication(port, (application) => {
        application.use(session({ secret: "of the application", resave: false, saveUninitialized: false }));
        passport.use(new Strategy(options, verify));
        passport.serializeUser((user, done) => done(null, user));
        passport.deserializeUser((user, done) => done(null, user));
        application.use(passport.initialize());
        application.use(passport.session());
        const authenticate = passport.authenticate("openidconnect");
        application.get("/login", authenticate);
        application.get(
          "/callback",
          authenticate,
          ((_request, response) => {
            response.redirect("/");
          }) as Handler,
        );
        application.get("/", (({ user }, response) => response.json({ user })) as Handler);
        application.get(
          "/logout",
          ((request, response, next) => {
            const { idToken } = request.user as { readonly idToken: string };
            const hint = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: origin });
            request.logout((error) =>
              error === undefined ? response.redirect(`${issuer}/connect/logout?${hint}`) : next(error)
            );
          }) as Handler,
        );
        return Promise.resolve();
      }, async () => {
        const { html, url } = await signIn(visitor, `${origin}/login`);
        assertEquals(url.href, `${origin}/`, html);
        const { id, displayName, emails }: Profile = JSON.parse(html).user.userinfo;
        assertEquals([id, displayName, emails], ["user-7", "Carol Clark", [{ value: "carol@shop.example" }]]);
        const home = await visitor.open(`${origin}/logout`);
        assertEquals([home.url.href, JSON.parse(home.html)], [`${origin}/`, {}]);
        const form = await visitor.open(`${origin}/login`);
        assertEquals(form.url.pathname, "/oauth2/authorize", "the person has to sign in again");
      });
    }, [origin]);
  });
}
