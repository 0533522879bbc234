/** `postern start --paths`: the issuer, and with navikt an issuer for each name. */

import { assertEquals, assertRejects } from "@std/assert";
import { CommandError } from "../../src/cli/command_error.ts";
import { createIssuers } from "../../src/cli/issuers.ts";
import type { Answer } from "../../src/http/message.ts";
import { type PlanFlags, readPlan } from "../../src/cli/plan.ts";
import { start } from "../../src/cli/start.ts";
import { createPlainRequest } from "../../src/mock/client/plain_request.ts";
import { pathProfiles } from "../../src/oauth/endpoints/paths.ts";
import { createBegunIssuers } from "../../src/server/begun_issuers.ts";
import { test } from "../runner.ts";
import { complaintOf, withServer } from "./command.ts";

const plans: readonly (readonly [flags: PlanFlags, issuer: string, token: string])[] = [
  [{ paths: "axa", port: "8080" }, "http://localhost:8080", "/token"],
  [{ paths: "navikt", port: "8080" }, "http://localhost:8080/default", "/token"],
  [{ paths: "navikt", "tls-cert": "c.pem", port: "443" }, "https://localhost/default", "/token"],
  [{ paths: "navikt", issuer: "http://localhost:7/azuread" }, "http://localhost:7/azuread", "/token"],
  [{}, "http://localhost:9000", "/oauth2/token"],
];

for (const [flags, issuer, token] of plans) {
  test(`plan: ${JSON.stringify(flags)} gives the issuer ${issuer} and the path ${token}`, async () => {
    const { settings } = await readPlan(flags);
    assertEquals([settings.issuer, settings.paths.token], [issuer, token]);
  });
}

test("start: an unknown name of paths is refused", async () => {
  assertEquals(
    await complaintOf(start, "--paths", "auth0"),
    '2: --paths must be one of root, axa, navikt, keycloak, not "auth0"',
  );
  await assertRejects(
    () => readPlan({ paths: "auth0" }),
    CommandError,
    "--paths must be one of root, axa, navikt, keycloak",
  );
});

interface Served {
  readonly created: string[];
  readonly closed: string[];
  readonly ended: string[];
  send(
    path: string,
    terms?: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Answer>;
  answeredBy(path: string, headers?: Readonly<Record<string, string>>): Promise<string>;
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
    profile: pathProfiles.navikt,
    begun,
    demoResource,
    onEnd: (issuer) => void ended.push(issuer),
    create(url, name, noteRecord) {
      created.push(`${name} ${url}`);
      return {
        answer(request) {
          if (request.method === "POST") noteRecord();
          return Promise.resolve({ status: 200, headers: {}, body: name });
        },
        close: () => Promise.resolve(void closed.push(name)),
      };
    },
  });
  const send: Served["send"] = (path, { method = "GET", headers = {} } = {}) => {
    const url = URL.canParse(path) ? path : `http://localhost:8080${path}`;
    return answer({ ...createPlainRequest({ url, headers }), method });
  };
  return {
    ...{ created, closed, ended, send },
    answeredBy: async (path, headers = {}) => `${(await send(path, { headers })).body}`,
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
    ["/a/b/token", "default"],
    ["/../token", "default"],
  ];
  for (const [path, name] of answered) assertEquals([path, await answeredBy(path)], [path, name]);
  assertEquals(created, [
    "default http://localhost:8080/default",
    "azuread http://localhost:8080/azuread",
    "tokenx http://localhost:8080/tokenx",
  ]);
  await close();
  assertEquals(closed, ["default", "azuread", "tokenx"]);
});

test("issuers: a changed configuration keeps the issuers that have begun", async () => {
  const begun = createBegunIssuers(() => 1_800_000_000);
  await serve("http://localhost:8080/default", begun).answeredBy("/azuread/jwks");
  assertEquals(
    await serve("http://localhost:8080/default", begun).answeredBy("/azuread/oauth2/sign_in"),
    "azuread",
  );
});

test("issuers: a name has at most 100 characters, because names of records contain it", async () => {
  const { created, answeredBy } = serve("http://localhost:8080/default");
  assertEquals(await answeredBy(`/${"a".repeat(101)}/token`), "default");
  assertEquals(created.length, 1);
  assertEquals(await answeredBy(`/${"a".repeat(100)}/token`), "a".repeat(100));
});

