/** Example props for every page and every variant. */
import { type ExampleOptions, writeTokenExamples } from "../../../src/server/client/example_commands.ts";
import type {
  AccountsProps,
  CallbackFailure,
  CallbackSuccess,
  ConsentProps,
  FormPostProps,
  HomeConfiguration,
  HomeProps,
  RefusalProps,
  ShownStep,
  SignInProps,
  SignOutProps,
  WalkCall,
  WalkProps,
} from "../../../src/server/oauth/contracts/pages.ts";
import { createPages, loadWords, type PagesInLanguage } from "../../../src/server/pages/mod.ts";
import type { SecondFactorProps } from "../../../src/server/pages/sign_in/second_factor_props.ts";
import type { SignUpProps } from "../../../src/server/pages/sign_in/sign_up_props.ts";

const assetUrl = (name: string) => `/assets/1/${name}`;

const created = createPages({ assetUrl });

/** The props of the callback page before the examples are written. */
export type PlainSuccess = Omit<CallbackSuccess, "examples"> & ExampleOptions;

export const pages: Omit<PagesInLanguage, "callback"> & {
  callback(props: CallbackFailure | PlainSuccess): string;
} = {
  ...created,
  callback: (props) =>
    created.callback(props.hasError ? props : { ...props, examples: writeTokenExamples(props) }),
};

const issuer = "http://localhost:9000";

export const homeConfiguration: HomeConfiguration = {
  clients: [
    {
      id: "plain",
      isUnverified: false,
      authentication: "none",
      redirectUris: ["http://127.0.0.1:4000/cb", "http://127.0.0.1:4001/cb"],
      start: { url: "/start?client_id=plain", endsAt: "http://127.0.0.1:4000/cb", endsHere: false },
    },
    {
      id: "demo",
      name: "Demo app",
      isUnverified: false,
      authentication: "none",
      redirectUris: [`${issuer}/authorized`],
      start: { url: "/start?client_id=demo", endsAt: `${issuer}/authorized`, endsHere: true },
    },
    {
      id: "demo-confidential",
      name: "Confidential demo app",
      isUnverified: false,
      authentication: "client_secret_basic",
      redirectUris: [`${issuer}/authorized`],
      start: { url: "/start?client_id=demo-confidential", endsAt: `${issuer}/authorized`, endsHere: true },
      demoSecret: "demo-secret",
    },
    { id: "guest", isUnverified: true, firstUse: true, authentication: "private_key_jwt", redirectUris: [] },
  ],
  people: [
    { username: "alice", name: "Alice Archer", email: "alice@example.org", hasPassword: false },
    { username: "carol", hasPassword: true },
  ],
  acceptsFirstUse: true,
  automaticPerson: "alice",
};

export const home: HomeProps = {
  issuer,
  configuration: homeConfiguration,
  endpoints: [{ name: "Token", url: `${issuer}/oauth2/token` }],
  metadata: {
    href: "/.well-known/openid-configuration",
    url: `${issuer}/.well-known/openid-configuration`,
  },
};

const form = {
  request: "sealed.request",
  client: { id: "demo", name: "Demo app", isUnverified: false },
  redirectUri: "https://app.example:8443/cb?x=1",
};

export const signIn: SignInProps = {
  ...form,
  action: "/oauth2/sign_in",
  people: [
    { username: "alice", name: "Alice Archer", email: "alice@example.org", hasPassword: false },
    { username: "bob", hasPassword: false },
    { username: "carol", hasPassword: true },
  ],
};

const signUp: SignUpProps = {
  ...form,
  action: "/oauth2/sign_up",
  fields: { username: "dave", email: "dave@example.com" },
  needsPassword: false,
  shortestPassword: 8,
};

type FeaturePage = Parameters<PagesInLanguage["ofFeature"]>[0];

const ofSignUp = (props: SignUpProps): FeaturePage => ({ name: "sign_up", props });

export const secondFactor: SecondFactorProps = {
  ...form,
  action: "/oauth2/second_factor",
  person: { username: "alice", name: "Alice Archer", hasPassword: false },
  kind: "totp",
};

export const ofSecondFactor = (props: SecondFactorProps): FeaturePage => ({ name: "second_factor", props });

export const consent: ConsentProps = {
  ...form,
  action: "/oauth2/consent",
  person: { username: "alice", name: "Alice Archer", hasPassword: false },
  scopes: [{ name: "openid" }, { name: "tickets", words: "Look at your train tickets" }, { name: "api:run" }],
  resources: ["https://api.example/v1"],
};

export const accounts: AccountsProps = {
  ...form,
  action: "/oauth2/account",
  people: homeConfiguration.people,
};

export const signOut: SignOutProps = {
  action: "/connect/logout",
  request: "sealed.sign-out",
  people: homeConfiguration.people,
  client: form.client,
  homeUrl: "/",
};

