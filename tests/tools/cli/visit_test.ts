/** `postern visit`: an authorization URL without a browser. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createNetServer } from "node:net";
import { visit } from "../../../src/tools/cli/commands/visit.ts";
import { queryOf } from "../../server/libraries/recordings.ts";
import { test } from "../../runner.ts";
import { challenge } from "../../world.ts";
import { complaintOf, type RunningServer } from "./command.ts";
import { run, runWith, withConfiguredServer, withServer } from "./in_process.ts";

interface Application {
  readonly redirectUri: string;
  /** The method, the path with its query, and the body of each request. */
  readonly requests: readonly string[];
}

/** An application that redirects its callback to /home, and /login to the address that its query names. */
async function withApplication(work: (application: Application) => Promise<void>): Promise<void> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => body += text).on("end", () => {
      requests.push(`${request.method} ${request.url} ${body}`.trim());
      const isCallback = request.url!.startsWith("/callback");
      const [, login] = request.url!.split("/login?");
      if (login) response.writeHead(302, { location: decodeURIComponent(login), "set-cookie": "state=1" });
      else if (isCallback && !/error=/.test(request.url!)) response.writeHead(302, { location: "/home" });
      else response.writeHead(isCallback ? 403 : 200);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await work({ redirectUri: `http://127.0.0.1:${port}/callback`, requests });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function authorizeUrl(
  issuer: string,
  redirectUri: string,
  changed: Readonly<Record<string, string>> = {},
): string {
  const params = {
    response_type: "code",
    client_id: "app",
    redirect_uri: redirectUri,
    scope: "openid",
    state: "the-state",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changed,
  };
  return `${issuer}/oauth2/authorize?${new URLSearchParams(params)}`;
}

function onServer(flags: readonly string[], work: (server: RunningServer) => Promise<void>) {
  return async (): Promise<void> => void await withServer(flags, work);
}

test(
  "visit: it signs in, approves, opens the redirect URI on this machine, and prints where that ends",
  onServer([], ({ issuer }) =>
    withApplication(async ({ redirectUri, requests }) => {
      const { origin } = new URL(redirectUri);
      const ended = await run("visit", authorizeUrl(issuer, redirectUri));
      assertEquals(ended, { code: 0, stdout: `${origin}/home\n`, stderr: "" });
      const [callback = "", home] = requests;
      const params = new URL(callback.slice("GET ".length), origin).searchParams;
      assertEquals([[...params.keys()], params.get("state"), home], [
        ["code", "state", "iss"],
        "the-state",
        "GET /home",
      ]);
    })),
);

test(
  "visit: from the address of the application, the person whom --as names signs in on the page",
  onServer(["--control"], ({ issuer }) =>
    withApplication(async ({ redirectUri, requests }) => {
      const { origin } = new URL(redirectUri);
      const begin = (to: string) => `${origin}/login?${encodeURIComponent(to)}`;
      const login = begin(authorizeUrl(issuer, redirectUri));
      assertEquals(await run("visit", login, "--as", "bob"), {
        ...{ code: 0, stdout: `${origin}/home\n`, stderr: "" },
      });
      assertMatch(requests[1]!, /^GET \/callback\?code=/);
      const journal = await (await fetch(`${issuer}/_postern/requests`)).text();
      assertMatch(journal, /"person":"bob"/);
      const destinations = [["/else", "/else answers 200"], ["http://a.test/?code=1", "http://a.test/"]];
      for (const [to, problem] of destinations) {
        const { code, stdout, stderr } = await run("visit", begin(to!), "--as", "bob");
        assertEquals([code, stdout], [1, ""]);
        assertMatch(stderr, new RegExp(`${problem}.*, and no login begins there: name`));
      }
    })),
);

test(
  "visit: --stop prints the redirect URI with the code, and opens nothing",
  onServer([], ({ issuer }) =>
    withApplication(async ({ redirectUri, requests }) => {
      const { code, stdout } = await run("visit", authorizeUrl(issuer, redirectUri), "--stop");
      assertEquals([code, requests], [0, []]);
      assertStringIncludes(stdout, `${redirectUri}?code=`);
      const form = await run(
        "visit",
        authorizeUrl(issuer, redirectUri, { response_mode: "form_post" }),
        "--stop",
      );
      const [url, fields] = form.stdout.split("\n");
      assertEquals([url, [...new URLSearchParams(fields).keys()]], [redirectUri, ["code", "state", "iss"]]);
    })),
);

test(
  "visit: form_post posts the response, and a fragment stays in the URL",
  onServer([], ({ issuer }) =>
    withApplication(async ({ redirectUri, requests }) => {
      const form = await run("visit", authorizeUrl(issuer, redirectUri, { response_mode: "form_post" }));
      assertEquals([form.code, form.stderr], [0, ""]);
      assertStringIncludes(requests[0]!, "POST /callback code=");
      const fragment = authorizeUrl(issuer, redirectUri, { response_mode: "fragment" });
      assertStringIncludes((await run("visit", fragment, "--stop")).stdout, `${redirectUri}#code=`);
    })),
);

test(
  "visit: --deny denies at the first page or, with --as, on the consent page",
  onServer([], ({ issuer }) =>
    withApplication(async ({ redirectUri, requests }) => {
      for (const flags of [["--deny"], ["--deny", "--as", "bob"]]) {
        const { code, stdout, stderr } = await run("visit", authorizeUrl(issuer, redirectUri), ...flags);
        assertStringIncludes(stdout, "error=access_denied");
        // The application answers its error page with 403.
        assertEquals([code, stderr], [1, `postern: ${redirectUri} answers 403\n`]);
        assertStringIncludes(requests.at(-1)!, "error=access_denied");
        assertEquals((await run("visit", authorizeUrl(issuer, redirectUri), ...flags, "--stop")).code, 0);
      }
    })),
);

test(
  "visit: --as signs that person in, also with automatic sign-in, which has nothing to deny",
  onServer(["--login", "auto"], async ({ issuer }) => {
    const url = authorizeUrl(issuer, `${issuer}/authorized`, { client_id: "demo" });
    const { code, stdout } = await run("visit", url, "--as", "bob");
    assertEquals((await run("visit", url, "--username", "bob")).code, code);
    const both = await run("visit", url, "--username", "bob", "--as", "bob");
    assertEquals(both.code, 2);
    assertMatch(both.stderr, /--as is the earlier name of --username: leave out --as/);
    assertEquals(code, 0);
    assertStringIncludes(stdout, `${issuer}/authorized?code=`);
    const unknown = await run("visit", url, "--deny", "--stop");
    assertEquals([unknown.code, unknown.stderr], [
      1,
      "postern: the server approved without a page, so there was nothing to deny\n",
    ]);
  }),
);

/** Answers every request with this page. */
async function visitPage(html: string) {
  const server = createServer((_, response) => {
    response.writeHead(400, { "content-type": "text/html" });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await run("visit", `http://127.0.0.1:${port}/?client_id=app`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test(
  "visit: a refusal has what to change, what the request looks like, and the exception, as its page has",
  onServer([], async ({ issuer }) => {
    for (
      const [library, looks] of [
        ["flask-dance", "looks     like Flask-Dance 7.1: use_pkce=True"],
        [
          "authlib",
          'looks     like Authlib (Flask, Django, FastAPI) 1.9: add "code_challenge_method": "S256" to client_kwargs={…}',
        ],
        ["goth", "looks     like goth 1.82, which has no setting for it"],
        ["arctic", undefined],
      ] as const
    ) {
      const { code, stderr } = await run("visit", `${issuer}/oauth2/authorize${queryOf(library)}`);
      const [title = "", fix = "", ...more] = stderr.trimEnd().split("\n");
      assertEquals(code, 1);
      assertMatch(title, /^postern: the server refused: PKCE is required: .*: expected code_challenge=/);
      assertMatch(
        fix,
        /^fix {7}Make a random code_verifier for each login\. Send code_challenge=BASE64URL/,
      );
      if (looks !== undefined) assertEquals(more.shift(), looks);
      const [cost = "", introduction = "", ...configuration] = more;
      assertMatch(cost, /^instead {3}Only a configured client .* cannot notice a stolen code: /);
      assertMatch(introduction, /^this configuration would allow it /);
      const { clients: [client] } = JSON.parse(configuration.join("\n"));
      assertEquals([client.client_id, client.require_pkce], ["my-app", false]);
    }
  }),
);

test("visit: the page of a refusal cannot write to the terminal, and its line has no comma at the end", async () => {
  const text = "one,\x1b[31m<b>&lt;two</b>,";
  const ids = ["description", "expected", "change", "looks-like", "line", "into", "cost", "remedy"];
  const { code, stderr } = await visitPage(ids.map((id) => `<p class="x" id="${id}">${text}</p>`).join(""));
  const line = "one,\\u{1B}[31m<two";
  const said = `${line},`;
  assertEquals([code, stderr.trimEnd().split("\n")], [1, [
    `postern: the server refused: ${said}: expected ${said}`,
    `fix       ${said}`,
    `looks     like ${said}: add ${line} to ${said}`,
    `instead   ${said}`,
    "add this to the configuration (to the entry of the client, if it has one):",
    said,
  ]]);
  const long = (id: string) => `<p id="${id}">one\ntwo${"x".repeat(300)}</p>`;
  const cut = `one\\u{A}two${"x".repeat(289)}…`;
  assertEquals(
    (await visitPage(long("description") + long("expected"))).stderr,
    `postern: the server refused: ${cut}: expected ${cut}\n`,
  );
  assertEquals(
    (await visitPage('<p id="description">No</p><p id="change">never ends')).stderr,
    "postern: the server refused: No\n",
  );
});

test(
  "visit: an error of the server is explained, on a page or in the redirect",
  onServer([], async ({ issuer }) => {
    const redirectUri = `${issuer}/authorized`;
    const page = await run("visit", authorizeUrl(issuer, "http://localhost:1/else", { client_id: "demo" }));
    assertEquals([page.code, page.stdout], [1, ""]);
    assertStringIncludes(page.stderr, "postern: the server refused: ");
    const sent = authorizeUrl(issuer, redirectUri, { client_id: "demo", code_challenge_method: "plain" });
    const redirected = await run("visit", sent, "--stop");
    assertEquals(redirected.code, 1);
    assertStringIncludes(redirected.stderr, "postern: the server refused: invalid_request: ");
    assertStringIncludes(redirected.stdout, `${redirectUri}?error=invalid_request`);
  }),
);

test(
  "visit: a redirect URI that is not on this machine is only printed",
  onServer([], async ({ issuer }) => {
    const { code, stdout, stderr } = await run("visit", authorizeUrl(issuer, "com.example.app:/cb"));
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, "com.example.app:/cb?code=");
  }),
);

test("visit: a person with a password needs it, and a flag wins over the environment", async () => {
  const people = [{ username: "carol", password: "correct horse" }];
  await withConfiguredServer({ people }, async ({ issuer }) => {
    const url = authorizeUrl(issuer, `${issuer}/authorized`, { client_id: "demo" });
    const visitWith = async (variable: string, ...flags: readonly string[]) => {
      const { code, stderr } = await runWith(
        { POSTERN_PASSWORD: variable },
        "visit",
        url,
        "--username",
        "carol",
        ...flags,
      );
      return [code, stderr];
    };
    const wrong = [1, "postern: carol could not sign in with this password\n"];
    assertEquals(await visitWith("x"), wrong);
    assertEquals(await visitWith("correct horse"), [0, ""]);
    assertEquals(await visitWith("x", "--password", "correct horse"), [0, ""]);
    assertEquals(await visitWith("correct horse", "--password", "x"), wrong);
  });
});

test(
  "visit: an application that is down or that breaks the connection is named, and not the server",
  onServer([], async ({ issuer }) => {
    const connections = createNetServer((socket) => socket.once("data", () => socket.destroy()));
    await new Promise<void>((resolve) => connections.listen(0, "127.0.0.1", resolve));
    const callback = `http://127.0.0.1:${(connections.address() as AddressInfo).port}/callback`;
    const broken = await run("visit", authorizeUrl(issuer, callback));
    assertEquals([broken.code, broken.stdout], [1, ""]);
    assertStringIncludes(broken.stderr, `postern: the application at ${callback} gave no answer: `);
    assertEquals(broken.stderr.includes("code="), false, broken.stderr);
    await new Promise((resolve) => connections.close(resolve));
    const down = await run("visit", authorizeUrl(issuer, callback));
    assertEquals([down.code, down.stdout, down.stderr], [
      1,
      "",
      `postern: no application answers at ${callback}: start it, or print the response only with --stop\n`,
    ]);
  }),
);

const brokenAnswers: Readonly<Record<string, readonly [answer: string, complaint: string]>> = {
  "is cut": ["200 OK\r\ncontent-length: 9\r\n\r\n<p>", "the server's answer is incomplete"],
  "redirects to no address": [
    "302 Found\r\nlocation: http://[\r\ncontent-length: 0\r\n\r\n",
    "ORIGIN sends the browser to http://[, which is not an address",
  ],
};

for (const [name, [answer, complaint]] of Object.entries(brokenAnswers)) {
  test(`visit: an answer of the server that ${name} is one line, and no stack`, async () => {
    const server = createNetServer((socket) => socket.once("data", () => socket.end(`HTTP/1.1 ${answer}`)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    assertEquals(
      await complaintOf(visit, `${origin}/oauth2/authorize?client_id=app`),
      `1: ${complaint.replace("ORIGIN", origin)}`,
    );
    await new Promise((resolve) => server.close(resolve));
  });
}

test("visit: without a URL, or with another text, it says what it needs", async () => {
  assertEquals(await complaintOf(visit), "2: name the authorization URL that the application opens");
  assertEquals(
    await complaintOf(visit, "localhost:9000"),
    "2: the authorization URL must be an http or https URL, not localhost:9000",
  );
});
