// A login with passport-oauth2, for an examination by Postern. Change it to what your application does.
//   __STEPS__
import { parse } from "node:querystring";
import OAuth2Strategy from "passport-oauth2";

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_REDIRECT_URI, OAUTH_RESOURCE } = process.env;
const settings = {
  authorizationURL: `${OAUTH_ISSUER}/oauth2/authorize?resource=${encodeURIComponent(OAUTH_RESOURCE)}`,
  tokenURL: `${OAUTH_ISSUER}/oauth2/token`,
  clientID: OAUTH_CLIENT_ID,
  clientSecret: "", // a public client
  callbackURL: OAUTH_REDIRECT_URI,
  scope: "orders", // with openid, it would have to check ID tokens
  pkce: true,
  state: true,
};
const session = {};

/** Runs the strategy for a request to the application, with the four functions that Passport gives it. */
const authenticate = (url) =>
  new Promise((resolve, reject) => {
    const strategy = new OAuth2Strategy(settings, (accessToken, _refreshToken, _profile, done) => done(null, { accessToken }));
    const fail = (info) => reject(new Error(info?.message ?? "refused"));
    Object.assign(strategy, { redirect: (redirect) => resolve({ redirect }), success: resolve, fail, error: reject });
    strategy.authenticate({ url, query: parse(new URL(url).search.slice(1)), body: {}, headers: {}, session });
  });

const { redirect } = await authenticate(OAUTH_REDIRECT_URI);
// The browser: the server signs in without a page.
const { headers } = await fetch(redirect, { redirect: "manual" });
const { accessToken } = await authenticate(headers.get("location"));
if (accessToken === undefined) throw new Error("the application begins another login");
const answer = await fetch(OAUTH_RESOURCE, { headers: { authorization: `Bearer ${accessToken}` } });
if (!answer.ok) throw new Error(`the API answers ${answer.status}`);
