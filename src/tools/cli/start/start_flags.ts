/** The flags of `postern start`. */

import { controlTokenForm, isControlToken, shortestToken } from "../../guard/control_token.ts";
import { signingAlgorithms } from "../../../ground/crypto/platform.ts";
import { isToken } from "../../../ground/http/message.ts";
import { readIpAddress } from "../../../ground/values/ip_address.ts";
import { lookAlikeNames } from "../../../kit/faults/look_alikes/providers.ts";
import { workloadPlatforms } from "../../../kit/mock/workloads/names.ts";
import { pathProfiles } from "../../../server/oauth/contracts/paths.ts";
import { applicationForms } from "../forms/application_forms.ts";
import { inspectorKeyForm, isInspectorKey, isLabel, labelForm } from "../../dashboard/dashboard_options.ts";
import { portFrom } from "../client/server_flags.ts";
import { type Flag, type Flags, type GivenFlags, oneOf, readFlags } from "../terminal/flags.ts";
import { logForms } from "./log.ts";
import { isStoreName, storeForms } from "../../../server/store/open_store.ts";
import { tlsNameFlag } from "../tls/authority_place.ts";

export type StartFlags = GivenFlags<
  // With a value.
  | "port"
  | "host"
  | "trust-proxy"
  | "issuer"
  | "also"
  | "tls-name"
  | "tls-cert"
  | "tls-key"
  | "mtls-port"
  | "mtls-ca"
  | "client-cert-header"
  | "store"
  | "config"
  | "people"
  | "alg"
  | "profile"
  | "login"
  | "paths"
  | "resource"
  | "print"
  | "from"
  | "misbehave"
  | "like"
  | "like-host"
  | "proxy-host"
  | "proxy-token"
  | "workload"
  | "snapshot"
  | "write-snapshot"
  | "label"
  | "inspector-key"
  | "log"
  | "drain",
  // Switches.
  | "allow-private-http"
  | "tls"
  | "open"
  | "watch"
  | "no-inspector"
  | "end-with-input"
  | "quiet"
  | "expose-demo"
  | "proxy-others"
  | "with-keys",
  // With or without a value.
  "control" | "metrics" | "proxy"
>;

/** URL parsers take a name whose last label is a number for an address. */
const isHostName = (text: string) =>
  tlsNameFlag.accepts(text) && URL.canParse(`http://${text}`) &&
  new URL(`http://${text}`).hostname === text.toLowerCase();

const optionalToken = {
  value: "[TOKEN]",
  optional: true,
  accepts: isControlToken,
  expected: `a token of ${controlTokenForm}`,
  secret: true,
} as const;

