/** The issuer comes from the configuration, never from a request. */

import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import {
  challenge,
  createWorld,
  navigationHeaders,
  redirectUri,
  verifier,
  type World,
  type WorldOptions,
} from "../world.ts";
import { type Address, addresses, everyAddress, requestTo } from "./site.ts";

const evil = "evil.example";

/** Headers in which a request names a host, a scheme, a path or a method of its own. */
const forged: readonly Readonly<Record<string, string>>[] = [
  {
    host: evil,
    "x-forwarded-host": evil,
    "x-forwarded-server": evil,
    "x-host": evil,
    "x-original-host": evil,
    via: `1.1 ${evil}`,
    forwarded: `for=127.0.0.1;host=${evil};proto=http`,
    "x-forwarded-proto": "http",
    "x-forwarded-scheme": "http",
    "front-end-https": "off",
    "x-forwarded-port": "1234",
    "x-forwarded-prefix": "/evil",
    "x-original-url": "/",
    "x-forwarded-for": "127.0.0.1",
    "x-real-ip": "127.0.0.1",
    "x-rewrite-url": "/",
    "x-http-method-override": "DELETE",
    "x-http-method": "DELETE",
    "x-method-override": "DELETE",
  },
  { host: `as.test:443@${evil}` },
  { host: "" },
];

/** Repeatable bytes instead of random ones, so that two worlds give identical answers. */
function repeating(): WorldOptions["random"] & object {
  let count = 0;
  return (length) => Uint8Array.from({ length }, () => count++ % 251);
}

const params = {
  client_id: "public",
  redirect_uri: redirectUri,
  response_type: "code",
  scope: "read",
  state: "s",
  code_challenge: challenge,
  code_challenge_method: "S256",
  code: "x",
  code_verifier: verifier,
  grant_type: "authorization_code",
};

async function describeAnswer(response: Response): Promise<string> {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return [response.status, ...lines, "", await response.text()].join("\n");
}

for (const { method, path } of addresses) {
  test(`host, ${method} ${path}: forged Host and forwarding headers change nothing`, async () => {
    const clients = [{ client_id: "public", redirect_uris: [redirectUri, "https://as.test/authorized"] }];
    for (const login of path === "/oauth2/authorize" ? ["auto", "picker"] : ["auto"]) {
      const answerTo = async (headers: Readonly<Record<string, string>>) => {
        // Each answer comes from a new server, so that all have the same random bytes.
        const world = createWorld({ login, random: repeating(), ...everyAddress, clients });
        const response = await world.fetch(requestTo(world, { method, path }, params, headers));
        return await describeAnswer(response).finally(() => world.close());
      };
      const honest = await answerTo({});
      for (const headers of forged) {
        const told = await answerTo(headers);
        assertEquals(told, honest, JSON.stringify(headers));
        assert(!told.includes(evil));
      }
    }
  });
}

const hosts = [
  ...[evil, `as.test.${evil}`, "xas.test", "sub.as.test", "as.test.", "as.test:444"],
  ...["127.0.0.2", "127.0.0.1.evil.example", "localhost.evil.example", "evillocalhost"],
  ...["0.0.0.0", "[::2]", "[::]", "[::ffff:127.0.0.1]"],
];

const isIpAddress = (host: string) => /^(\d+(\.\d+){3}|\[[\da-f:.]+\])$/.test(host);

for (const scheme of ["https", "http"]) {
  test(`host: a request for another host by ${scheme} gets 421 at every path, but for probes (RFC 9110 §7.4)`, async () => {
    await using world = createWorld({ login: "auto", ...everyAddress });
    const requireRefused = async (host: string, { method, path }: Pick<Address, "method" | "path">) => {
      const { pathname, search } = new URL(requestTo(world, { method, path }, params).url);
      const target = `${scheme}://${host}${pathname}${search}`;
      const response = await world.fetch(new Request(target, { method }));
      assertEquals([response.status, response.headers.get("location")], [421, null], target);
      assertEquals(response.headers.getSetCookie(), [], target);
      assert(!(await response.text()).includes(`//${host}`), target);
      const { reason, expected } = world.lastRefusal()!;
      assertEquals(reason, "host_unknown");
      assertEquals(expected, "https://as.test, or the other name as the issuer of this server");
    };
    const isProbe = ({ path }: Pick<Address, "path">) => path === "/health" || path === "/ready";
    for (const host of hosts) {
      for (const path of ["/", "/oauth2/authorize", "/oauth2/jwks", "/nowhere"]) {
        await requireRefused(host, { method: "GET", path });
      }
      for (const [path, status] of [["/health", "ok"], ["/ready", "ready"]] as const) {
        if (!isIpAddress(host)) await requireRefused(host, { method: "GET", path });
        else {
          // Probes of containers send an IP address. A page with a name of its own cannot, so it learns nothing.
          const response = await world.fetch(new Request(`${scheme}://${host}${path}`));
          assertEquals([response.status, await response.json()], [200, { status, issuer: world.issuer }]);
        }
      }
    }
    for (const address of addresses) {
      await requireRefused(evil, address);
      if (!isProbe(address)) await requireRefused("127.0.0.2", address);
    }
  });
}

const it = testInWorld({});

it("host: behind a TLS proxy and on loopback, the server keeps its configured issuer", async (world) => {
  const origins = ["https://as.test", "https://AS.TEST", "https://as.test:443", "http://as.test"];
  for (const origin of [...origins, "http://localhost:1", "http://127.0.0.1:65535", "http://[::1]:9"]) {
    const response = await world.get(`${origin}/.well-known/oauth-authorization-server`);
    assertEquals(response.status, 200, origin);
    const metadata = await response.json() as Record<string, string>;
    assertEquals(metadata["issuer"], "https://as.test");
    for (const [name, value] of Object.entries(metadata)) {
      if (/_endpoint$|_uri$/.test(name)) assert(value.startsWith("https://as.test/"), `${name} ${value}`);
    }
    const start = new URL(world.authorizeUrl());
    const answer = await world.get(`${origin}${start.pathname}${start.search}`);
    assertEquals(new URL(answer.headers.get("location")!).searchParams.get("iss"), "https://as.test");
  }
});

test("host: cookies follow the configured issuer, not the scheme of the request", async () => {
  for (const [issuer, secure] of [["https://as.test", true], ["http://localhost:9000", false]] as const) {
    await using world: World = createWorld({ issuer, login: "picker" });
    for (const origin of ["http://localhost:9000", "https://localhost:9000"]) {
      const start = new URL(world.authorizeUrl());
      const response = await world.fetch(
        new Request(`${origin}${start.pathname}${start.search}`, {
          headers: { "x-forwarded-proto": "http" },
        }),
      );
      const [cookie, ...others] = response.headers.getSetCookie();
      assertEquals(others, []);
      assertEquals([cookie!.startsWith("__Host-"), /; Secure/.test(cookie!)], [secure, secure], origin);
    }
  }
});

it("host: a path that looks like another host's address gets 404 and no redirect", async (world) => {
  const forms = ["//", "/\\", "/%2f%2f", "/.//", "/@"].map((start) => `${start}evil.example`);
  for (const path of [...forms, "//evil.example/.."]) {
    const response = await world.fetch(new Request(`${world.issuer}${path}`, { headers: navigationHeaders }));
    assertEquals([response.status, response.headers.get("location")], [404, null], path);
  }
});