export const failure: CallbackFailure = {
  hasError: true,
  error: "access_denied",
  errorDescription: "The person denied the request",
  homeUrl: "/",
  startUrl: "/oauth2/authorize?client_id=demo",
};

export const success: PlainSuccess = {
  hasError: false,
  code: "grant.secret-code",
  state: "some-state",
  tokenEndpoint: `${issuer}/oauth2/token`,
  redirectUri: `${issuer}/authorized`,
  clientId: "demo",
  authentication: "none",
  codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  codeExpiresAt: Date.UTC(2026, 4, 4, 10, 15, 30) / 1000,
  now: Date.UTC(2026, 4, 4, 10, 10, 33) / 1000,
  homeUrl: "/",
  startUrl: "/oauth2/authorize?client_id=demo",
};

export const confidentialSuccess: PlainSuccess = {
  ...success,
  clientId: "demo-confidential",
  authentication: "client_secret_basic",
  demoSecret: "demo-secret",
};

/** The props of a page outside this server: it knows the query and the token endpoint only. */
export const foreignSuccess: PlainSuccess = {
  hasError: false,
  code: "a-code",
  tokenEndpoint: `${issuer}/oauth2/token`,
  redirectUri: "https://app.example/authorized",
  homeUrl: "/",
  startUrl: "/start",
};

export const refusal: RefusalProps = {
  status: 400,
  error: "invalid_request",
  description: "The redirect URI is not one of this client's.",
  spec: "OAuth 2.1 §2.3",
  expected: "http://localhost:8080/cb",
  received: "http://localhost:8080/cb/",
  wouldHaveGoneTo: "http://localhost:8080/cb/",
  change: "Send a redirect_uri that the client has registered.",
  remedy: '{ "redirect_uris": ["http://localhost:8080/cb/"] }',
  exchangeId: "exchange-7",
  homeUrl: "/",
};

export const formPost: FormPostProps = {
  action: "https://app.example/cb",
  params: [["code", "grant.secret-code"], ["state", "some-state"], ["iss", issuer]],
};

const tokenResponse: WalkCall = {
  id: "exchange-1",
  request: {
    method: "POST",
    url: `${issuer}/oauth2/token`,
    headers: [["content-type", "application/x-www-form-urlencoded"]],
    form: [["grant_type", "authorization_code"], ["code", "grant.secret-code"], ["client_id", "demo"]],
  },
  response: {
    status: 200,
    headers: [["content-type", "application/json"]],
    body: JSON.stringify({ access_token: "opaque", refresh_token: "refresh", id_token: "a.b.c" }),
  },
};

export const exchangeStep: ShownStep = {
  name: "exchange",
  url: "/authorized/walk?id=x&step=1",
  takenAt: 1_800_000_000,
  call: tokenResponse,
  keys: tokenResponse,
  proofs: [],
  ended: [],
  decoded: [
    { kind: "access_token", text: "opaque", checks: [] },
    {
      kind: "id_token",
      text: "a.b.c",
      jwt: {
        header: JSON.stringify({ alg: "ES256", kid: "k" }),
        payload: JSON.stringify({ iss: issuer, exp: 1_800_003_600, groups: ["a"], nonce: "n-2", x: 1 }),
      },
      checks: [
        { name: "signature", result: "passed", expected: "k", received: "k" },
        { name: "nonce", result: "failed", expected: "n-1", received: "n-2" },
        { name: "azp", result: "absent" },
      ],
    },
  ],
};

export const walk: WalkProps = {
  action: "/authorized/walk",
  ticket: "sealed.ticket",
  client: { id: "demo", name: "Demo app", isUnverified: false },
  secret: "needed",
  steps: [exchangeStep],
  number: 1,
  tokens: [
    { kind: "access_token", text: "opaque", step: 1, state: "works", expiresAt: 1_800_003_600 },
    { kind: "refresh_token", text: "refresh", step: 1, state: "replaced" },
    { kind: "id_token", text: "a.b.c", step: 1, audience: ["demo"] },
  ],
  scope: ["openid", "profile"],
  now: 1_800_000_000,
  choices: [
    { name: "userinfo" },
    { name: "refresh", ended: { kind: "refresh_token", state: "replaced" } },
    { name: "introspect", blocker: "public_client" },
    { name: "call_api", blocker: "not_for_api" },
    { name: "replay_code" },
    { name: "reuse_refresh_token", blocker: "no_old_refresh_token" },
  ],
  audience: [issuer],
  api: { url: `${issuer}/resource`, startUrl: "/start?client_id=demo" },
  homeUrl: "/",
  startUrl: "/start?client_id=demo",
};

