/** The public API of Postern, a pocket OAuth 2.1 authorization server. Other modules are internal. */

export { createServer, type Server } from "./server/server.ts";
export type { ShownCertificate } from "./server/shown_certificate.ts";
export type { ServerOptions } from "./setup/server_options.ts";
export { defaultIssuer } from "./oauth/clients/reached_from_elsewhere.ts";
export type { Configuration, ConfigurationSchema, PersonConfiguration } from "./setup/configuration.ts";
export type { DpopConfiguration, NonceMode, ProofAlgorithm } from "./oauth/tokens/dpop_settings.ts";
export type { MetadataAddresses, MetadataForm } from "./oauth/metadata_addresses.ts";
export type { PathProfileName, Paths, PathsOption } from "./oauth/paths.ts";
export { createConfigurationSchema } from "./server/configuration_schema.ts";
export type { Duration } from "./schema/duration.ts";
export type { JsonType, Schema } from "./schema/schema.ts";
export type { CoreClientMetadata } from "./oauth/clients/client_metadata.ts";
export type * from "./features/options.ts";
export type { IssSent, IssuerFaultsConfiguration } from "./setup/issuer_faults.ts";
export type { ClaimsInConfiguration, TokenClaimsConfiguration } from "./setup/claim_options.ts";
export type { ClientMetadata } from "./setup/client_metadata.ts";
export type { Jwk, PublicJwk } from "./crypto/jwk.ts";
export type { SigningAlgorithm } from "./crypto/platform.ts";
export type { ContentEncryption, KeyEncryption } from "./crypto/jwe.ts";
export type { RandomBytes } from "./crypto/bytes.ts";
export { authorizedPage, type AuthorizedPageOptions } from "./server/authorized_page.ts";
export { hashPassword, type PasswordProof } from "./crypto/password.ts";
export { memoryStore } from "./store/memory.ts";
export { type RedisClient, redisStore, type RedisStoreOptions } from "./store/redis.ts";
export { sqliteStore, type SqliteStoreOptions } from "./store/sqlite.ts";
export { postgresStore } from "./store/postgres.ts";
export type {
  PostgresClient,
  PostgresParameter,
  PostgresRows,
  PostgresStoreOptions,
} from "./store/postgres/postgres_client.ts";
export {
  type Entry,
  type Kind,
  type PutTerms,
  type Store,
  StoreUnavailable,
  type Version,
} from "./store/store.ts";
export {
  type Advice,
  type Alteration,
  type Facts,
  type Journal,
  type JournalEntry,
  type Message,
  type Refusal,
} from "./oauth/journal.ts";
export type { Trace } from "./http/trace_context.ts";
export { redact } from "./server/redaction.ts";
// For listeners that do not use Request and Response.
export { createPlainServer, type PlainServer } from "./server/server.ts";
export type { Address } from "./http/address.ts";
export type { Body, BodyProblem } from "./http/body.ts";
export type { AnswerBody } from "./http/answer_body.ts";
export type { Answer, AnswerHeaders, Header, IncomingRequest, PeerCertificate } from "./http/message.ts";
export type { FetchOthers } from "./http/fetch_others.ts";
export type { Exchange } from "./oauth/exchange.ts";
export type { Carried } from "./oauth/carried.ts";
export type { Pair } from "./http/form.ts";
export type { ChainBinding, Grant, GrantCode, LastResponse, RefreshChain } from "./oauth/tokens/grant.ts";
export type { Confirmation } from "./oauth/tokens/sender.ts";
export type { SessionRef } from "./oauth/people/session.ts";
export type { Claims, Members } from "./oauth/members.ts";
export type { Seam, SeamContext, SeamName, Seams, SeamValues, SignedToken, Signer } from "./oauth/seams.ts";
