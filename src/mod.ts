/** The public API of Postern, a pocket OAuth 2.1 authorization server. Other modules are internal. */

export { createServer, type Server } from "./server/server.ts";
export type { ShownCertificate } from "./server/shown_certificate.ts";
export type { ServerOptions } from "./server/setup/server_options.ts";
export { defaultIssuer } from "./server/oauth/clients/reach/reached_from_elsewhere.ts";
export type {
  Configuration,
  ConfigurationSchema,
  PersonConfiguration,
} from "./server/setup/configuration.ts";
export type { DpopConfiguration, NonceMode, ProofAlgorithm } from "./server/oauth/contracts/dpop_settings.ts";
export type { MetadataAddresses, MetadataForm } from "./server/oauth/contracts/paths.ts";
export type { PathProfileName, Paths, PathsOption } from "./server/oauth/contracts/paths.ts";
export { createConfigurationSchema } from "./server/configuration_schema.ts";
export type { Duration } from "./ground/schema/duration.ts";
export type { JsonType, Schema } from "./ground/schema/schema.ts";
export type { CoreClientMetadata } from "./server/oauth/clients/metadata/client_metadata.ts";
export type * from "./server/features/options.ts";
export type { IssSent, IssuerFaultsConfiguration } from "./server/setup/issuer_faults.ts";
export type { ClaimsInConfiguration, TokenClaimsConfiguration } from "./server/setup/claim_options.ts";
export type { ClientMetadata } from "./server/setup/client_metadata.ts";
export type { Jwk, PublicJwk } from "./ground/crypto/jwk.ts";
export type { SigningAlgorithm } from "./ground/crypto/platform.ts";
export type { ContentEncryption, KeyEncryption } from "./ground/crypto/jwe.ts";
export type { RandomBytes } from "./ground/crypto/bytes.ts";
export { authorizedPage, type AuthorizedPageOptions } from "./server/authorized_page.ts";
export { hashPassword, type PasswordProof } from "./ground/crypto/password.ts";
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
} from "./server/oauth/contracts/journal.ts";
export type { Trace } from "./ground/http/trace.ts";
export { redact } from "./server/oauth/secrets/redaction.ts";
// For listeners that do not use Request and Response.
export { createPlainServer, type PlainServer } from "./server/server.ts";
export type { Address } from "./ground/http/address.ts";
export type { AnswerBody, Body, BodyProblem } from "./ground/http/body.ts";
export type {
  Answer,
  AnswerHeaders,
  FetchOthers,
  Header,
  IncomingRequest,
  PeerCertificate,
} from "./ground/http/message.ts";
export type { Exchange } from "./server/oauth/contracts/exchange.ts";
export type { Carried } from "./server/oauth/contracts/feature_values.ts";
export type { Pair } from "./ground/http/form.ts";
export type {
  ChainBinding,
  Grant,
  GrantCode,
  LastResponse,
  RefreshChain,
} from "./server/oauth/contracts/grant.ts";
export type { Confirmation } from "./server/oauth/contracts/sender.ts";
export type { SessionRef } from "./server/oauth/contracts/session.ts";
export type { Claims, Members } from "./ground/values/members.ts";
export type {
  Seam,
  SeamContext,
  SeamName,
  Seams,
  SeamValues,
  SignedToken,
  Signer,
} from "./server/oauth/contracts/seams.ts";
