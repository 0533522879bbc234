/**
 * Schemes of applications that are no reversed domain names (RFC 8252 §7.1), such as `cursor:`: which ones a configured client
 * may have, and the redirect URIs of known programs.
 */

import type { Exchange } from "../../contracts/exchange.ts";
import { type AdviceRows, advices } from "../../contracts/refusals.ts";

const advice = advices({
  redirect_uri_scheme_short: {
    spec: "RFC 8252 §7.1",
    sentence: "The scheme of this redirect URI is no reversed domain name, so any app may claim it",
    expected: "a scheme of a domain that belongs to the maker of the app: com.example.app:/callback",
    change:
      "If the app is yours, receive the answer on loopback (http://127.0.0.1/callback), at an https address that the app claims, or at a scheme that is a reversed domain name.",
  },
});

export const advised: AdviceRows = advice.rows;

function listNames(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}

/** The permanent schemes of IANA's registry without a dot in their names, as of 2026-09-11. */
const permanentSchemes = listNames(
  "aaa aaas about acap acct cap cid coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid data dav dict dns dtn",
  "example file ftp geo go gopher h323 http https iax icap im imap info ipn ipp ipps iris jabber javascript ldap",
  "leaptofrogans mailto mid msrp msrps mt mtqp mupdate news nfs ni nih nntp opaquelocktoken payto pkcs11 pop pres",
  "reload rtsp rtsps rtspu secret-token service session shttp sieve sip sips sms snmp stun stuns swid swidpath tag",
  "tel telnet tftp thismessage tip tn3270 turn turns tv urn vemmi vnc ws wss xcon xcon-userid xmpp",
);

/** Schemes that a browser, an operating system, a shell or a desktop opens itself, or that name a protocol. */
const handledSchemes = listNames(
  // Scripts, documents and what is inside of them.
  "blob cid content content-type embedded feed filesystem jar jscript livescript mhtml mk mocha platform res",
  "resource script vbs vbscript view-source wasm wasm-js wyciwyg zip",
  // Browsers, and links that open an address in one.
  "brave browserext chromium ddgquicklink edge focus http+unix httpx hxxp hxxps intent",
  "isolated-app localhost opera opera-http opera-https safari safari-https touch-http touch-https vivaldi",
  // Files and networks.
  "admin afp afs cifs computer davs dhttp ed2k fish ftps git gopherus gphoto2 http3 ipfs ipns irc irc6 ircs ldaps",
  "ldapi magnet mms mtp mqtt mqtts network nntps rdp recent redis rediss rsync rtmp rtmps scp sftp smb smbs smtp",
  "smtps snews socks socks4 socks5 ssh svn svn+ssh trash udp webdav webdavs xftp",
  // Mail, telephones and messages.
  "callto dialer facetime facetime-audio fax imaps imessage mailserver message mms modem msnim pops skype smsto",
  "telprompt whatsapp xmpps",
  // Shells, settings, installers and help of operating systems.
  "android android-app app-prefs app-settings appdata applescript appstream apt calculator cmd command exec finder",
  "first-run-pen-experience ghelp hcp help its itms itms-apps itms-appss itms-beta itms-service itms-services",
  "macappstore macappstores man maps market onenote onenote-cmd package powershell prefs search shell shortcuts snap",
  "steam terminal wifi workflow",
);

const reservedSchemes: ReadonlySet<string> = new Set([...permanentSchemes, ...handledSchemes]);

/** The families of such schemes, and `web+`, which any web page may register for itself. */
const reservedFamily =
  /^(?:chrome|firefox|googlechrome|microsoft|(?:about|git|intent|moz|ms|search|shell|ssh|view|web|windows|x)[+-])/;

/** Compared as text: a scheme in upper case is refused, although browsers read it as the same scheme. */
const form = /^([a-z][a-z0-9+-]*):\/\/[^/?]/;

