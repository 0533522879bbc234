/** The programs that `postern start --print` prints for a page and for a framework work as they are: each is run. */

import { assertEquals } from "@std/assert";
import process from "node:process";
import { InMemoryWebStorage, UserManager, type UserManagerSettings } from "oidc-client-ts";
import { load } from "../../portable/server/clients/express_application.ts";
import { test } from "../../runner.ts";
import { sampleKey } from "../../world.ts";
import {
  AsyncFunction,
  callback,
  type ClientRow,
  clientsAt,
  leave,
  runPrinted,
  secret,
  signingClientsAt,
  withServer,
} from "./printed_program.ts";

interface Page {
  /** Runs the program at this address, until it ends or leaves for another address. */
  run(program: string, href: string): Promise<string | undefined>;
}

/** A stand-in for a browser, as far as oidc-client-ts needs one. Its storage outlives the page. */
function createBrowser(): Page {
  const [localStorage, sessionStorage] = [new InMemoryWebStorage(), new InMemoryWebStorage()];
  return {
    async run(program, href) {
      const left = Promise.withResolvers<string>();
      const location = { href, origin: new URL(href).origin, assign: left.resolve };
      const page = { location, localStorage, sessionStorage, addEventListener() {} };
      Object.assign(globalThis, { window: { ...page, self: page } });
      const managers: UserManager[] = [];
      const values = {
        ...{ location, OAUTH_CLIENT_SECRET: secret, console: { log: left.resolve } },
        UserManager: function (settings: UserManagerSettings) {
          const manager = new UserManager(settings);
          managers.push(manager);
          return manager;
        },
      };
      try {
        await Promise.race([left.promise, runPrinted(program, values, "undefined")]);
        return await left.promise;
      } finally {
        // Removing the user stops the timers of the silent renew.
        await Promise.all(managers.map((manager) => manager.removeUser()));
        Reflect.deleteProperty(globalThis, "window");
      }
    },
  };
}

for (const [name, configuration] of clientsAt(callback)) {
  test(`application: the printed oidc-client-ts page signs people in with ${name}`, () =>
    withServer("oidc-client-ts", configuration, async (printed, visitor) => {
      const browser = createBrowser();
      const answer = await leave(visitor, (await browser.run(printed, "http://localhost:3000/"))!);
      assertEquals(await browser.run(printed, answer.href), "Alice Adams");
    }));
}

const nextCallback = "http://localhost:3000/api/auth/callback/postern";

for (
  const [name, configuration] of [
    ...clientsAt(nextCallback),
    ...signingClientsAt(nextCallback),
    ["a client whose tokens another algorithm signs", { alg: "ES256" }],
    [
      "a client under the name that its redirect URI has",
      { clients: [{ client_id: "shop", redirect_uris: [nextCallback.replace(/postern$/, "our-as")] }] },
    ],
  ] satisfies readonly ClientRow[]
) {
  test(`application: the printed next-auth 4 route signs people in with ${name}`, () =>
    withServer("next-auth", configuration, async (printed, visitor) => {
      const [, id] = /^ {4}id: "(.*)",$/m.exec(printed)!;
      const [, url] = /NEXTAUTH_URL=(\S+),/.exec(printed)!;
      Object.assign(process.env, { NEXTAUTH_URL: url, NEXTAUTH_SECRET: "a secret of the application's own" });
      try {
        const application = await createNextApplication(printed);
        const { csrfToken } = (await application.send("csrf")).body;
        const asked = await application.send(`signin/${id}`, { csrfToken });
        const answer = await leave(visitor, asked.location!);
        assertEquals(answer.pathname, `/api/auth/callback/${id}`);
        await application.send(`callback/${id}${answer.search}`);
        const { user } = (await application.send("session")).body;
        assertEquals([user.name, user.email], ["Alice Adams", "alice@example.com"]);
      } finally {
        for (const name of ["NEXTAUTH_URL", "NEXTAUTH_SECRET"]) delete process.env[name];
      }
    }));
}

interface NextAnswer {
  // deno-lint-ignore no-explicit-any
  readonly body?: any;
  readonly location?: string;
}

type NextHandler = (request: unknown, response: unknown) => Promise<void>;

/** Calls the route as the pages router of Next.js does, and keeps the cookies. */
async function createNextApplication(printed: string) {
  const NextAuth = await load<{ readonly default: unknown }>("next-auth");
  const program = printed.replace(/^import .*$/m, "").replace(/^export .*$/m, "");
  const handler: NextHandler = await new AsyncFunction(
    "NextAuth",
    "process",
    "privateKey",
    `${program}\nreturn handler;`,
  )(
    NextAuth.default,
    process,
    sampleKey,
  );
  const cookies: Record<string, string> = {};
  return {
    send(path: string, body?: Readonly<Record<string, string>>): Promise<NextAnswer> {
      const { pathname, searchParams } = new URL(path, "http://localhost:3000/");
      const request = {
        method: body === undefined ? "GET" : "POST",
        ...{ headers: {}, cookies, body },
        query: { ...Object.fromEntries(searchParams), nextauth: pathname.slice(1).split("/") },
      };
      return new Promise((resolve, reject) => {
        const headers = new Map<string, unknown>();
        const end = (body?: unknown) => {
          for (const line of (headers.get("Set-Cookie") ?? []) as string[]) {
            const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
            cookies[name] = decodeURIComponent(value);
          }
          const location = headers.get("Location") as string;
          resolve({ body, location });
        };
        const response = {
          ...{ end, json: end, send: end, getHeader: (name: string) => headers.get(name) },
          status: () => response,
          setHeader: (name: string, value: unknown) => (headers.set(name, value), response),
        };
        handler(request, response).catch(reject);
      });
    },
  };
}
