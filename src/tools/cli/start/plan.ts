/** Decides from the flags and the configuration file how the server runs, before a socket or a store is opened. */

import { defaultFeatures, expandOptions, hasFeature } from "../../../server/features/mod.ts";
import {
  isReachedFromElsewhere,
  listNames,
} from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import { isServedFromLoopback } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import { findProfile } from "../../../server/oauth/contracts/paths.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import { present } from "../../../ground/values/present.ts";
import { isLoopbackHost, withoutBrackets } from "../../../ground/http/address.ts";
import { gatherSlots } from "../../../server/slots.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { readSettings } from "../../../server/setup/read_settings.ts";
import { CommandError } from "../terminal/command_error.ts";
import {
  type ConfigurationFile,
  explainingSetUp,
  findIssuerPath,
  readConfigurationFile,
} from "../configuration/configuration_file.ts";
import type { NotCarriedOver } from "../configuration/navikt/navikt_configuration.ts";
import { type PeopleFile, readPeopleFile } from "./people_file.ts";
import { readPort } from "../client/server_flags.ts";
import { listSetOptions, type StartFlags } from "./start_flags.ts";
import { readCertificates } from "../../../ground/crypto/x509/pem.ts";
import { readTextFile } from "../configuration/text_file.ts";

const defaultPort = 9000;

export interface Plan {
  readonly host: string;
  readonly port: number;
  readonly configuration: Configuration;
  readonly settings: Settings;
  /** Other machines can reach the server. */
  readonly isReached: boolean;
  readonly peopleFile?: PeopleFile;
  /** Present if the configuration file was written for mock-oauth2-server. */
  readonly notCarriedOver?: readonly NotCarriedOver[];
}

/** `withDemo`: the plan has a demo client if the profile allows one, even without the flag `--expose-demo`. */
export async function readPlan(flags: StartFlags, withDemo = false): Promise<Plan> {
  if (flags.watch && flags.config === undefined && flags.people === undefined) {
    throw new CommandError("--watch needs a file to watch: --config FILE, --people FILE, or both");
  }
  const peopleFile = flags.people === undefined
    ? undefined
    : await readPeopleFile(flags.people, flags.control !== undefined);
  const source = usePeopleOf(peopleFile, await readConfigurationFile(flags.config));
  const { configuration: file, notCarriedOver } = source;
  const host = withoutBrackets(flags.host ?? "localhost");
  const known = flags.issuer ?? file.issuer;
  const scheme = flags.tls || flags["tls-cert"] !== undefined ? "https" : "http";
  if (scheme === "https") {
    const flag = flags.tls ? "--tls" : "--tls-cert";
    requireHttps(flag, "its issuer", known === undefined ? [] : [known]);
    requireHttps(flag, "its other name", flags.also?.split(",") ?? file.also ?? []);
  }
  const port = await choosePort(flags.port, known, { host, scheme });
  const mtls = await readMtls(flags, file, { host, port, scheme });
  const allowsDemo = (flags.profile ?? file.profile) === undefined;
  const given = withDemo ? { ...flags, "expose-demo": allowsDemo } : flags;
  const plan = readConfiguration(given, source, { host, port, scheme, mtls });
  return { ...plan, ...present({ notCarriedOver, peopleFile }) };
}

function requireHttps(flag: string, kind: string, urls: readonly string[]): void {
  const plain = urls.find((url) => url.startsWith("http:"));
  if (plain === undefined) return;
  throw new CommandError(`${flag} makes this an https server, so ${kind} cannot be ${plain}`);
}

/** Replaces the people of the configuration by those of the file, as a flag wins over the configuration. */
function usePeopleOf(peopleFile: PeopleFile | undefined, source: ConfigurationFile): ConfigurationFile {
  const { people, locate: locatePeople } = peopleFile ?? {};
  if (people === undefined) return source;
  const { configuration, locate } = source;
  return {
    ...source,
    configuration: { ...configuration, people },
    locate: (place) => /^people\b/.test(place) ? locatePeople!(place) : locate?.(place),
  };
}

function readConfiguration(
  flags: StartFlags,
  source: ConfigurationFile,
  { host, port, scheme, mtls }: Listening & { readonly mtls: Configuration["mtls"] },
): Plan {
  const { configuration: file, locate } = source;
  const { issuer, paths } = flags;
  const options = listSetOptions(flags);
  const sources = {
    ...present({ locate }),
    flags: Object.fromEntries(options.map(({ option, flag }) => [option, flag])),
  };
  const chosen = explainingSetUp(sources, () =>
    expandOptions({
      // `origin` omits the default port of the scheme, because an issuer must be written without it.
      issuer: new URL(`${scheme}://${flags["tls-name"] ?? "localhost"}:${port}`).origin +
        findIssuerPath(source, paths),
      ...file,
      ...Object.fromEntries(options.map(({ option, value }) => [option, value])),
      ...present({ mtls }),
    } as Configuration));
  // With its own certificate the server needs no proxy. So an https issuer on loopback is on this machine, like http.
  const isOwn = scheme === "https" && isServedFromLoopback(`${chosen.issuer}`);
  const keepsFirstUse = chosen.clients === undefined && isOwn;
  const isReached = isReachedFromElsewhere({
    issuer: `${chosen.issuer}`,
    ...present({ also: chosen.also }),
    isExposed: !isLoopbackHost(host),
    servesHttps: scheme === "https",
  });
  const isDemo = chosen.clients === undefined && chosen.people === undefined;
  const configuration: Configuration = {
    ...present({ firstUse: keepsFirstUse || undefined }),
    registration: !isReached,
    clientDocuments: !isReached,
    ...present({ demoResource: isReached || hidesIssuer(chosen) ? undefined : usualDemoResource }),
    frontPage: !isReached || isDemo && chosen.exposeDemo ? "full" : "issuer",
    ...chosen,
  };
  const settings = explainingSetUp(sources, () => {
    // A test that controls the server makes an authority of clients' certificates: POST /certificates.
    const terms = flags.control === undefined ? {} : { moreAuthorities: () => [] };
    return readSettings(configuration, gatherSlots(defaultFeatures({ ...configuration, ...terms })));
  });
  const plan = { host, port, configuration, settings, isReached };
  if (isReached) requireFitForOtherMachines(plan, issuer ?? file.issuer);
  return plan;
}

