/** Schemes of applications that are no reversed domain names: who may have which (RFC 8252 §7.1, §8.4). */

import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { createServer } from "../../src/mod.ts";
import { findProgram, knownPrograms } from "../../src/server/oauth/clients/metadata/application_scheme.ts";
import { assertRefusedOnPage, assertTokens } from "../server/oauth/refusals.ts";
import { byId, findById, readHtml, textOf } from "../server/pages/read_html.ts";
import { createRegistrationWorld, register, registered } from "../server/features/registration.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { basic, createBrowser, createWorld, withoutClients } from "../world.ts";

const cursor = "cursor://anysphere.cursor-mcp/oauth/callback";
const digest = "0123456789abcdef0123456789abcdef";
const cline = `vscode://saoudrizwan.claude-dev/mcp-auth/callback/${digest}`;

function configure(uri: string): () => void {
  return () => createServer({ clients: [{ client_id: "a", redirect_uris: [uri] }] });
}

/** IANA's permanent schemes without a dot. */
const permanent =
  "aaa aaas about acap acct cap cid coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid data dav dict dns dtn " +
  "example file ftp geo go gopher h323 iax icap im imap info ipn ipp ipps iris jabber javascript ldap " +
  "leaptofrogans mailto mid msrp msrps mt mtqp mupdate news nfs ni nih nntp opaquelocktoken payto pkcs11 pop pres " +
  "reload rtsp rtsps rtspu secret-token service session shttp sieve sip sips sms snmp stun stuns swid swidpath tag " +
  "tel telnet tftp thismessage tip tn3270 turn turns tv urn vemmi vnc ws wss xcon xcon-userid xmpp";

/** Browsers, operating systems, shells and desktops open these themselves. */
const handled =
  "vbscript vbs jscript livescript script mhtml mk jar res resource blob filesystem view-source wyciwyg content " +
  "chrome chrome-extension chrome-untrusted chromewebdata moz-extension about-x edge brave opera firefox firefox-focus " +
  "googlechrome googlechromes googlechrome-x-callback microsoft-edge microsoft-edge-holographic safari-https intent " +
  "android-app market package web+app localhost hxxp isolated-app " +
  "smb afp cifs sftp ftps fish webdav davs rsync svn git ssh svn+ssh git+ssh rdp rtmp ldaps mms irc magnet admin trash " +
  "callto facetime facetime-audio fax skype smsto imessage telprompt " +
  "shell shell-x search search-ms ms-word ms-excel ms-powerpoint ms-msdt ms-settings ms-officecmd ms-appinstaller " +
  "ms-search ms-its ms-cxh ms-help windows-feedback hcp help ghelp applescript shortcuts workflow x-man-page x-help " +
  "itms-services itms-apps macappstore app-settings prefs apt snap appstream steam onenote powershell cmd terminal";

test("scheme of an app: a configured client cannot have one that a browser, a system or a standard handles", () => {
  for (const scheme of `${permanent} ${handled}`.split(" ")) {
    for (const uri of [`${scheme}://app/cb`, `${scheme}://anysphere.cursor-mcp/oauth/callback`]) {
      const { message } = assertThrows(configure(uri), TypeError, undefined, uri);
      assertStringIncludes(message, "clients[0].redirect_uris[0] must ");
    }
  }
});