export const refusedWalk: WalkProps = {
  ...walk,
  secret: "perhaps",
  steps: [exchangeStep, {
    name: "replay_code",
    url: "/authorized/walk?id=x&step=2",
    takenAt: 1_800_000_000,
    call: { ...tokenResponse, response: { status: 400, headers: [], body: "not JSON" } },
    proofs: [tokenResponse, tokenResponse],
    ended: [0, 1],
    decoded: [],
  }],
  number: 2,
  codeUrl: "/authorized?code=grant.secret-code",
};

/** Every example page, by name. */
export function everyPage(): ReadonlyMap<string, string> {
  return new Map([...translatedPages(pages), ...untranslatedPages()]);
}

/** The example pages that have several languages, by name. */
export async function everyPageIn(language: string): Promise<ReadonlyMap<string, string>> {
  return translatedPages(createPages({ assetUrl }, await loadWords(language)));
}

function translatedPages(pages: PagesInLanguage): ReadonlyMap<string, string> {
  return new Map([
    ["sign-in", pages.signIn(signIn)],
    [
      "sign-in after a mistake",
      pages.signIn({ ...signIn, username: "carol", problem: { kind: "wrong_password" } }),
    ],
    [
      "sign-in for an unverified client",
      pages.signIn({
        ...signIn,
        client: { id: "guest", isUnverified: true },
        redirectUri: "com.example:/cb",
      }),
    ],
    ["sign-up", pages.ofFeature(ofSignUp(signUp))],
    [
      "sign-up after mistakes",
      pages.ofFeature(ofSignUp({
        ...signUp,
        needsPassword: true,
        problem: {
          kind: "fields",
          fields: { username: "taken", name: "unfit", email: "malformed", password: "short" },
        },
      })),
    ],
    [
      "sign-up that waits",
      pages.ofFeature(ofSignUp({ ...signUp, problem: { kind: "busy", secondsToWait: 3 } })),
    ],
    ["second factor", pages.ofFeature(ofSecondFactor({ ...secondFactor, clockAhead: 7200 }))],
    [
      "second factor after a mistake",
      pages.ofFeature(ofSecondFactor({
        ...secondFactor,
        kind: "code",
        problem: { kind: "used_code" },
        shownCode: "123456",
      })),
    ],
    ["chooser", pages.accounts(accounts)],
    [
      "chooser for an unverified client",
      pages.accounts({ ...accounts, client: { id: "x", isUnverified: true } }),
    ],
    ["sign-out", pages.signOut(signOut)],
    ...(["signed_out", "not_signed_in", "stayed"] as const).map((outcome) =>
      [outcome, pages.signedOut({ outcome, homeUrl: "/x/" })] as const
    ),
    ["consent", pages.consent({ ...consent, canChangePerson: true })],
    [
      "consent for a client that registered itself",
      pages.consent({
        ...consent,
        client: {
          id: "reg-1",
          name: "Notes",
          isUnverified: true,
          describesItselfIn: "registration",
          links: [
            { kind: "site", url: "https://notes.example/" },
            { kind: "policy", url: "https://notes.example/policy" },
            { kind: "terms", url: "https://notes.example/terms" },
          ],
        },
      }),
    ],
    [
      "consent for an unverified client",
      pages.consent({ ...consent, client: { id: "guest", isUnverified: true }, scopes: [], resources: [] }),
    ],
    ["refusal", pages.refusal(refusal)],
    [
      "refusal of a form's address opened by itself",
      pages.refusal({
        status: 405,
        description: "This address takes POST",
        expected: "POST",
        received: "GET",
        homeUrl: "/",
      }),
    ],
    ["refusal in short", pages.refusal({ status: 404, description: "Nothing is here.", homeUrl: "/" })],
    ["form post", pages.formPost(formPost)],
    ["web message", pages.webMessage({ ...formPost, origin: "https://app.example" })],
  ]);
}

/** The example pages that are English for everyone. */
function untranslatedPages(): ReadonlyMap<string, string> {
  return new Map([
    ["home", pages.home(home)],
    [
      "home of a bare server",
      pages.home({
        issuer,
        configuration: { clients: [], people: [], acceptsFirstUse: false },
        endpoints: [],
      }),
    ],
    [
      "home that other machines can reach",
      pages.home({ issuer, endpoints: [] }),
    ],
    ["failure", pages.callback({ ...failure, foreignIssuer: "https://other.example" })],
    ["success", pages.callback(success)],
    ["success of a confidential client", pages.callback(confidentialSuccess)],
    [
      "success of a client that signs",
      pages.callback({ ...success, exchange: { blocker: "assertion_client" } }),
    ],
    [
      "success after the exchange",
      pages.callback({ ...success, codeUsed: true, walkUrl: "/authorized/walk?id=x" }),
    ],
    ["walk", pages.walk(walk)],
    ["walk with a refusal", pages.walk(refusedWalk)],
    ["success elsewhere", pages.callback({ ...foreignSuccess, foreignIssuer: "https://other.example" })],
    ["success with an unknown code", pages.callback({ ...foreignSuccess, codeUnknown: true })],
  ]);
}
