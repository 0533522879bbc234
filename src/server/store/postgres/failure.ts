/** Errors of a Postgres server and of the way to it: whether a statement may have run, and words for people. */
import { unprovenServer } from "../../../ground/crypto/x509/check_server.ts";
import { TooLate } from "../deadline.ts";
import { TlsRefused } from "./open_socket.ts";
import type { PostgresAddress } from "./read_postgres_url.ts";

export class StatementFailed extends Error {
  override readonly name = "StatementFailed";

  /** `mayHaveRun`: it is unknown whether the database has run the statement. */
  constructor(override readonly cause: unknown, readonly mayHaveRun: boolean) {
    super(messageOf(cause), { cause });
  }
}

/** The server does not accept writes, because it is a standby or because it was told so. */
export class ReadOnly extends Error {
  override readonly name = "ReadOnly";
}

/** Returns the SQLSTATE of the server, or the code of the system. */
export function codeOf(error: unknown): string {
  const cause = error instanceof StatementFailed ? error.cause : error;
  return `${(cause as { readonly code?: unknown } | undefined)?.code ?? ""}`;
}

/** Whether the server itself refused a statement. Then the connection still works, and nothing was written. */
export function isRefusal(error: unknown): boolean {
  const { severity } = error as { readonly severity?: unknown };
  // With 40003 the server does not know the outcome. A fatal error can come after a commit.
  return severity === "ERROR" && codeOf(error) !== "40003";
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const lasting = /^(0A|22|23|26|28|3D|3F|42|54)/;

/** Whether a later attempt may succeed. */
export function isTransient(error: unknown): boolean {
  const cause = error instanceof StatementFailed ? error.cause : error;
  if (cause instanceof TlsRefused || isCertificateCode(codeOf(cause))) return false;
  return !lasting.test(codeOf(cause)) && !isUnsupportedSetting(cause);
}

function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|ISSUER|ALTNAME|UNABLE_TO_/.test(code);
}

/** A pooler refuses a setting of a connection, with the code of a protocol error. */
function isUnsupportedSetting(error: unknown): boolean {
  return codeOf(error) === "08P01" && /startup parameter/.test(messageOf(error));
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // One attempt for each address of a host has its message in `errors`.
  return error.message || messageOf((error as AggregateError).errors?.[0] ?? error.name);
}

/** Returns what to report of two attempts: the second may only have had too little time left. */
export function chooseFailure(earlier: unknown, later: unknown): unknown {
  const { cause } = later as { readonly cause?: unknown };
  return cause instanceof TooLate && earlier !== undefined ? earlier : later;
}

const readOnly = "the server is read-only, for example a standby: name the primary server";

/** Says what is wrong, and what to do. The text has no secret. */
export function describeFailure(error: unknown, address: PostgresAddress | undefined): string {
  const cause = error instanceof StatementFailed ? error.cause : error;
  const code = codeOf(cause);
  const user = address === undefined ? "the user" : `the user "${address.user}"`;
  const server = address?.hosts.map(({ name, port }) => `${name}:${port}`).join(", ") ?? "the server";
  const detail = messageOf(cause);
  if (cause instanceof TooLate) {
    return `${server} does not answer: check the address, the network and the server`;
  }
  if (cause instanceof ReadOnly) return readOnly;
  if (cause instanceof TlsRefused) return `${detail}: correct the address, or sslmode in the URL`;
  if (detail === unprovenServer) return detail;
  if (isCertificateCode(code) || /certificate/i.test(detail)) {
    return `the certificate of the server is not accepted (${detail}): name its authority with sslrootcert=FILE, ` +
      "or correct the host name";
  }
  if (isUnsupportedSetting(cause)) {
    return `a pooler before the server refuses settings (${detail}): add prepare=false to the URL`;
  }
  if (code === "ECONNREFUSED") {
    return `nothing listens on ${server}: start Postgres there, or correct the address`;
  }
  if (code === "ENOENT") return `there is no file or socket (${detail})`;
  if (/^(ENOTFOUND|EAI_)/.test(code)) return `the host of ${server} is not known: correct the address`;
  if (/^(ECONN|EPIPE|CONNECTION_|08)/.test(code)) return `${server} closes the connection (${detail})`;
  return refusals.get(code)?.(detail, user, address) ?? detail;
}

type Describe = (detail: string, user: string, address: PostgresAddress | undefined) => string;

const describeLostStatement: Describe = (detail) =>
  `a pooler before the server loses prepared statements (${detail}): add prepare=false to the URL`;

/** What the refusals of the server mean, by their SQLSTATE. */
const refusals: ReadonlyMap<string, Describe> = new Map(Object.entries<Describe>({
  "28P01": (_detail, user, address) =>
    address?.password !== ""
      ? `the server refuses ${user} or the password: correct them, and encode their special characters`
      : `the server asks ${user} for a password, and the URL has none`,
  "28000": (detail, user) => `the server does not let ${user} in (${detail})`,
  "3D000": (_detail, _user, address) =>
    `there is no database "${address?.database ?? ""}": create it, or correct the URL`,
  "3F000": () => "there is no schema to create the table in: create it, or correct search_path in the URL",
  "42501": (detail, user) =>
    `${user} lacks a right (${detail}): let the user create tables in the schema, or create the tables for it`,
  "53300": (detail) =>
    `the server has too many connections (${detail}): raise max_connections, or lower pool_size in the URL`,
  "57P03": (detail) => `the server is starting or stopping (${detail})`,
  "25006": () => readOnly,
  "26000": describeLostStatement,
  "42P05": describeLostStatement,
}));
