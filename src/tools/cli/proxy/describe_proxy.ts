/** What a start prints about its proxy: the lines with which programs use it and trust its authority. */

import { createHash, X509Certificate } from "node:crypto";
import { dirname, join } from "node:path";
import { lookAlikes } from "../../../kit/faults/look_alikes/look_alikes.ts";
import { providers } from "../../../kit/faults/look_alikes/providers.ts";
import { createCommandWords } from "../../../ground/values/quote_word.ts";
import type { BannerAddition } from "../start/banner.ts";
import { nameVariable } from "../configuration/variables.ts";
import type { ProxyPlan } from "./plan_proxy.ts";

interface ProxyFiles {
  /** Those of the provider, and those that were added. */
  readonly hosts: readonly string[];
  /** The certificates of the system's authorities, and that of the proxy. */
  readonly bundle: string;
  /** The certificate of the proxy's authority. */
  readonly certFile: string;
  /** The certificate of the hosts, in PEM. */
  readonly cert: string;
}

export function describeProxy(
  { like, host = providers[like].host, added, port, token, passesOthers }: ProxyPlan,
  files: ProxyFiles,
): BannerAddition {
  const { hosts, bundle } = files;
  const url = `http://localhost:${port}`;
  const others = passesOthers ? "Other hosts are passed through." : "It refuses other hosts.";
  const elsewhere = token === undefined ? "" : " Other machines reach it with the token.";
  const more = added.map((origin) => new URL(origin).hostname);
  const provided = hosts.filter((each) => !more.includes(each));
  const meets = `Programs that use it meet ${providers[like].title}, at ${provided.join(", ")}.`;
  const routed = more.length === 0 ? [] : [`Routes of your tests answer at ${more.join(", ")}.`];
  const { issuer, endpoints } = lookAlikes[like].addresses(host);
  const isAnnounced = endpoints.some(({ is, answer }) => is === "metadata" && answer === undefined);
  return {
    title: "Proxy",
    lines: [url, meets, ...(isAnnounced ? [`Its issuer is ${issuer}.`] : []), ...routed, others + elsewhere],
    copied: [...describePrograms(url, port, files), ...describeContainer(port, bundle, token !== undefined)],
    members: { proxy: url, proxy_hosts: hosts, proxy_ca: bundle },
  };
}

function describePrograms(
  url: string,
  port: number,
  { bundle, certFile, cert }: ProxyFiles,
): readonly string[] {
  const { quote, notes } = createCommandWords("posix");
  const file = quote(bundle, ...bundlePlace);
  const store = quote(join(dirname(bundle), "truststore.p12"), "STORE", "truststore.p12 beside this file");
  const own = quote(certFile, "CERTIFICATE", "the certificate of the authority");
  return [
    "# The proxy, for all programs of a POSIX shell. The file has the authorities of the system, too:",
    ...notes,
    `export HTTPS_PROXY=${url} NO_PROXY=localhost,127.0.0.1 PROXY_CA=${file}`,
    "# Perl, Qt and wget read the names in lower case only:",
    'export https_proxy="$HTTPS_PROXY" no_proxy="$NO_PROXY"',
    "# Python (aiohttp needs trust_env=True, too), and Go on Linux. On other systems, Go asks the system:",
    'export SSL_CERT_FILE="$PROXY_CA" REQUESTS_CA_BUNDLE="$PROXY_CA" HTTPLIB2_CA_CERTS="$PROXY_CA"',
    "# The SDKs of AWS for Python and Go read the variable of AWS first:",
    'export AWS_CA_BUNDLE="$PROXY_CA"',
    "# Haskell:",
    'export SYSTEM_CERTIFICATE_PATH="$PROXY_CA"',
    "# Node 22.21, and 24.5 or later: fetch, http and https. Node 20 ignores the first variable: call",
    "# install() and setGlobalDispatcher(new EnvHttpProxyAgent()) of undici 7 there, in a file that NODE_OPTIONS=--import=FILE loads,",
    "# and give https an agent of https-proxy-agent.",
    'export NODE_USE_ENV_PROXY=1 NODE_EXTRA_CA_CERTS="$PROXY_CA"',
    "# curl:",
    `curl --proxy ${url} --cacert ${file} …`,
    "# Java, from 9. The store begins as a copy of that of the JDK:",
    `cp "$(${javaHome})/lib/security/cacerts" ${store} && keytool -importcert -noprompt -alias postern ` +
    `-file ${own} -keystore ${store} -storepass changeit`,
    `java -Dhttps.proxyHost=localhost -Dhttps.proxyPort=${port} -Djavax.net.ssl.trustStore=${store} ` +
    "-Djavax.net.ssl.trustStorePassword=changeit …",
    "# Ruby. Net::HTTP reads no variable but http_proxy, and Faraday also HTTPS_PROXY:",
    `http_proxy=${url} SSL_CERT_FILE="$PROXY_CA" ruby …`,
    "# PHP: Guzzle, and its extension curl:",
    'php -d curl.cainfo="$PROXY_CA" -d openssl.cafile="$PROXY_CA" …',
    "# Chromium, with a new profile, which has no cookies of the real provider. It trusts the key of this start:",
    `chromium --user-data-dir="$(mktemp -d)" --proxy-server=${url} ` +
    `--ignore-certificate-errors-spki-list=${hashKey(cert)} …`,
  ];
}

const bundlePlace = ["FILE", "the file of the proxy's authorities"] as const;

/** A command that prints where the JDK is. Few systems set JAVA_HOME. */
const javaHome = "java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p'";

function describeContainer(port: number, bundle: string, hasToken: boolean): readonly string[] {
  const variable = nameVariable("proxy-token");
  if (!hasToken) return [`# Docker: start with --proxy-token or ${variable}, and this line is here.`];
  const { quote, notes } = createCommandWords("posix");
  const file = quote(`${bundle}:/postern.pem:ro`, ...bundlePlace);
  const proxy = `http://postern:$${variable}@host.docker.internal:${port}`;
  return [
    `# Docker, with the token in ${variable}:`,
    ...notes,
    `docker run --add-host host.docker.internal:host-gateway -e HTTPS_PROXY="${proxy}" ` +
    `-v ${file} -e SSL_CERT_FILE=/postern.pem ` +
    "-e NODE_USE_ENV_PROXY=1 -e NODE_EXTRA_CA_CERTS=/postern.pem -e REQUESTS_CA_BUNDLE=/postern.pem …",
  ];
}

/** The hash of the public key, as Chromium compares it. */
function hashKey(cert: string): string {
  const key = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}
