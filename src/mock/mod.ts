/** The public API of the test kit: an authorization server inside a test. */

// The types that occur in options, hooks and journal entries.
export type * from "../mod.ts";
export { createMock, type Mock } from "./mock.ts";
export type { MockOptions } from "./terms/mock_options.ts";
export type { Tenant } from "./tenant.ts";
export type { CertificateTerms, ClientCertificate } from "./client/issue_certificate.ts";
export type { ClientCalls } from "./client/client_calls.ts";
export { type WorkloadPlatform, workloadPlatforms } from "./workloads/names.ts";
export type { Workload } from "./workloads/workload.ts";
export type { WorkloadTerms } from "./workloads/workload_terms.ts";
export type { NextSignIn, NextSignInTerms } from "./conditions/next_sign_in.ts";
export type { RotateKeysTerms } from "./conditions/rotate_keys.ts";
export type { AuthorizeTerms } from "./client/authorize.ts";
export type { LoginResponseMode, LoginTerms } from "./client/login.ts";
export type { PersonTerms } from "./client/person_terms.ts";
export type { DpopHeaders, DpopHeadersTerms } from "./client/dpop_headers.ts";
export type { DpopTerm } from "./client/dpop_client.ts";
export type { EndSessionTerms } from "./client/end_session.ts";
export type { GivenTokens } from "./client/given_tokens.ts";
export type { RefreshTerms } from "./client/refresh.ts";
export type { RegisterTerms, Registration } from "./client/register.ts";
export type { ClientDocument, ClientDocumentTerms, DocumentAnswer } from "./client/client_document.ts";
export type { RevokeTerms } from "./client/revoke.ts";
export type { IdTokenClaims, Tokens } from "./client/token_response.ts";
export type { Browser } from "./client/browser.ts";
export type { Clock, Moment } from "./conditions/clock.ts";
export type { Directory } from "./terms/directory.ts";
export type { Environment } from "./terms/environment.ts";
export type { DispatchOptions, MockDispatcher, UnusedMember } from "./network/dispatcher.ts";
export type { Fetch, FetchInit } from "./network/fetch.ts";
export type { Expired, ExpiringTokens } from "./tokens/expire.ts";
export type { Forgery, ForgeryVerdict, ForgeTerms } from "./tokens/forge.ts";
export type { IdJag, IdJagTerms, IdJagVerdict } from "./tokens/id_jag.ts";
export type { MintTerms } from "./tokens/mint_terms.ts";
export type { Protect, ProtectTerms } from "./tokens/protect.ts";
export type { ProtectReason } from "./tokens/check_request.ts";
export type { ProtectDpop } from "./tokens/protect_dpop.ts";
export type { AuthenticationReason } from "./tokens/require_authentication.ts";
export type { Resource, ResourceRequests } from "./resources/resource.ts";
export type {
  ResourceChallenge,
  ResourceChanges,
  ResourceHandler,
  ResourceTerms,
} from "./resources/resource_terms.ts";
export type { ResourceRule } from "./resources/rules.ts";
export type { PresentedTokenReason } from "./tokens/presented_token.ts";
export type { TokenCheckReason } from "./tokens/check_token.ts";
export type { FailureTerms } from "./conditions/failure.ts";
export type { FailTerms, Gate, GateTerms } from "./conditions/closed_gate.ts";
export {
  type AnonymousHookName,
  type EndpointHookName,
  type HookName,
  hookTable,
  type HookValues,
} from "./conditions/hook_table.ts";
export type { Hook, HookContext, HookTerms, SignedHookContext } from "./conditions/hooks.ts";
export type { Listening, ListeningTls, ListenTerms } from "./network/listening.ts";
export { type EndpointName, listEndpointNames } from "./endpoints.ts";
export type { RecordedRequest } from "./journal/recorded_request.ts";
export type { NextTerms } from "./journal/next_request.ts";
export type { RequestList, RequestScope } from "./journal/request_list.ts";
export type { Requests } from "./journal/recorder.ts";
export type {
  HtmlTimelineChoice,
  TextTimelineForm,
  TimelineChoice,
  TimelineForm,
} from "./journal/timeline.ts";
export type { MisbehaveTerms } from "./misbehaving/active_misbehaviour.ts";
export type { Misbehaving, SettledTerms, Verdict } from "./misbehaving/misbehave.ts";
export type { LookingLike, LookLikeTerms } from "./misbehaving/look_like.ts";
export { type LookAlikeName, lookAlikeNames } from "../misbehaviours/look_alikes/names.ts";
export type { Outcome } from "../misbehaviours/outcome.ts";
export type { Level, Phase } from "../misbehaviours/misbehaviour.ts";
export type { Need, UsualParameter } from "../misbehaviours/needs.ts";
export {
  type Area,
  areas,
  type FaultOf,
  faults,
  forgeries,
  type ForgeryName,
  type MisbehaviourName,
  misbehaviourNames,
} from "../misbehaviours/names.ts";
export { type IdJagFault, idJagFaults } from "../misbehaviours/id_jag_faults.ts";
export { examine, examineApi } from "./examine/lazy.ts";
export type { ExamineApiTerms } from "./examine/examine_api.ts";
export type { Card, CardRow, ExamineTerms } from "./examine/examine.ts";
export type { Scenario } from "./examine/scenario.ts";
export { formatCard } from "./card/lazy.ts";
export type { CardForm, FormatCardTerms } from "./card/card_form.ts";
export { type CardChange, type CardComparison, compareCards } from "./card/compare_cards.ts";
export { type KeptCard, type KeptRequest, type KeptRow, readCard } from "./card/kept_card.ts";
export { Refused } from "./journal/refused.ts";
export { HarnessError } from "./journal/harness_error.ts";
