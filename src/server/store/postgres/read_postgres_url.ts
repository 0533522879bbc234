/** Reads the URL of a Postgres database, as libpq writes it. */
import { attempt } from "../../../ground/values/attempt.ts";
import { present } from "../../../ground/values/present.ts";
import { hidePassword } from "../../../ground/values/hide_password.ts";

/** A host name or an address, or the folder of a Unix socket. */
export interface PostgresHost {
  readonly name: string;
  readonly port: number;
}

/** What the certificate of the server must prove. `prefer` uses TLS only if the server offers it. */
export type TlsMode = "disable" | "prefer" | "require" | "verify-ca" | "verify-full";

export interface PostgresAddress {
  /** The URL as errors show it. */
  readonly shown: string;
  /** The store uses the first one that accepts writes. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: {
    readonly mode: TlsMode;
    /** Paths of files: the certificate authority, and the certificate of the client with its key. */
    readonly authority?: string;
    readonly certificate?: string;
    readonly key?: string;
  };
  /** False if a pooler between cannot keep prepared statements. Then it also refuses settings of a connection. */
  readonly prepares: boolean;
  readonly poolSize?: number;
  /** How many seconds the start waits for the database. */
  readonly connectTimeout?: number;
  /** Settings of each connection, for example `search_path`. */
  readonly settings: Readonly<Record<string, string>>;
}

const form = "postgres://USER:PASSWORD@HOST/DATABASE, with special characters encoded";
const modes: readonly TlsMode[] = ["disable", "prefer", "require", "verify-ca", "verify-full"];

const settingNames = ["application_name", "options", "search_path"];
const knownNames = [
  ...["sslmode", "sslrootcert", "sslcert", "sslkey", "channel_binding", "connect_timeout", "host"],
  ...["prepare", "pool_size", ...settingNames],
];

/** Throws a `TypeError` that does not contain the password. */
export function readPostgresUrl(url: string): PostgresAddress {
  const shown = hidePassword(url);
  const refuse = (problem: string): never => {
    throw new TypeError(`Cannot open the store "${shown}": ${problem}`);
  };
  const match =
    /^postgres(?:ql)?:\/\/(?:([^:/?#]*)(?::([^/?#]*))?@)?([^@/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/i.exec(
      url,
    );
  if (match === null) return refuse(`its URL is not ${form}`);
  const [, login = "", secret = "", authority = "", path = "", search = ""] = match;
  const [user = "", password = ""] = [login, secret].map((text) => decode(text, refuse));
  if (user === "") refuse(`its URL has no user: ${form}`);
  const query = readQuery(search, refuse);
  const names = query["host"]?.split(",") ?? authority.split(",");
  return {
    shown,
    hosts: names.map((name) => readHost(decode(name, refuse), refuse)),
    user,
    password,
    database: decode(path, refuse) || user,
    tls: readTls(query, refuse),
    prepares: readFlag("prepare", query, refuse) ?? true,
    ...present({
      poolSize: readNumber("pool_size", query, refuse),
      connectTimeout: readNumber("connect_timeout", query, refuse),
    }),
    settings: {
      application_name: "postern",
      ...Object.fromEntries(Object.entries(query).filter(([name]) => settingNames.includes(name))),
    },
  };
}

type Refuse = (problem: string) => never;
type Query = Readonly<Record<string, string>>;

function decode(text: string, refuse: Refuse): string {
  return attempt(() => decodeURIComponent(text)) ??
    refuse('its URL has a "%" that does not begin an encoded character: write "%25"');
}

function readQuery(search: string, refuse: Refuse): Query {
  const query = Object.fromEntries(new URLSearchParams(search));
  const unknown = Object.keys(query).find((name) => !knownNames.includes(name));
  if (unknown !== undefined) {
    // The question mark may be that of a password, which no error quotes.
    if (search.includes("@")) refuse(`its URL is not ${form}`);
    refuse(`its URL has the parameter "${unknown}", and known are ${knownNames.join(", ")}`);
  }
  if (query["channel_binding"] === "require") {
    refuse("it cannot bind the channel: use sslmode=verify-full instead of channel_binding=require");
  }
  return query;
}

function readHost(text: string, refuse: Refuse): PostgresHost {
  // The path of a folder, or a name, or an address in brackets, with an optional port.
  const [, name = "", port = "5432"] = /^(\/.*?|\[.*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  if (name === "" || Number(port) > 65535) refuse("its URL has no host, or no port that exists");
  return { name: name.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

function readTls(query: Query, refuse: Refuse): PostgresAddress["tls"] {
  const { sslmode, sslrootcert, sslcert, sslkey } = query;
  const usesSystem = sslrootcert === "system";
  const name = sslmode ?? (usesSystem ? "verify-full" : "prefer");
  const mode = modes.find((each) => each === name);
  if (mode === undefined) return refuse(`its sslmode must be one of ${modes.join(", ")}`);
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    refuse("it needs both sslcert and sslkey, or neither");
  }
  const authority = usesSystem ? undefined : sslrootcert;
  return {
    // libpq: "require" with a file of authorities checks the certificate.
    mode: mode === "require" && authority !== undefined ? "verify-ca" : mode,
    ...present({ authority, certificate: sslcert, key: sslkey }),
  };
}

function readFlag(name: string, query: Query, refuse: Refuse): boolean | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  return text === "true" || text !== "false" && refuse(`its ${name} must be true or false`);
}

function readNumber(name: string, query: Query, refuse: Refuse): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : refuse(`its ${name} must be a number from 1`);
}