/** Whether a configured client may have the URI, whose characters and parts have been checked. */
export function isApplicationUri(uri: string): boolean {
  const [, scheme] = form.exec(uri) ?? [];
  return scheme !== undefined && !reservedSchemes.has(scheme) && !reservedFamily.test(scheme);
}

/** `all`: an operator has written the URI into the configuration. */
export type Apps = "known" | "all";

const expected =
  "must be https, http on loopback, or a scheme that is a reversed domain name (com.example.app:)";

/** Returns why a client cannot have a URI whose scheme has no dot, or `undefined` if it can. */
export function unfitForApp(uri: string, apps?: Apps): string | undefined {
  if (apps === undefined || !isApplicationUri(uri)) return expected;
  return apps === "all" || findProgram(uri) !== undefined
    ? undefined
    : `${expected}. Only a configured client can have the scheme of another app`;
}

/** Notes for the journal that the answer goes to a scheme which any app may claim. */
export function adviseScheme(redirectUri: string, exchange: Exchange): void {
  if (!isApplicationUri(redirectUri)) return;
  exchange.note({ advice: advice("redirect_uri_scheme_short", { received: redirectUri }) });
}

/** A redirect URI of a program that people use, so that it may register itself. */
export interface KnownProgram {
  readonly name: string;
  /** Exact. With `/*` at the end, one more segment: the MD5 digest that the program puts there, in hexadecimal. */
  readonly uri: string;
  readonly source: string;
  readonly checkedOn: string;
}

const cline = {
  source: "github.com/cline/cline: src/services/mcp/McpOAuthManager.ts, src/utils/mcpAuth.ts",
  checkedOn: "2026-11-28",
};

/** What VS Code registers for MCP servers. Its other redirect URIs are on loopback. */
const vsCode = {
  source: "github.com/microsoft/vscode: fetchDynamicRegistration in src/vs/base/common/oauth.ts",
  checkedOn: "2026-11-28",
};

/** What Cursor registers together with `http://localhost:8787/callback`. */
const cursor = {
  name: "Cursor",
  source: "cursor.com/docs/mcp; github.com/erp-mafia/accounted/pull/2225, which has the whole registration",
  checkedOn: "2026-11-28",
};

export const knownPrograms: readonly KnownProgram[] = [
  { ...cursor, uri: "cursor://anysphere.cursor-mcp/oauth/callback" },
  { ...cursor, uri: "https://www.cursor.com/agents/mcp/oauth/callback" },
  {
    name: "Claude",
    uri: "claude://claude.ai/mcp-auth-callback/sdk",
    source: "github.com/anthropics/claude-code/issues/93671",
    checkedOn: "2026-11-28",
  },
  { ...vsCode, name: "VS Code", uri: "https://vscode.dev/redirect" },
  { ...vsCode, name: "VS Code Insiders", uri: "https://insiders.vscode.dev/redirect" },
  { ...cline, name: "Cline in VS Code", uri: "vscode://saoudrizwan.claude-dev/mcp-auth/callback/*" },
  {
    ...cline,
    name: "Cline in VS Code Insiders",
    uri: "vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/*",
  },
  { ...cline, name: "Cline in VSCodium", uri: "vscodium://saoudrizwan.claude-dev/mcp-auth/callback/*" },
  { ...cline, name: "Cline in Cursor", uri: "cursor://saoudrizwan.claude-dev/mcp-auth/callback/*" },
  { ...cline, name: "Cline in Windsurf", uri: "windsurf://saoudrizwan.claude-dev/mcp-auth/callback/*" },
];

/** Returns the name of the program that usually has the redirect URI. Another program may claim its scheme, too. */
export function findProgram(uri: string): string | undefined {
  const digest = /\/([0-9a-f]{32})$/.exec(uri)?.[1] ?? "";
  return knownPrograms.find((known) =>
    known.uri.endsWith("*")
      ? known.uri === `${uri.slice(0, uri.length - digest.length)}*` && digest !== ""
      : known.uri === uri
  )?.name;
}
