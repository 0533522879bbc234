/** Tokens of workloads: what they contain, that verifiers accept them, and the addresses that hand them out. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify, type JWTVerifyResult } from "jose";
import {
  createMock,
  type Mock,
  type Workload,
  type WorkloadPlatform,
  workloadPlatforms,
  type WorkloadTerms,
} from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { sampleKey } from "../../../world.ts";

/** Verifies the token as a cloud does, by the discovery document of its issuer and the clock of the mock. */
async function verify(as: Mock, { token, issuer }: Workload, audience: string): Promise<JWTVerifyResult> {
  const discovery = await as.fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri: jwksUri } = await discovery.json();
  const keys = createRemoteJWKSet(new URL(jwksUri), { [customFetch]: as.fetch as typeof fetch });
  return await jwtVerify(token, keys, { issuer, audience, currentDate: new Date(as.clock.now * 1000) });
}

const api = "https://api.example";

interface Example {
  readonly terms: WorkloadTerms;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly lifetime: number;
  readonly jwksPath: string;
  /** How long before its issue a token is valid. Absent: it has no nbf. */
  readonly validBefore?: number;
  /** What its provider publishes beside the issuer and the address of the keys. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

const examples: Readonly<Record<WorkloadPlatform, Example>> = {
  "github-actions": {
    terms: { sub: "repo:acme/shop:environment:prod" },
    header: { alg: "RS256", typ: "JWT" },
    claims: {
      aud: api,
      repository: "acme/shop",
      repository_owner: "acme",
      environment: "prod",
      run_attempt: "1",
      workflow_ref: "acme/shop/.github/workflows/deploy.yml@refs/heads/main",
      runner_environment: "github-hosted",
    },
    lifetime: 300,
    jwksPath: "/.well-known/jwks",
    validBefore: 600,
    metadata: {
      subject_types_supported: ["public", "pairwise"],
      response_types_supported: ["id_token"],
      claims_supported: [
        ...["sub", "aud", "exp", "iat", "iss", "jti", "nbf", "ref", "sha", "repository", "repository_id"],
        ...["repository_owner", "repository_owner_id", "run_id", "run_number", "run_attempt", "actor"],
        ...["actor_id", "workflow", "workflow_ref", "workflow_sha", "head_ref", "base_ref", "event_name"],
        ...["ref_type", "ref_protected", "environment", "job_workflow_ref", "job_workflow_sha"],
        ...["repository_visibility", "runner_environment"],
      ],
      id_token_signing_alg_values_supported: ["RS256"],
      scopes_supported: ["openid"],
    },
  },
  "gitlab-ci": {
    terms: { sub: "project_path:acme/web/shop:ref_type:tag:ref:v1" },
    header: { alg: "RS256", typ: "JWT" },
    claims: {
      aud: api,
      namespace_path: "acme/web",
      project_path: "acme/web/shop",
      ref: "v1",
      ref_path: "refs/tags/v1",
      ref_protected: "true",
      runner_id: 1,
      ci_config_ref_uri: "as.test/acme/web/shop//.gitlab-ci.yml@refs/tags/v1",
    },
    lifetime: 3600,
    jwksPath: "/oauth/discovery/keys",
    validBefore: 5,
    metadata: {
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    },
  },
  kubernetes: {
    terms: { sub: "system:serviceaccount:payments:web" },
    header: { alg: "RS256" },
    claims: { aud: [api] },
    lifetime: 3600,
    jwksPath: "/openid/v1/jwks",
    validBefore: 0,
    metadata: {
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    },
  },
  spiffe: {
    terms: { sub: "spiffe://example.org/payments/web" },
    header: { alg: "ES256", typ: "JWT" },
    claims: { aud: [api], jti: undefined, nbf: undefined },
    lifetime: 300,
    jwksPath: "/keys",
    metadata: {
      authorization_endpoint: "",
      response_types_supported: ["id_token"],
      subject_types_supported: [],
      id_token_signing_alg_values_supported: ["RS256", "ES256", "ES384"],
    },
  },
};

for (const platform of workloadPlatforms) {
  const { terms, header, claims, lifetime, jwksPath, validBefore, metadata } = examples[platform];
  test(`workload: ${platform} announces what its provider publishes, and each claim of a token that it lists`, async () => {
    await using as = await createMock({ alg: "ES256" });
    const { issuer, jwksUri, token } = await as.workload(platform, { ...terms, audience: api });
    const discovered = await (await as.fetch(`${issuer}/.well-known/openid-configuration`)).json();
    assertEquals(discovered, { issuer, jwks_uri: jwksUri, ...metadata });
    const { claims_supported: listed = [] } = metadata;
    assertEquals((listed as readonly string[]).filter((name) => !(name in decodeJwt(token))), []);
  });

  test(`workload: jose verifies a token of ${platform} with the discovered keys, by the clock of the mock`, async () => {
    await using as = await createMock({ alg: "EdDSA" });
    as.clock.freeze("2031-05-01T00:00:00Z");
    const workload = await as.workload(platform, { ...terms, audience: api });
    assertEquals(workload.issuer, `https://as.test/${platform}`);
    assertEquals(workload.jwksUri, workload.issuer + jwksPath);
    const { protectedHeader: { kid, ...others }, payload } = await verify(as, workload, api);
    assertEquals([typeof kid, others], ["string", header as typeof others]);
    assertEquals([payload.sub, payload.iat], [terms.sub, Math.floor(as.clock.now)]);
    assertEquals([payload.exp! - payload.iat!, "nbf" in payload], [lifetime, validBefore !== undefined]);
    if (validBefore !== undefined) assertEquals(payload.iat! - payload.nbf!, validBefore);
    assertEquals(Object.fromEntries(Object.keys(claims).map((name) => [name, payload[name]])), { ...claims });
    as.clock.advance(lifetime + 1);
    await assertRejects(() => verify(as, workload, api), Error, '"exp" claim timestamp check failed');
  });
}

const it = testUsing(createMock);

it("workload: the claims of Kubernetes are nested, with the namespace and the name of the account", async (as) => {
  const { token } = await as.workload("kubernetes", { sub: "system:serviceaccount:payments:web" });
  const { "kubernetes.io": own, aud } = decodeJwt(token);
  assertEquals(aud, ["https://as.test/kubernetes"]);
  const { namespace, serviceaccount, pod } = own as Record<string, { readonly name: string }>;
  assertEquals([namespace as unknown, serviceaccount?.name], ["payments", "web"]);
  assertMatch(pod!.name, /^web-/);
});

it("workload: the subject follows from the claims, and the claims from the subject", async (as) => {
  const read = async (platform: WorkloadPlatform, terms: WorkloadTerms) =>
    decodeJwt((await as.workload(platform, terms)).token);
  const subjects: readonly (readonly [WorkloadPlatform, WorkloadTerms["claims"] & object, string])[] = [
    ["github-actions", {}, "repo:octo-org/octo-repo:ref:refs/heads/main"],
    ["github-actions", { repository: "a/b", ref: "refs/tags/v1" }, "repo:a/b:ref:refs/tags/v1"],
    ["github-actions", { environment: "a:b" }, "repo:octo-org/octo-repo:environment:a%3Ab"],
    ["github-actions", { event_name: "pull_request" }, "repo:octo-org/octo-repo:pull_request"],
    ["gitlab-ci", { project_path: "a/b" }, "project_path:a/b:ref_type:branch:ref:main"],
    [
      "kubernetes",
      { "kubernetes.io": { namespace: "a", serviceaccount: { name: "b" } } },
      "system:serviceaccount:a:b",
    ],
  ];
  for (const [platform, claims, sub] of subjects) assertEquals((await read(platform, { claims })).sub, sub);

  const immutable = await read("github-actions", { sub: "repo:a@1/b@2:ref:refs/heads/dev" });
  assertEquals(
    [immutable["repository"], immutable["repository_owner_id"], immutable["repository_id"], immutable["ref"]],
    ["a/b", "1", "2", "refs/heads/dev"],
  );
  // An organization can choose another form.
  const custom = await read("github-actions", { sub: "job_workflow_ref:a/b@main" });
  assertEquals([custom.sub, custom["repository"]], ["job_workflow_ref:a/b@main", "octo-org/octo-repo"]);
  assertEquals((await read("github-actions", { sub: "repo:a/b:pull_request" }))["ref"], "refs/pull/1/merge");
  assertEquals((await read("github-actions", { claims: { repository: "a/b" } })).aud, "https://github.com/a");
  for (const [ref, type] of [["refs/tags/v1", "tag"], ["refs/heads/refs/tags/", "branch"]] as const) {
    assertEquals((await read("github-actions", { claims: { ref } }))["ref_type"], type);
  }
});

it("workload: a test can set claims that no workload chooses, and remove claims", async (as) => {
  const { token } = await as.workload("github-actions", {
    claims: { iss: "https://evil.example", exp: 1, extra: [1], actor: undefined, sub: "repo:x/y" },
    audience: api,
    expiresIn: "1h",
  });
  const claims = decodeJwt(token);
  assertEquals([claims.iss, claims.exp, claims["extra"], "actor" in claims, claims.sub, claims.aud], [
    "https://evil.example",
    1,
    [1],
    false,
    "repo:x/y",
    api,
  ]);
  const gitlab = await as.workload("gitlab-ci", { audience: ["a", "b"], expiresIn: "1h" });
  const { aud, iat = 0, exp = 0 } = decodeJwt(gitlab.token);
  assertEquals([aud, exp - iat], [["a", "b"], 3600]);
});

const wrongIds = [
  ...["example.org/web", "spiffe://", "spiffe://A/b", "spiffe://a/", "spiffe://a//b", "spiffe://a/../b"],
  ...["spiffe://a:8443/b", `spiffe://a/${"b".repeat(2048)}`],
];

const github = "github-actions";

const mistakes: readonly (readonly [platform: string, terms: object, message: string])[] = [
  ["github", {}, "kubernetes, spiffe. Did you mean github-actions?"],
  ["jenkins", {}, 'Cannot mint a token of "jenkins": expected one of github-actions, '],
  [github, { subject: "x" }, "subject is not known: did you mean sub?"],
  [github, { claims: "x" }, "claims must be an object"],
  [github, { claims: { run_number: 1 } }, "claims.run_number must be a string, not 1"],
  ["gitlab-ci", { claims: { ref_protected: true } }, "claims.ref_protected must be a string, not true"],
  ["kubernetes", { claims: { "kubernetes.io": "x" } }, "must be an object"],
  ...["exp", "nbf", "iat"].map((name) =>
    [github, { claims: { [name]: "soon" } }, `claims.${name} must be a number`] as const
  ),
  ...["iss", "sub", "jti", "environment"].map((name) =>
    ["spiffe", { claims: { [name]: 1 }, audience: api }, `claims.${name} must be a string`] as const
  ),
  ...[1, [1], {}].map((aud) => [github, { claims: { aud } }, "claims.aud"] as const),
  [github, { audience: ["a", "b"] }, "GitHub Actions gives a token one audience"],
  [github, { audience: [] }, "audience must"],
  [github, { expiresIn: 0 }, "expected one second or more"],
  ["kubernetes", { sub: "web" }, 'sub must be "system:serviceaccount:NAMESPACE:NAME", not "web"'],
  ["spiffe", {}, "Cannot mint a token of SPIFFE without an audience (JWT-SVID §3.2)"],
  ...wrongIds.map((sub) => ["spiffe", { sub, audience: api }, "sub must be a SPIFFE ID"] as const),
];

it("workload: a token that the platform does not issue is refused, with what it expects", async (as) => {
  for (const [platform, terms, message] of mistakes) {
    await assertRejects(() => as.workload(platform as WorkloadPlatform, terms), TypeError, message);
  }
  assertEquals(as.tenants, []);
  as.tenant("spiffe");
  const exists = "the tenant spiffe exists already, and it is an authorization server";
  await assertRejects(() => as.workload("spiffe", { audience: api }), TypeError, exists);
});

test("workload: where any path names an issuer, a platform replaces one that only requests have used", async () => {
  await using as = await createMock({ paths: "navikt", alg: "ES256" });
  const address = "https://as.test/github-actions/.well-known/openid-configuration";
  const before = await (await as.fetch(address)).json();
  const workload = await as.workload("github-actions", { audience: api });
  const after = await (await as.fetch(address)).json();
  assertEquals([before.issuer, after.issuer], [workload.issuer, workload.issuer]);
  assertEquals([typeof before.token_endpoint, after.token_endpoint], ["string", undefined]);
  await verify(as, workload, api);
});

it("workload: the platform is a tenant with its endpoints only, and its journal, hooks and keys", async (as) => {
  const first = await as.workload("spiffe", { audience: api });
  const platform = as.tenant("spiffe");
  assertEquals([as.tenants, platform.issuer], [["spiffe"], first.issuer]);
  for (const path of ["", "/", "/oauth2/token", "/oauth2/jwks", "/oauth2/authorize", "/userinfo"]) {
    assertEquals((await as.fetch(first.issuer + path)).status, 404, path);
  }
  await platform.rotateKeys();
  await verify(as, first, api);
  const second = await as.workload("spiffe", { audience: api });
  assert(second.token.split(".")[0] !== first.token.split(".")[0]);
  await verify(as, second, api);

  using _hook = platform.on("id_token", (claims) => ({ ...claims, actor: "mallory" }));
  assertEquals(decodeJwt((await as.workload("spiffe", { audience: api })).token)["actor"], "mallory");
  assertEquals(platform.requests.map(({ endpoint }) => endpoint).slice(-2), ["metadata", "jwks"]);
  await platform.close();
  await verify(as, await as.workload("spiffe", { audience: api }), api);
});

test("workload: the clock of the platform follows that of the mock, and a test can turn it further", async () => {
  await using as = await createMock({ seed: 1 });
  const issuedAt = async () => decodeJwt((await as.workload("gitlab-ci")).token).iat! - as.clock.now;
  assertEquals(await issuedAt(), 0);
  as.clock.advance("1d");
  assertEquals(await issuedAt(), 0);
  as.tenant("gitlab-ci").clock.advance("10m");
  assertEquals(await issuedAt(), 600);
});

test("workload: mocks with one seed mint the same tokens, with RS256", async () => {
  const mint = async () => {
    await using as = await createMock({ seed: "ci" });
    return (await as.workload("github-actions")).token;
  };
  assertEquals(await mint(), await mint());
});

test("workload: the mock's own keys sign, and a platform without a key for its algorithm is an error", async () => {
  await using as = await createMock({ alg: "ES256", signingKeys: [sampleKey] });
  await verify(as, await as.workload("spiffe", { audience: api }), api);
  const lacking = "Cannot create tenant github-actions: signingKeys must hold a key for RS256";
  await assertRejects(() => as.workload("github-actions"), TypeError, lacking);
});

/** Asks for a token as a program of the workload does. */
function ask(as: Mock, { request: { url, bearer } }: Workload, query = "", headers = {}): Promise<Response> {
  return as.fetch(url + query, { headers: { authorization: `bearer ${bearer}`, ...headers } });
}

test("workload: the platform is at each address of its mock, and the option journal hears of it", async () => {
  const heard: string[] = [];
  const [issuer, other] = ["http://10.0.0.5:9000", "http://10.0.0.6:9000"];
  await using as = await createMock({
    ...{ issuer, also: [other], allowPrivateHttp: true, clients: [], people: [] },
    journal: ({ request }) => void heard.push(request.path),
  });
  const workload = await as.workload("github-actions", { audience: api });
  const path = "/github-actions/.well-known/openid-configuration";
  const found = await (await as.fetch(other + path)).json();
  assertEquals([workload.issuer, found.issuer], [`${issuer}/github-actions`, `${issuer}/github-actions`]);
  assertEquals(heard, [path]);
});

it("workload: the address of GitHub Actions gives a token for each audience, in the form of @actions/core", async (as) => {
  const workload = await as.workload("github-actions", { sub: "repo:a/b:ref:refs/heads/main" });
  const { env: { ACTIONS_ID_TOKEN_REQUEST_URL: url = "", ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } } =
    workload;
  const response = await as.fetch(`${url}&audience=${encodeURIComponent(api)}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const { count, value } = await response.json();
  assertEquals([response.status, count], [200, value.length]);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const { payload } = await verify(as, { ...workload, token: value }, api);
  assertEquals(payload.sub, "repo:a/b:ref:refs/heads/main");
  const askUsual = async (query: string) =>
    (await (await as.fetch(url + query, { headers: { authorization: `Bearer ${bearer}` } })).json()).value;
  const usual = await askUsual("");
  for (const token of [usual, await askUsual("&audience=")]) {
    assertEquals(decodeJwt(token).aud, "https://github.com/a");
  }
  assertMatch(payload.jti ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert(decodeJwt(usual).jti !== payload.jti);

  as.reset();
  assertEquals((await ask(as, workload)).status, 200);
});

it("workload: the address of another platform gives the token alone", async (as) => {
  const workload = await as.workload("kubernetes");
  const response = await ask(as, workload, "?audience=vault");
  assertEquals([response.status, response.headers.get("content-type")], [200, "application/jwt"]);
  await verify(as, { ...workload, token: await response.text() }, "vault");
  assertEquals(workload.env, {});
});

function reasonOf(as: Mock): string | undefined {
  return as.tenant("github-actions").requests.token.last?.refusal?.reason;
}

it("workload: a wrong bearer, or two audiences in one request, get no token", async (as) => {
  const workload = await as.workload("github-actions");
  const other = await as.workload("kubernetes");
  for (const authorization of ["", "Bearer", "Bearer x", `Basic x`, `Bearer ${other.request.bearer}`]) {
    const response = await ask(as, workload, "", { authorization });
    const { message, value } = await response.json();
    assertEquals([response.status, typeof message, value], [401, "string", undefined], authorization);
    assertEquals(response.headers.get("www-authenticate"), "Bearer");
    assertEquals(reasonOf(as), "workload_bearer_wrong");
  }
  assertEquals((await ask(as, workload, "?audience=a&audience=b")).status, 400);
  assertEquals(reasonOf(as), "workload_audience_repeated");
});

it("workload: a page of another site gets no token, even with the bearer", async (as) => {
  const workload = await as.workload("github-actions");
  const page = { origin: "https://evil.example" };
  const origins = [page, { origin: "http://localhost:3000" }, { origin: "null" }];
  for (const headers of [...origins, { "sec-fetch-site": "cross-site" }]) {
    const response = await ask(as, workload, "", headers);
    assertEquals([response.status, (await response.json()).value], [403, undefined]);
    assertEquals(response.headers.get("access-control-allow-origin"), null);
  }
  assertEquals(reasonOf(as), "workload_origin_foreign");
  const preflight = await as.fetch(workload.request.url, {
    method: "OPTIONS",
    headers: {
      ...page,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    },
  });
  assertEquals([preflight.status, preflight.headers.get("access-control-allow-origin")], [405, null]);
});

it("workload: no view of the journal has a token or a bearer", async (as) => {
  const workload = await as.workload("github-actions");
  const { value } = await (await ask(as, workload)).json();
  const platform = as.tenant("github-actions");
  const views = [
    platform.timeline(),
    platform.timeline("jsonl"),
    platform.timeline("har"),
    await platform.timeline("html"),
    platform.explain() ?? "",
  ].join("\n");
  const secrets = [workload.request.bearer, value, value.split(".")[2]];
  assertEquals(secrets.filter((secret) => views.includes(secret)), []);
});