const table = {
  port: {
    ...portFrom(0),
    help: "The port to listen on. Default: the issuer's port, or 9000; 0 takes a free one.",
  },
  host: { value: "HOST", help: "The address to listen on. Default: localhost, for this machine only." },
  "trust-proxy": {
    value: "ADDRESS",
    separator: ",",
    help:
      "The IP address of a reverse proxy (several with commas). The server then reads each person's address from the " +
      "proxy's Forwarded or X-Forwarded-For header, and counts failed sign-ins for each address.",
    accepts: (text: string) => text.split(",").every((each) => readIpAddress(each) !== undefined),
    expected: "an IP address, or several with commas",
  },
  issuer: {
    option: "issuer",
    value: "URL",
    help: "The URL that identifies this server to clients. Default: http://localhost:PORT.",
  },
  also: {
    option: "also",
    readOption: (text: string) => text.split(","),
    value: "URL",
    separator: ",",
    help:
      "Another name of the server (several with commas), for programs that cannot use the issuer's, such as containers: " +
      "http://postern:9000. Browsers use the issuer, and tokens name it.",
  },
  "allow-private-http": {
    option: "allowPrivateHttp",
    help:
      "Allow http at a private address or a local name, such as http://postern:9000, for --issuer and --also.",
  },
  tls: {
    help:
      "Serve https with a certificate of its own, which an authority in your configuration folder signs; " +
      "the command trust says how programs trust it. The default issuer is then https://localhost:PORT.",
  },
  "tls-name": {
    ...tlsNameFlag,
    help: "With --tls: serve https for this name instead, with an authority of its own. " +
      "The default issuer is then https://NAME:PORT.",
  },
  "tls-cert": {
    value: "FILE",
    help: "Serve https with this certificate (PEM); the default issuer is then https://localhost:PORT.",
  },
  "tls-key": { value: "FILE", help: "The private key of that certificate (PEM, without a passphrase)." },
  "mtls-port": {
    ...portFrom(0),
    help:
      "With --tls or --tls-cert: ask clients for certificates at this port, which has the endpoints for programs only " +
      "(RFC 8705). 0 takes a free one.",
  },
  "mtls-ca": {
    value: "FILE",
    help: "The authorities of clients' certificates (PEM), for clients that authenticate by tls_client_auth.",
  },
  "client-cert-header": {
    option: "clientCertHeader",
    value: "NAME",
    help:
      "With --trust-proxy: the header in which that proxy writes the client's certificate: Client-Cert (RFC 9440), " +
      "X-Forwarded-Client-Cert (Envoy), or any name with nginx's $ssl_client_escaped_cert. The proxy must remove it from " +
      "the requests of clients.",
    accepts: isToken,
    expected: "the name of a header",
  },
  store: {
    value: "STORE",
    help:
      `Where to keep sign-ins, grants, clients and signing keys: ${storeForms}. Several servers can share a database. ` +
      "With --control, a reset deletes all but the keys. Default: memory.",
    accepts: isStoreName,
    expected: storeForms,
    secret: true,
  },
  config: { value: "FILE", help: "Clients, people and more, as JSON with comments. Flags win over it." },
  people: {
    value: "FILE",
    help:
      "People in a JSON file of their own, instead of those of the configuration. With --control, changes of people are " +
      "written to it, with hashes instead of passwords, and a reset keeps them.",
  },
  alg: {
    option: "alg",
    value: "ALG",
    help: `The algorithm that signs tokens: ${signingAlgorithms.join(", ")}. Default: RS256.`,
    ...oneOf(signingAlgorithms),
  },
  profile: {
    option: "profile",
    value: "NAME",
    help: "Set what a FAPI 2.0 profile demands, and refuse what contradicts it: fapi2-security or " +
      "fapi2-message-signing. The clients come from --config.",
  },
  login: {
    option: "login",
    value: "HOW",
    help:
      "picker shows pages; auto signs the first person in and consents, without a page; auto:bob does it for bob. " +
      "Default: picker.",
    accepts: (text: string) => /^(picker|auto(:.+)?)$/.test(text),
    expected: "picker, auto or auto:person",
  },
  paths: {
    option: "paths",
    value: "SERVER",
    help:
      "Use other paths: root (/authorize, /token), or those of another server: axa (oauth2-mock-server), navikt (mock-oauth2-server), keycloak or auth0. The default " +
      "issuer is then http://localhost:PORT/default for navikt, http://localhost:PORT/realms/master for keycloak, and " +
      "http://localhost:PORT/ for auth0, with a slash at the end: Auth0's libraries expect it of --issuer, too.",
    ...oneOf(Object.keys(pathProfiles)),
  },
  resource: {
    option: "demoResource",
    value: "URL",
    help:
      "Serve a small protected API at this URL of the issuer's origin, or at a path such as /api. It says who calls it: " +
      "try it with the command token --resource URL. Default: /resource, if only this machine can reach the server.",
  },
  print: {
    value: "FORM",
    help: "The form of the settings to paste into an application: " +
      `${applicationForms.join(", ")}. Default: env.`,
    ...oneOf(applicationForms),
  },
  from: {
    value: "WHERE",
    help:
      "Where the program of --print env runs: container prints the addresses that it fetches below the first name of --also, and the issuer as it is.",
    ...oneOf(["container"]),
  },
  open: { help: "Open the front page in the browser." },
  watch: { help: "Apply the files of --config and --people again whenever they change." },
  control: {
    ...optionalToken,
    help: "Let tests in any language control this server, below /_postern. With TOKEN, they must send it.",
  },
  misbehave: {
    value: "NAMES",
    separator: ",",
    help:
      "Be wrong on purpose, to see what a client does: names with commas, which the command misbehaviours lists.",
  },
  like: {
    value: "PROVIDER",
    help: "Answer as a well-known provider does where it differs from the standards: " +
      `${lookAlikeNames.join(", ")}.`,
    ...oneOf(lookAlikeNames),
  },
  "like-host": {
    value: "HOST",
    help:
      "With --like and --proxy: the host of your tenant, for a provider that gives each tenant one, such as " +
      "shop.eu.auth0.com. A realm of Keycloak has its path, too: sso.example.com/realms/shop.",
  },
  proxy: {
    ...portFrom(0),
    value: "[PORT]",
    optional: true,
    help:
      "With --like: open a forward proxy on this machine, through which programs meet this server at the provider's own " +
      "hosts. Default: 9001; 0 takes a free port.",
  },
  "proxy-host": {
    value: "HOST",
    separator: ",",
    help:
      "With --proxy: another host (several with commas) at which the routes of your tests answer. Other requests there " +
      "are refused.",
    accepts: (text: string) => text.split(",").every(isHostName),
    expected: "a host name with a dot, or several with commas",
  },
  "proxy-others": {
    help: "With --proxy: pass requests for other hosts through, instead of refusing them.",
  },
  "proxy-token": {
    value: "TOKEN",
    help:
      "With --proxy: let other machines and containers use the proxy, too, if they send this token as the password.",
    // It is the password in the URL of the proxy, so no program must encode it.
    accepts: (text: string) => text.length >= shortestToken && /^[\w.~-]+$/.test(text),
    expected: `${shortestToken} or more letters, digits and the characters - . _ ~`,
    secret: true,
  },
  workload: {
    value: "PLATFORM",
    separator: ",",
    help: `Issue tokens as a platform gives them to pipelines, pods and services: ${
      workloadPlatforms.join(", ")
    }, or several with commas. PLATFORM=SUBJECT chooses their sub. Prints how a program gets them.`,
    accepts: (text: string) =>
      text.split(",").every((each) => workloadPlatforms.some((name) => name === each.split("=")[0])),
    expected: `one of ${workloadPlatforms.join(", ")}, or several with commas`,
  },
  snapshot: {
    value: "FILE",
    help:
      "Start with the people, clients, grants, sessions and clock of a file that --write-snapshot has written, in place " +
      "of those of the configuration and the store.",
  },
  "write-snapshot": {
    value: "FILE",
    help: "Write people, clients, grants, sessions and clock to this new file when the server ends.",
  },
  "with-keys": { help: "With --write-snapshot: write the private signing keys, too." },
  label: {
    value: "TEXT",
    help: "A name for this instance, which its pages show, to tell several instances apart.",
    accepts: isLabel,
    expected: labelForm,
  },
  "inspector-key": {
    value: "KEY",
    help:
      "The key that shows secrets at /inspector. Default: a new key at each start. Where other machines can reach the " +
      "server, there is no inspector without it.",
    accepts: isInspectorKey,
    expected: inspectorKeyForm,
    secret: true,
  },
  "no-inspector": {
    help: "Record no requests, and serve no dashboard: no inspector, no playground, no examination by hand.",
  },
  log: {
    value: "FORM",
    help:
      "text for people, or json for programs: one object in each line of the standard output, without the banner. " +
      "The key of the inspector is then in no output: choose one with --inspector-key. Default: text.",
    ...oneOf(logForms),
  },
  metrics: {
    ...optionalToken,
    help:
      "Serve counters for Prometheus at /metrics, to programs on this machine. With TOKEN, to every program that " +
      "sends it.",
  },
  drain: {
    value: "SECONDS",
    help:
      "After SIGTERM, keep answering for this time before the end, while /ready says 503, so that a platform sends its " +
      "requests elsewhere. Default: 0, which leaves open connections up to one second.",
    accepts: (text: string) => /^\d{1,4}(\.\d+)?$/.test(text) && Number(text) <= 3600,
    expected: "a number of seconds up to 3600",
  },
  "end-with-input": {
    help: "End when the standard input ends, so also when the program that has started this one is killed.",
  },
  quiet: { help: "Print no lines for requests, not even for refusals." },
  "expose-demo": {
    option: "exposeDemo",
    help:
      "Keep the demo clients, the demo people and first use on when other machines can reach the server (unsafe).",
  },
} as const satisfies Readonly<Record<keyof StartFlags, Flag>>;

export const startFlags: Flags = table;

export function readStartFlags(args: readonly string[]): StartFlags {
  return readFlags(args, table).flags;
}

interface SetOption {
  readonly option: string;
  readonly flag: string;
  readonly value: unknown;
}

export function listSetOptions(flags: StartFlags): readonly SetOption[] {
  return Object.entries(flags).flatMap(([flag, given]) => {
    const { option, readOption }: Flag = startFlags[flag]!;
    if (option === undefined || given === undefined) return [];
    return { option, flag, value: typeof given === "string" && readOption ? readOption(given) : given };
  });
}