const misspelt: readonly (readonly [what: string, uri: string])[] = [
  ["upper case", "CURSOR://anysphere.cursor-mcp/oauth/callback"],
  ["mixed case", "Cursor://anysphere.cursor-mcp/oauth/callback"],
  ["a space in front", " cursor://anysphere.cursor-mcp/oauth/callback"],
  ["a tab in the scheme", "cur\tsor://anysphere.cursor-mcp/oauth/callback"],
  ["a line break in the scheme", "cur\nsor://anysphere.cursor-mcp/oauth/callback"],
  ["a NUL behind", "cursor://anysphere.cursor-mcp/oauth/callback\0"],
  ["an encoded letter in the scheme", "%63ursor://anysphere.cursor-mcp/oauth/callback"],
  ["a letter of another script", "\u0441ursor://anysphere.cursor-mcp/oauth/callback"],
  ["no slashes", "cursor:callback"],
  ["one slash", "cursor:/callback"],
  ["no host", "cursor:///callback"],
  ["nothing behind the slashes", "cursor://"],
  ["a query for a host", "cursor://?x"],
  ["backslashes", "cursor:\\\\app\\cb"],
  ["a user name", "cursor://name@anysphere.cursor-mcp/oauth/callback"],
  ["a fragment", "cursor://anysphere.cursor-mcp/oauth/callback#"],
  ["a parameter of the answer", "cursor://anysphere.cursor-mcp/oauth/callback?code=1"],
  ["a digit in front", "1app://callback"],
  ["a plus in front", "+app://callback"],
  ["an underscore", "my_app://callback"],
  ["a scheme inside of one", "cursor:javascript://app/cb"],
];

test("scheme of an app: other spellings are refused for configured clients, at registration and at first use", async () => {
  const world = createRegistrationWorld();
  for (const [what, uri] of misspelt) {
    assertThrows(configure(uri), TypeError, "clients[0].redirect_uris[0] must ", what);
    assertEquals((await register(world, { redirect_uris: [uri] })).status, 400, what);
    assertEquals(findProgram(uri), undefined, what);
  }
  await withoutClients({}, async (world) => {
    for (const [what, redirect_uri] of misspelt) {
      const answer = await world.authorize({ client_id: "x", redirect_uri });
      assertEquals([answer.status, answer.headers.get("location")], [400, null], what);
      await answer.text();
    }
  });
});

test("scheme of an app: a configured client gets its answer at exactly this URI, and the journal cites the rule", async () => {
  for (const redirect_uri of ["myapp://callback", "a+b-1://callback/x?y=1", cursor, `cursor://app:80/`]) {
    const options = { clients: [{ client_id: "public", redirect_uris: [redirect_uri] }] };
    await using world = createWorld(options);
    const location = (await world.authorize({ redirect_uri })).headers.get("location") ?? "";
    assert(location.startsWith(`${redirect_uri}${redirect_uri.includes("?") ? "&" : "?"}code=`), location);
    const { reason, spec, received } = world.journal.at(-1)!.facts.advice ?? {};
    assertEquals(
      { reason, spec, received },
      { reason: "redirect_uri_scheme_short", spec: "RFC 8252 §7.1", received: redirect_uri },
    );
    for (
      const other of [`${redirect_uri}x`, redirect_uri.toUpperCase(), `${redirect_uri}/`, "myapp://other"]
    ) {
      const expected = { error: "invalid_request", reason: "redirect_uri_unregistered" };
      await assertRefusedOnPage(world, await world.authorize({ redirect_uri: other }), expected);
    }
  }
});

test("scheme of an app: a pushed request has the advice, too (RFC 9126)", async () => {
  await using world = createWorld({ clients: [{ client_id: "public", redirect_uris: [cursor] }] });
  const response = await world.post("/oauth2/par", {
    ...Object.fromEntries(new URL(world.authorizeUrl({ redirect_uri: cursor })).searchParams),
  });
  assertEquals(response.status, 201);
  await response.body?.cancel();
  assertEquals(world.journal.at(-1)!.facts.advice?.reason, "redirect_uri_scheme_short");
});

test("scheme of an app: a reversed domain name brings no advice", async () => {
  const redirect_uri = "com.example.app:/cb";
  await using world = createWorld({ clients: [{ client_id: "public", redirect_uris: [redirect_uri] }] });
  assertEquals((await world.authorize({ redirect_uri })).status, 303);
  assertEquals(world.journal.at(-1)!.facts.advice, undefined);
});