/** Where the API beside the server is, for a server that only this machine reaches. */
const usualDemoResource = "/resource";

/** Whether the API would be at the address of an issuer, or at one that an issuer may get. */
function hidesIssuer({ issuer, paths }: Configuration): boolean {
  const path = URL.canParse(`${issuer}`) ? new URL(`${issuer}`).pathname : "";
  return findProfile(paths).namesIssuers || path.replace(/\/$/, "") === usualDemoResource;
}

async function choosePort(
  flag: string | undefined,
  issuer: string | undefined,
  { host, scheme }: Omit<Listening, "port">,
): Promise<number> {
  if (flag !== undefined) return await readPort(flag, host);
  if (issuer === undefined || !URL.canParse(issuer)) return defaultPort;
  const { protocol, port } = new URL(issuer);
  // Without its own certificate, the server is behind a proxy that has the https issuer's port.
  return protocol === `${scheme}:` ? Number(port || (scheme === "http" ? 80 : 443)) : defaultPort;
}

function requireFitForOtherMachines(
  { host, configuration, settings }: Plan,
  issuer: string | undefined,
): void {
  const isExposed = !isLoopbackHost(host);
  if (isExposed && issuer === undefined) {
    throw new CommandError(
      `--host ${host} lets other machines in, so --issuer must be the URL they use: https://…, ` +
        "or http://localhost:PORT when a container maps that port",
    );
  }
  if (configuration.openIntrospection) {
    throw new CommandError(
      `${describeReach(host, settings)}, and anyone could introspect tokens: remove openIntrospection`,
    );
  }
  if (configuration.exposeDemo) return;
  const open = [
    ...(configuration.clients === undefined ? ["the demo clients"] : []),
    ...(configuration.people === undefined ? ["the demo people"] : []),
    ...(hasFeature("first_use", configuration) ? ["first use of any client_id"] : []),
  ];
  if (open.length === 0) return;
  throw new CommandError(
    `${describeReach(host, settings)}, and anyone could use ${list(open)}: ` +
      `configure "clients" and "people" (--config FILE), or add --expose-demo`,
  );
}

export function describeReach(host: string, names: Pick<Settings, "issuer" | "also">): string {
  return isLoopbackHost(host)
    ? `other machines may reach ${listNames(names)}`
    : `--host ${host} lets other machines in`;
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

interface Listening {
  readonly host: string;
  /** The port of the issuer. */
  readonly port: number;
  readonly scheme: "http" | "https";
}

/** Returns the option `mtls`. Refuses one that no client could use, because nothing shows its certificate. */
async function readMtls(
  flags: StartFlags,
  file: Configuration,
  { host, port, scheme }: Listening,
): Promise<Configuration["mtls"]> {
  const { "mtls-port": portFlag, "mtls-ca": caFile, "client-cert-header": headerFlag } = flags;
  const mtls = (portFlag ?? caFile) === undefined ? file.mtls : {
    ...file.mtls,
    ...present({ ca: caFile === undefined ? undefined : await readAuthorities(caFile) }),
    ...present({ port: portFlag === undefined ? undefined : await readPort(portFlag, host) }),
  };
  const header = headerFlag ?? file.clientCertHeader;
  const portPlace = portFlag === undefined ? "mtls.port" : "--mtls-port";
  const headerPlace = headerFlag === undefined ? "clientCertHeader" : "--client-cert-header";
  if (header !== undefined && flags["trust-proxy"] === undefined) {
    throw new CommandError(
      `${headerPlace} ${header} needs --trust-proxy ADDRESS: only a proxy may say which certificate a client has`,
    );
  }
  if (mtls?.port !== undefined && scheme === "http") {
    throw new CommandError(
      `${portPlace} needs --tls, or --tls-cert and --tls-key: behind a proxy with TLS, use --client-cert-header`,
    );
  }
  if (mtls?.port === port) {
    throw new CommandError(
      `${portPlace} must be another port than ${port}, at which the server has its pages`,
    );
  }
  if (mtls !== undefined && (mtls.port ?? header) === undefined) {
    throw new CommandError(
      "mtls needs a way to see the certificates of clients: --mtls-port PORT, or --client-cert-header NAME",
    );
  }
  return mtls;
}

async function readAuthorities(file: string): Promise<string> {
  const pem = await readTextFile(file, `--mtls-ca ${file}`);
  if (readCertificates(pem).length > 0) return pem;
  throw new CommandError(`--mtls-ca ${file}: it has no PEM block CERTIFICATE`);
}
