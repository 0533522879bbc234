/** `postern start --paths`: the issuer, and with navikt an issuer for each name. */

import { assertEquals } from "@std/assert";
import { createIssuers } from "../../../src/tools/cli/start/issuers.ts";
import { readPlan } from "../../../src/tools/cli/start/plan.ts";
import type { StartFlags } from "../../../src/tools/cli/start/start_flags.ts";
import { createPlainRequest } from "../../../src/kit/mock/client/plain_request.ts";
import { pathProfiles } from "../../../src/server/oauth/contracts/paths.ts";
import { createBegunIssuers } from "../../../src/kit/mock/begun_issuers.ts";
import { test } from "../../runner.ts";
import { withServer } from "./in_process.ts";

const plans: readonly (readonly [flags: StartFlags, issuer: string, token: string])[] = [
  [{ paths: "axa", port: "8080" }, "http://localhost:8080", "/token"],
  [{ paths: "navikt", port: "8080" }, "http://localhost:8080/default", "/token"],
  [{ paths: "navikt", "tls-cert": "c.pem", port: "443" }, "https://localhost/default", "/token"],
  [{ paths: "navikt", issuer: "http://localhost:7/azuread" }, "http://localhost:7/azuread", "/token"],
  [{ paths: "auth0", port: "8080" }, "http://localhost:8080/", "/oauth/token"],
  [{ paths: "auth0", issuer: "http://localhost:7" }, "http://localhost:7", "/oauth/token"],
];

for (const [flags, issuer, token] of plans) {
  test(`plan: ${JSON.stringify(flags)} gives the issuer ${issuer} and the path ${token}`, async () => {
    const { settings } = await readPlan(flags);
    assertEquals([settings.issuer, settings.paths.token], [issuer, token]);
  });
}

interface Served {
  readonly created: string[];
  readonly closed: string[];
  readonly ended: string[];
  answeredBy(path: string): Promise<string>;
  close(): Promise<void>;
}

function serve(
  issuer: string,
  begun = createBegunIssuers(() => 1_800_000_000),
  demoResource?: string,
): Served {
  const created: string[] = [];
  const closed: string[] = [];
  const ended: string[] = [];
  const { answer, close } = createIssuers({
    issuer,
    also: ["http://postern:9000"],
    profile: pathProfiles.navikt,
    begun,
    demoResource,
    onEnd: (issuer) => void ended.push(issuer),
    create(url, name) {
      created.push(`${name} ${url}`);
      return {
        answer: () => Promise.resolve({ status: 200, headers: {}, body: name }),
        close: () => Promise.resolve(void closed.push(name)),
      };
    },
  });
  return {
    ...{ created, closed, ended },
    async answeredBy(path) {
      const url = URL.canParse(path) ? path : `http://localhost:8080${path}`;
      return `${(await answer(createPlainRequest({ url }))).body}`;
    },
    close,
  };
}

test("issuers: one begins at the first request to one of its endpoints, and has its pages from then on", async () => {
  const { created, closed, answeredBy, close } = serve("http://localhost:8080/default");
  const answered: readonly (readonly [path: string, name: string])[] = [
    ["/default/token", "default"],
    ["/azuread/oauth2/sign_in", "default"],
    ["/azuread/.well-known/openid-configuration", "azuread"],
    ["/azuread/oauth2/sign_in", "azuread"],
    ["/.well-known/oauth-authorization-server/tokenx", "tokenx"],
    ["/", "default"],
    ["/token", "default"],
    ["http://third:9000/elsewhere/token", "default"],
    ["http://evil.test:8080/elsewhere/token", "default"],
    ["http://postern:9000/elsewhere/token", "elsewhere"],
    ["http://127.0.0.1:8080/local/token", "local"],
  ];
  for (const [path, name] of answered) assertEquals([path, await answeredBy(path)], [path, name]);
  assertEquals(created, [
    "default http://localhost:8080/default",
    "azuread http://localhost:8080/azuread",
    "tokenx http://localhost:8080/tokenx",
    "elsewhere http://localhost:8080/elsewhere",
    "local http://localhost:8080/local",
  ]);
  await close();
  assertEquals(closed, ["default", "azuread", "tokenx", "elsewhere", "local"]);
});

test("issuers: a changed configuration keeps the issuers that have begun", async () => {
  const begun = createBegunIssuers(() => 1_800_000_000);
  await serve("http://localhost:8080/default", begun).answeredBy("/azuread/jwks");
  assertEquals(
    await serve("http://localhost:8080/default", begun).answeredBy("/azuread/oauth2/sign_in"),
    "azuread",
  );
});

test("issuers: one that ends is closed, and the caller hears of it", async () => {
  let time = 1_800_000_000;
  const { closed, ended, answeredBy, close } = serve(
    "http://localhost:8080/default",
    createBegunIssuers(() => time),
  );
  await answeredBy("/azuread/jwks");
  time += 3600;
  await answeredBy("/tokenx/jwks");
  assertEquals([closed, ended], [["azuread"], ["http://localhost:8080/azuread"]]);
  await close();
  assertEquals(closed, ["azuread", "default", "tokenx"]);
});

test("issuers: a name has at most 100 characters, because names of records contain it", async () => {
  const { created, answeredBy } = serve("http://localhost:8080/default");
  assertEquals(await answeredBy(`/${"a".repeat(101)}/token`), "default");
  assertEquals(created.length, 1);
  assertEquals(await answeredBy(`/${"a".repeat(100)}/token`), "a".repeat(100));
});

test("issuers: no name hides a path of an issuer without a path", async () => {
  const { created, answeredBy } = serve("http://localhost:8080");
  for (const name of ["oauth2", "static", "start", "authorized", "health", "token", "jwks", "endsession"]) {
    assertEquals([name, await answeredBy(`/${name}/token`)], [name, ""]);
  }
  assertEquals([created.length, await answeredBy("/default/token")], [1, "default"]);
});

test("issuers: no name hides the demo resource", async () => {
  const { created, answeredBy } = serve("http://localhost:8080/x/default", undefined, "/x/shop/api");
  for (const path of ["/x/shop/token", "/x/shop/api"]) {
    assertEquals([path, await answeredBy(path)], [path, "default"]);
  }
  assertEquals(created.length, 1);
});

test("start: --paths navikt serves /default and any other issuer, each with keys of its own", async () => {
  await withServer(["--paths", "navikt"], async ({ port, issuer, stdout }) => {
    assertEquals(issuer, `http://localhost:${port}/default`);
    assertEquals(stdout().includes(`Any other name is an issuer, too: http://localhost:${port}/NAME`), true);
    const keys = await Promise.all(["default", "azuread"].map(async (name) => {
      const url = `http://localhost:${port}/${name}/.well-known/openid-configuration`;
      const metadata = await (await fetch(url)).json();
      assertEquals(metadata.issuer, `http://localhost:${port}/${name}`);
      const { keys } = await (await fetch(metadata.jwks_uri)).json();
      return keys.find(({ alg }: { readonly alg: string }) => alg === "ES256").kid;
    }));
    assertEquals(keys[0] === keys[1], false);
  });
});