test("scheme of an app: a refusal suggests the configuration that allows it", async () => {
  const redirect_uri = "myapp://callback";
  for (const client_id of ["public", "other"]) {
    await using world = createWorld({
      clients: [{ client_id: "public", redirect_uris: ["http://localhost/cb"] }],
    });
    await (await world.authorize({ client_id, redirect_uri })).text();
    const { clients } = JSON.parse(world.lastRefusal()!.remedy!);
    await using allowed = createWorld({ clients });
    assertEquals((await allowed.authorize({ client_id, redirect_uri })).status, 303);
    assert(clients[0].redirect_uris.includes(redirect_uri));
    assertEquals(clients[0].allow_private_http, undefined);
  }
});

const programs: readonly (readonly [name: string, uri: string])[] = [
  ["Cursor", cursor],
  ["Cursor", "https://www.cursor.com/agents/mcp/oauth/callback"],
  ["Claude", "claude://claude.ai/mcp-auth-callback/sdk"],
  ["VS Code", "https://vscode.dev/redirect"],
  ["VS Code Insiders", "https://insiders.vscode.dev/redirect"],
  ["Cline in VS Code", cline],
  ["Cline in VS Code Insiders", cline.replace("vscode", "vscode-insiders")],
  ["Cline in VSCodium", cline.replace("vscode", "vscodium")],
  ["Cline in Cursor", cline.replace("vscode", "cursor")],
  ["Cline in Windsurf", cline.replace("vscode", "windsurf")],
];

test("known programs: these and no others, each with a source and a date", () => {
  assertEquals(
    knownPrograms.map(({ name, uri }) => [name, uri.replace("*", digest)]),
    programs.map(([...each]) => each),
  );
  for (const { source, checkedOn } of knownPrograms) {
    assertMatch(source, /^(?:github|cursor)\.com\/\S+/);
    assertMatch(checkedOn, /^2026-\d\d-\d\d$/);
  }
});

const almostKnown = [
  "cursor://anysphere.cursor-mcp/oauth/callback/",
  "cursor://anysphere.cursor-mcp/oauth/callback?x=1",
  "cursor://anysphere.cursor-mcp/oauth",
  "cursor://anysphere.cursor-mcp.evil/oauth/callback",
  "cursor://other.extension/callback",
  "claude://claude.ai/mcp-auth-callback",
  "vscode://saoudrizwan.claude-dev/mcp-auth/callback/",
  "vscode://saoudrizwan.claude-dev/mcp-auth/callback/*",
  cline.slice(0, -1),
  `${cline}0`,
  `${cline}/${digest}`,
  cline.replace("abcdef", "ABCDEF"),
  "zed://oauth/callback",
  "myapp://callback",
];

test("known programs: they register themselves as public clients, and nothing else of their scheme does", async () => {
  const world = createRegistrationWorld();
  for (const [name, uri] of programs) {
    const client = await registered(world, { redirect_uris: [uri, "http://127.0.0.1:33418/"] });
    if (!uri.startsWith("https:")) {
      assertEquals(
        [client["application_type"], client["token_endpoint_auth_method"]],
        ["native", "none"],
        name,
      );
      assertEquals("client_secret" in client, false);
    }
  }
  for (const uri of [...almostKnown, "https://vscode.dev/redirect/", "https://vscode.dev/redirect?x=1"]) {
    const answer = await register(world, { redirect_uris: [uri] });
    assertEquals([answer.status, answer.body["error"]], [400, "invalid_redirect_uri"], uri);
  }
});

test("known programs: a client with an initial access token is not configured, so it has only their schemes", async () => {
  const world = createRegistrationWorld({ registration: { initialAccessTokens: ["token"] } });
  const answer = await register(world, { redirect_uris: ["myapp://callback"] }, { token: "token" });
  assertEquals([answer.status, answer.body["error"]], [400, "invalid_redirect_uri"]);
  assertStringIncludes(`${answer.body["error_description"]}`, "Only a configured client");
  assertEquals((await register(world, { redirect_uris: [cursor] }, { token: "token" })).status, 201);
});

