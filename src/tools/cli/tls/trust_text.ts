/** The commands that make programs and systems trust an authority, and those that undo it. */

import type { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { type CommandWords, createCommandWords, quoteWord } from "../../../ground/values/quote_word.ts";
import type { AuthorityPlace } from "./authority_place.ts";
import { describeEnd } from "./open_authority.ts";

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

/** The words of the commands. */
interface Words {
  readonly file: string;
  readonly store: string;
  /** The flag of Java that names the store. PowerShell ends it at its first dot, unless it has quotes. */
  readonly property: string;
  /** The settings of PHP that name the certificate: of its streams, and of curl. */
  readonly phpSettings: readonly string[];
}

function quotePlace(
  { place: { certFile, folder }, platform }: TrustOptions,
): Words & Pick<CommandWords, "notes"> {
  const shells = platform === "win32" ? "all" : "posix";
  const { quote, notes } = createCommandWords(shells);
  const path = join(folder, "truststore.p12"), flag = "-Djavax.net.ssl.trustStore=";
  return {
    file: quote(certFile, "FILE", "the certificate of the authority"),
    store: quote(path, "STORE", "truststore.p12 beside this certificate"),
    property: quoteWord(flag + path, shells) ?? `'${flag}STORE'`,
    phpSettings: ["openssl.cafile=", "curl.cainfo="].map((name) =>
      quoteWord(name + certFile, shells) ?? `'${name}FILE'`
    ),
    notes,
  };
}

export function describeTrust(options: TrustOptions): string {
  const { place: { certFile, limits }, certificate, platform } = options;
  const shell = platform === "win32" ? "PowerShell" : "a POSIX shell";
  const { notes, ...words } = quotePlace(options);
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
    ...list(
      `Programs, while the variable or the flag is set, in ${shell}:`,
      instructForPrograms(options, words),
    ),
    ...list(`All programs of a system or a browser, in ${shell}:`, instructForSystems(options, words)),
    "",
    ...notes,
    "Nothing was installed: run the lines that you need.",
  ].join("\n");
}

function instructForPrograms(
  { alias, platform }: TrustOptions,
  { file, store, property, phpSettings }: Words,
): readonly Instruction[] {
  const byVariable = (title: string, name: string, note?: string): Instruction => ({
    title,
    trust: [
      platform === "win32" ? `$env:${name} = ${file}` : `export ${name}=${file}`,
      ...(note === undefined ? [] : [`# ${note}`]),
    ],
    remove: [platform === "win32" ? `Remove-Item Env:${name}` : `unset ${name}`],
  });
  const alone = "It then trusts no other authority.";
  return [
    byVariable("Node, Bun", "NODE_EXTRA_CA_CERTS"),
    byVariable("Deno", "DENO_CERT"),
    byVariable("Python", "SSL_CERT_FILE", alone),
    byVariable("Python with Requests", "REQUESTS_CA_BUNDLE", alone),
    byVariable("Ruby", "SSL_CERT_FILE", alone),
    {
      title: "PHP",
      trust: [`php ${phpSettings.map((setting) => `-d ${setting}`).join(" ")} …`, `# ${alone}`],
      remove: ["Leave the flags out."],
    },
    byVariable("Go on Linux", "SSL_CERT_FILE", "On other systems, Go asks the system."),
    {
      title: "Java",
      trust: [
        `keytool -importcert -noprompt -alias ${alias} -file ${file} -keystore ${store} -storepass changeit`,
        `java ${property} '-Djavax.net.ssl.trustStorePassword=changeit' …`,
      ],
      remove: [platform === "win32" ? `Remove-Item ${store}` : `rm ${store}`],
    },
    {
      title: "curl",
      trust: [`curl --cacert ${file} …`],
      remove: ["Leave the flag out."],
    },
  ];
}

function instructForSystems(
  { place: { certFile, title }, certificate, alias }: TrustOptions,
  { file }: Words,
): readonly Instruction[] {
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
      title: "Windows, in PowerShell",
      trust: [`certutil -user -addstore Root ${file}`],
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
        `Settings, Certificates, View Certificates, Authorities, Import: ${certFile}, for websites`,
      ],
      remove: [`In the same list: "${title}", Delete or Distrust`],
    },
  ];
}
