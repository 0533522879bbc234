/** The commands that make programs and systems trust an authority, and those that undo it. */

import type { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { quoteShell, quoteShellWord } from "../../server/client/write_request.ts";
import { quotePath } from "./quote_path.ts";
import type { AuthorityPlace } from "./tls/authority_place.ts";
import { describeEnd } from "./tls/open_authority.ts";

interface TrustOptions {
  readonly place: AuthorityPlace;
  readonly certificate: Pick<X509Certificate, "fingerprint" | "fingerprint256" | "serialNumber" | "validTo">;
  /** The name of the authority in the stores of systems and programs. */
  readonly alias: string;
  readonly platform: string;
}

interface Instruction {
  readonly title: string;
  readonly trust: readonly string[];
  readonly remove: readonly string[];
}

export function describeTrust(options: TrustOptions): string {
  const { place: { certFile, limits }, certificate } = options;
  const list = (heading: string, all: readonly Instruction[]) => [
    "",
    heading,
    ...all.flatMap(({ title, trust, remove }) => [
      "",
      `  ${title}`,
      ...trust.map((line, index) => `    ${index === 0 ? "trust " : "      "}  ${line}`),
      ...remove.map((line, index) => `    ${index === 0 ? "remove" : "      "}  ${line}`),
    ]),
  ];
  return [
    `The authority is ${certFile}`,
    `It signs certificates only for these hosts, and names below them: ${limits.permitted.join(", ")}`,
    `It ends on ${describeEnd(certificate)}. SHA-256 ${certificate.fingerprint256}`,
    ...list("Programs, while the variable or the flag is set:", instructForPrograms(options)),
    ...list("All programs of a system or a browser:", instructForSystems(options)),
    "",
    "Nothing was installed: run the lines that you need.",
  ].join("\n");
}

function instructForPrograms(
  { place: { certFile, folder }, alias, platform }: TrustOptions,
): readonly Instruction[] {
  const byVariable = (title: string, name: string, note?: string): Instruction => ({
    title,
    trust: [
      platform === "win32"
        ? `$env:${name} = '${certFile.replaceAll("'", "''")}'`
        : `export ${name}=${quoteShellWord(certFile)}`,
      ...(note === undefined ? [] : [`# ${note}`]),
    ],
    remove: [platform === "win32" ? `Remove-Item Env:${name}` : `unset ${name}`],
  });
  const quote = (path: string) => quotePath(path, platform);
  const store = join(folder, "truststore.p12");
  const alone = "It then trusts no other authority.";
  return [
    byVariable("Node, Bun", "NODE_EXTRA_CA_CERTS"),
    byVariable("Deno", "DENO_CERT"),
    byVariable("Python", "SSL_CERT_FILE", alone),
    byVariable("Python with Requests", "REQUESTS_CA_BUNDLE", alone),
    byVariable("Go on Linux", "SSL_CERT_FILE", "On other systems, Go asks the system."),
    {
      title: "Java",
      trust: [
        `keytool -importcert -noprompt -alias ${alias} -file ${quote(certFile)} ` +
        `-keystore ${quote(store)} -storepass changeit`,
        `java ${quote(`-Djavax.net.ssl.trustStore=${store}`)} -Djavax.net.ssl.trustStorePassword=changeit …`,
      ],
      remove: [platform === "win32" ? `Remove-Item ${quote(store)}` : `rm ${quote(store)}`],
    },
    {
      title: "curl",
      trust: [`curl --cacert ${quote(certFile)} …`],
      remove: ["Leave the flag out."],
    },
  ];
}

function instructForSystems(
  { place: { certFile, title }, certificate, alias }: TrustOptions,
): readonly Instruction[] {
  const file = quoteShellWord(certFile);
  const keychain = "~/Library/Keychains/login.keychain-db";
  const byFile = (
    title: string,
    target: string,
    [update, again = update]: readonly string[],
  ): Instruction => ({
    title,
    trust: [`sudo cp ${file} ${target} && sudo ${update}`],
    remove: [`sudo rm ${target} && sudo ${again}`],
  });
  return [
    byFile("Debian, Ubuntu", `/usr/local/share/ca-certificates/${alias}.crt`, [
      "update-ca-certificates",
      "update-ca-certificates --fresh",
    ]),
    byFile("Fedora, Red Hat", `/etc/pki/ca-trust/source/anchors/${alias}.pem`, ["update-ca-trust"]),
    {
      title: "macOS",
      trust: [`security add-trusted-cert -r trustRoot -p ssl -k ${keychain} ${file}`],
      remove: [
        `security remove-trusted-cert ${file}`,
        `security delete-certificate -Z ${certificate.fingerprint.replaceAll(":", "")} ${keychain}`,
      ],
    },
    {
      title: "Windows",
      trust: [`certutil -user -addstore Root ${quotePath(certFile, "win32")}`],
      remove: [`certutil -user -delstore Root ${certificate.serialNumber}`],
    },
    {
      title: "Chromium on Linux (certutil is in the package libnss3-tools or nss-tools)",
      trust: [
        `mkdir -p $HOME/.pki/nssdb && certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n ${alias} -i ${file}`,
      ],
      remove: [`certutil -d sql:$HOME/.pki/nssdb -D -n ${alias}`],
    },
    {
      title: "Firefox (on Windows and macOS, it also asks the system)",
      trust: [
        "Settings, Certificates, View Certificates, Authorities, " +
        `Import: ${quoteShell(certFile)}, for websites`,
      ],
      remove: [`In the same list: "${title}", Delete or Distrust`],
    },
  ];
}