test("issuers: there are 100 at most", async () => {
  const { created, answeredBy } = serve("http://localhost:8080/x/main");
  for (let count = 0; count < 120; count++) await answeredBy(`/x/issuer-${count}/jwks`);
  assertEquals([created.length, created[99]], [100, "issuer-98 http://localhost:8080/x/issuer-98"]);
  assertEquals(await answeredBy("/x/issuer-98/jwks"), "issuer-98");
  const { error, error_description: description } = JSON.parse(await answeredBy("/x/issuer-99/jwks"));
  assertEquals([error, description.includes("as many issuers as requests can create: 100")], [
    "temporarily_unavailable",
    true,
  ]);
});

test("issuers: one without records makes room after ten minutes, and ends after an hour; the others stay", async () => {
  let time = 1_800_000_000;
  const { created, closed, ended, send, answeredBy, close } = serve(
    "http://localhost:8080/default",
    createBegunIssuers(() => time),
  );
  await send("/used/token", { method: "POST" });
  time += 100;
  for (let count = 1; count < 99; count++) await answeredBy(`/unused-${count}/jwks`);
  const full = await send("/next/jwks");
  assertEquals([full.status, full.headers["retry-after"]], [503, "600"]);
  time += 600;
  assertEquals(await answeredBy("/next/jwks"), "next");
  assertEquals([closed, ended], [["unused-1"], ["http://localhost:8080/unused-1"]]);
  time += 3600;
  assertEquals(await answeredBy("/later/jwks"), "later");
  assertEquals([closed.length, closed.includes("used"), closed.includes("next")], [99, false, true]);
  assertEquals([await answeredBy("/used/jwks"), await answeredBy("/unused-1/jwks")], ["used", "unused-1"]);
  assertEquals(created.filter((each) => each.startsWith("used ")).length, 1);
  await close();
});

// A web page in another tab can send these with <img> or fetch, without reading the answer.
const ofAnotherSite = {
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "no-cors",
  "sec-fetch-dest": "image",
};

test("issuers: a page of another site leaves half of the names to others", async () => {
  const { created, answeredBy } = serve("http://localhost:8080/default");
  for (let count = 0; count < 120; count++) await answeredBy(`/spam-${count}/token`, ofAnotherSite);
  assertEquals([created.length, await answeredBy("/honest/token")], [50, "honest"]);
});

test("issuers: a request with a foreign Host begins none", async () => {
  const { created, answeredBy } = serve("http://localhost:8080/default");
  assertEquals(await answeredBy("http://evil.test:8080/azuread/token"), "default");
  assertEquals([created.length, await answeredBy("http://127.0.0.1:8080/azuread/token")], [1, "azuread"]);
});

test("issuers: no name hides a path of an issuer without a path", async () => {
  const { created, answeredBy } = serve("http://localhost:8080");
  for (const name of ["oauth2", "static", "start", "authorized", "health", "token", "jwks", "endsession"]) {
    assertEquals([name, await answeredBy(`/${name}/token`)], [name, ""]);
  }
  assertEquals([created.length, await answeredBy("/default/token")], [1, "default"]);
});

test("issuers: no name hides the demo resource", async () => {
  for (
    const [issuer, demoResource] of [
      ["http://localhost:8080", "/shop"],
      ["http://localhost:8080/default", "/shop/api"],
      ["http://localhost:8080/x/default", "/x/shop"],
    ] as const
  ) {
    const { created, answeredBy } = serve(issuer, undefined, demoResource);
    const [name, below] = [
      issuer.split("/").at(-1)!.replace(/^localhost.*/, ""),
      demoResource.split("shop")[0],
    ];
    for (const path of [`${below}shop/token`, demoResource]) {
      assertEquals([path, await answeredBy(path)], [path, name]);
    }
    assertEquals(created.length, 1);
  }
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
      return keys[0].kid;
    }));
    assertEquals(keys[0] === keys[1], false);
    // The front page of the issuer, as people open it.
    const page = await fetch(issuer);
    assertEquals([page.status, (await page.text()).startsWith("<!doctype html>")], [200, true]);
  });
});
