/** Uses of the test kit that must compile. */

import {
  createMock,
  forgeries,
  type HookTerms,
  type IdTokenClaims,
  type MintTerms,
  type Mock,
  Refused,
  type Tokens,
} from "postern/mock";

export async function use(): Promise<void> {
  await using as: Mock = await createMock({ scopes: { orders: "See orders" }, alg: "EdDSA", seed: 7 });
  const tokens: Tokens = await as.login("bob", {
    client: "app",
    scope: ["openid", "orders"],
    prompt: "login",
  });
  const known: string = tokens.access_token + tokens.token_type + tokens.expires_in.toFixed();
  const perhaps: string | undefined = tokens.refresh_token;
  const anyMembers: Readonly<Record<string, unknown>> = tokens;
  const added: unknown = "tenant_id" in tokens ? tokens.tenant_id : anyMembers["tenant_id"];
  const expired: Tokens = await as.expire(tokens);
  const signedIn: IdTokenClaims | undefined = tokens.claims;
  const subject: string | undefined = signedIn?.sub;
  const role: unknown = tokens.claims?.["role"];
  const text: string = await as.expire(tokens.access_token);
  const minted: string = await as.mint({ person: "bob", expiresIn: "5m", claims: { role: "admin" } });

  const kind: "access" | "id" | "refresh" = known === "" ? "id" : "refresh";
  const ofKind: string = await as.mint({ kind, person: "bob", expiresIn: "5m" });
  const ofClient: MintTerms = { kind: "access", withoutPerson: true, claims: { role: "robot" } };
  const machine: string = await as.mint(ofClient) + await as.mint({ withoutPerson: true, client: "robot" });
  const renewing: string = await as.mint({ kind: "refresh", person: "bob", nonce: "n-1" });
  const forged: string =
    (await as.forge("access_token.expired", { withoutPerson: true, scope: "orders" })).token;
  const hint: string | undefined = known === "" ? "bob" : undefined;
  await as.login("bob", { params: { login_hint: hint } });

  using gate = as.hold("token", { count: 2 });
  await gate.arrived(2, "1s");
  gate.release(1);
  using _hook = as.on("id_token", (claims) => ({ ...claims, email: undefined }), {
    person: "bob",
    once: true,
  });
  using _public = as.on("metadata", (members) => members, { once: true });
  const forBob: HookTerms = { person: "bob" };
  using _loose = as.on("jwt", (value) => ({ ...value, header: { ...value.header, kid: "x" } }), forBob);
  using _later = as.on(
    "token_response",
    async ({ status, members }) => await Promise.resolve({ status, members }),
  );
  using _seen = as.on("response", ({ status }) => void status.toFixed());

  const method: string | undefined = as.requests.token.last?.clientAuth;
  const reason: string | undefined = (await as.requests.next("token")).refusal?.reason;
  const claims = await as.protect({ scope: "orders" })(new Request("https://api.test"));
  const owner = claims instanceof Response ? claims.status : claims["sub"];
  const { spec, seenBy } = (await as.forge(forgeries[0]!)).verdict;
  const seen: string = seenBy === "scope" || seenBy === "server"
    ? spec
    : seenBy satisfies "verification" | "authentication" | undefined ?? spec;
  const issuer: string = as.tenant("acme", { accessTokens: "opaque" }).issuer + as.env().OAUTH_CLIENT_ID;
  const error: string = new Error() instanceof Refused ? "refused" : as.timeline("har");
  const send: typeof fetch = as.fetch;
  console.log(
    known,
    perhaps,
    added,
    expired,
    text,
    minted,
    ofKind,
    machine,
    renewing,
    forged,
    method,
    reason,
    subject,
    role,
    owner,
    seen,
    issuer,
    error,
    send,
  );
}