// What the programs send to a server, by their sources.
const vsCodeRegistration = {
  client_name: "Visual Studio Code",
  client_uri: "https://code.visualstudio.com",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  redirect_uris: [
    "https://insiders.vscode.dev/redirect",
    "https://vscode.dev/redirect",
    "http://127.0.0.1/",
    "http://127.0.0.1:33418/",
  ],
  token_endpoint_auth_method: "none",
  application_type: "native",
};
const cursorRegistration = {
  client_name: "Cursor",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  redirect_uris: [
    cursor,
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "http://localhost:8787/callback",
  ],
  token_endpoint_auth_method: "none",
};

for (const metadata of [vsCodeRegistration, cursorRegistration]) {
  test(`known programs: what ${metadata.client_name} registers works as a whole, and on loopback at any port`, async () => {
    const world = createRegistrationWorld();
    const { client_id } = await registered(world, metadata);
    for (const redirect_uri of metadata.redirect_uris) {
      const request = { client_id, redirect_uri: redirect_uri.replace(/:(33418|8787)/, ":50123") };
      const answer = await world.authorize(request);
      if (redirect_uri.startsWith("https:")) {
        // The answer leaves this machine, so the person is asked.
        assertEquals(answer.status, 200);
        assert(findById(readHtml(await answer.text()), "unverified") !== undefined);
      } else await assertTokens(await world.redeem(await world.code(request), request));
    }
  });
}

const it = testInWorld({}, withoutClients);

it("first use: a known program works with any client_id, and its scheme with another path does not", async (world) => {
  for (const [name, redirect_uri] of programs.filter(([, uri]) => !uri.startsWith("https:"))) {
    const request = { client_id: `id of ${name}`.replaceAll(" ", "-"), redirect_uri };
    await assertTokens(await world.redeem(await world.code(request), request));
  }
  for (const redirect_uri of [...almostKnown, "https://vscode.dev/redirect"]) {
    const expected = { error: "invalid_request", reason: "client_unknown" };
    await assertRefusedOnPage(world, await world.authorize({ client_id: "new", redirect_uri }), expected);
  }
});

it("first use: a known program is a public client, so a secret is refused (RFC 8252 §8.4)", async (world) => {
  const request = { client_id: "with-secret", redirect_uri: cursor };
  const code = await world.code(request);
  const response = await world.redeem(code, request, basic("with-secret", "secret"));
  assertEquals([response.status, (await response.json()).error], [401, "invalid_client"]);
  await assertTokens(await world.redeem(code, request));
});

test("consent: the page names the program of a known scheme, and says that nothing proves it", () =>
  withoutClients({ login: "picker" }, async (world) => {
    for (const [redirect_uri, name] of [[cursor, "Cursor"], [cline, "Cline in VS Code"]] as const) {
      const browser = createBrowser(world);
      const signIn = await browser.open(world.authorizeUrl({ client_id: `of-${name.length}`, redirect_uri }));
      const page = readHtml((await browser.submit(signIn, { person: "alice" })).html);
      assert(findById(page, "unverified") !== undefined);
      assertEquals(
        textOf(byId(page, "goes-to-app")),
        "Any app on this device that opens links with this scheme can receive it. " +
          `Usually that is ${name}, but nothing proves it.`,
      );
    }
  }));

test("consent: the page names no program for another scheme", async () => {
  const redirect_uri = "myapp://callback";
  await using world = createWorld({
    login: "picker",
    clients: [{ client_id: "public", redirect_uris: [redirect_uri] }],
  });
  const browser = createBrowser(world);
  const signIn = await browser.open(world.authorizeUrl({ redirect_uri }));
  const page = readHtml((await browser.submit(signIn, { person: "alice" })).html);
  assertEquals(
    textOf(byId(page, "goes-to-app")),
    "Any app on this device that opens links with this scheme can receive it.",
  );
});
