/** The public API of Postern, a pocket OAuth 2.1 authorization server. Other modules are internal. */

export { createServer, type Server } from "./server/server.ts";
export type { ShownCertificate } from "./server/shown_certificate.ts";
export type { ServerOptions } from "./server/setup/server_options.ts";
export { defaultIssuer } from "./server/oauth/clients/reached_from_elsewhere.ts";
export type {
  Configuration,
  ConfigurationSchema,
  PersonConfiguration,
} from "./server/setup/configuration.ts";
export type { DpopConfiguration, NonceMode, ProofAlgorithm } from "./server/oauth/tokens/dpop_settings.ts";
export type { MetadataAddresses, MetadataForm } from "./server/oauth/paths.ts";
export type { PathProfileName, Paths, PathsOption } from "./server/oauth/paths.ts";
export { createConfigurationSchema } from "./server/configuration_schema.ts";
export type { Duration } from "./server/schema/duration.ts";
export type { JsonType, Schema } from "./server/schema/schema.ts";
export type { CoreClientMetadata } from "./server/oauth/clients/client_metadata.ts";
export type * from "./server/features/options.ts";
export type { IssSent, IssuerFaultsConfiguration } from "./server/setup/issuer_faults.ts";
export type { ClaimsInConfiguration, TokenClaimsConfiguration } from "./server/setup/claim_options.ts";
export type { ClientMetadata } from "./server/setup/client_metadata.ts";
export type { Jwk, PublicJwk } from "./server/crypto/jwk.ts";
export type { SigningAlgorithm } from "./server/crypto/platform.ts";
export type { ContentEncryption, KeyEncryption } from "./server/crypto/jwe.ts";
export type { RandomBytes } from "./server/crypto/bytes.ts";
export { authorizedPage, type AuthorizedPageOptions } from "./server/authorized_page.ts";
export { hashPassword, type PasswordProof } from "./server/crypto/password.ts";
export { memoryStore } from "./server/store/memory.ts";
export { type RedisClient, redisStore, type RedisStoreOptions } from "./server/store/redis.ts";
export { sqliteStore, type SqliteStoreOptions } from "./server/store/sqlite.ts";
export { postgresStore } from "./server/store/postgres.ts";
export type {
  PostgresClient,
  PostgresParameter,
  PostgresRows,
  PostgresStoreOptions,
} from "./server/store/postgres/postgres_client.ts";
export {
  type Entry,
  type Kind,
  type PutTerms,
  type Store,
  StoreUnavailable,
  type Version,
} from "./server/store/store.ts";
export {
  type Advice,
  type Alteration,
  type Facts,
  type Journal,
  type JournalEntry,
  type Message,
  type Refusal,
} from "./server/oauth/journal.ts";
export type { Trace } from "./server/http/trace.ts";
export { redact } from "./server/oauth/redaction.ts";
// For listeners that do not use Request and Response.
export { createPlainServer, type PlainServer } from "./server/server.ts";
export type { Address } from "./server/http/address.ts";
export type { AnswerBody, Body, BodyProblem } from "./server/http/body.ts";
export type {
  Answer,
  AnswerHeaders,
  FetchOthers,
  Header,
  IncomingRequest,
  PeerCertificate,
} from "./server/http/message.ts";
export type { Exchange } from "./server/oauth/exchange.ts";
export type { Carried } from "./server/oauth/feature_values.ts";
export type { Pair } from "./server/http/form.ts";
export type {
  ChainBinding,
  Grant,
  GrantCode,
  LastResponse,
  RefreshChain,
} from "./server/oauth/tokens/grant.ts";
export type { Confirmation } from "./server/oauth/tokens/sender.ts";
export type { SessionRef } from "./server/oauth/people/session.ts";
export type { Claims, Members } from "./server/oauth/members.ts";
export type {
  Seam,
  SeamContext,
  SeamName,
  Seams,
  SeamValues,
  SignedToken,
  Signer,
} from "./server/oauth/seams.ts";
