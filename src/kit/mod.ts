/** The public API of the test kit: an authorization server inside a test. */

// The types that occur in options, hooks and journal entries.
export type * from "../mod.ts";
export { createMock, type Mock } from "./mock/mock.ts";
export type { InterceptTerms } from "./mock/network/interceptions.ts";
export type { MockOptions, OnUnhandled } from "./mock/terms/mock_options.ts";
export type { Snapshot } from "./mock/running_mock.ts";
export type { Tenant } from "./mock/tenant.ts";
export type { CertificateTerms, ClientCertificate } from "./mock/client/client_certificates.ts";
export type { ClientCalls } from "./mock/client/client_calls.ts";
export { type WorkloadPlatform, workloadPlatforms } from "./mock/workloads/names.ts";
export type { Workload } from "./mock/workloads/workload.ts";
export type { WorkloadTerms } from "./mock/workloads/workload_terms.ts";
export type { NextSignIn, NextSignInTerms } from "./mock/conditions/next_sign_in.ts";
export type { RotateKeysTerms } from "./mock/conditions/rotate_keys.ts";
export type { AuthorizeTerms } from "./mock/client/authorize.ts";
export type { LoginResponseMode, LoginTerms } from "./mock/client/login.ts";
export type { PersonTerms } from "./mock/client/person_terms.ts";
export type { Authenticator } from "./mock/client/second_factor.ts";
export type { DpopHeaders, DpopHeadersTerms } from "./mock/client/dpop_headers.ts";
export type { DpopTerm } from "./mock/client/dpop_client.ts";
export type { EndSessionTerms } from "./mock/client/end_session.ts";
export type { GivenTokens } from "./mock/client/given_tokens.ts";
export type { RefreshTerms } from "./mock/client/refresh.ts";
export type { RegisterTerms, Registration } from "./mock/client/register.ts";
export type { ClientDocument, ClientDocumentTerms, DocumentAnswer } from "./mock/client/client_document.ts";
export type { RevokeTerms } from "./mock/client/revoke.ts";
export type { IdTokenClaims, Tokens } from "./mock/client/token_response.ts";
export type { Browser } from "./mock/client/browser.ts";
export type { Clock, Moment } from "./mock/conditions/clock.ts";
export type { Directory } from "./mock/terms/directory.ts";
export type { Environment } from "./mock/terms/environment.ts";
export type { DispatchOptions, MockDispatcher, UnusedMember } from "./mock/network/dispatcher.ts";
export type { Fetch, FetchInit } from "./mock/network/fetch.ts";
export type { Expired, ExpiringTokens } from "./mock/tokens/expire.ts";
export type { Forgery, ForgeryVerdict, ForgeTerms } from "./mock/tokens/forge.ts";
export type { IdJag, IdJagTerms, IdJagVerdict } from "./mock/tokens/id_jag.ts";
export type { MintTerms } from "./mock/tokens/mint_terms.ts";
export type { Protect, ProtectTerms } from "./mock/tokens/protect.ts";
export type { ProtectReason } from "./mock/tokens/check_request.ts";
export type { ProtectDpop } from "./mock/tokens/protect_dpop.ts";
export type { AuthenticationReason } from "./mock/tokens/require_authentication.ts";
export type { Resource, ResourceRequests } from "./mock/resources/resource.ts";
export type {
  ResourceChallenge,
  ResourceChanges,
  ResourceHandler,
  ResourceTerms,
} from "./mock/resources/resource_terms.ts";
export type { RouteHandler } from "./mock/resources/route.ts";
export type { ResourceRule } from "./mock/resources/rules.ts";
export type { PresentedTokenReason } from "./mock/tokens/presented_token.ts";
export type { TokenCheckReason } from "./mock/tokens/check_token.ts";
export type { FailureTerms } from "./mock/conditions/failure.ts";
export type { FailTerms, Gate, GateTerms } from "./mock/conditions/closed_gate.ts";
export {
  type AnonymousHookName,
  type EndpointHookName,
  type HookName,
  hookTable,
  type HookValues,
} from "./mock/conditions/hook_table.ts";
export type { Hook, HookContext, HookTerms, SignedHookContext } from "./mock/conditions/hooks.ts";
export type { Listening, ListeningTls, ListenTerms } from "./mock/network/listening.ts";
export { type EndpointName, listEndpointNames } from "./mock/endpoints.ts";
export type { RecordedRequest } from "./mock/journal/recorded_request.ts";
export type { NextTerms } from "./mock/journal/next_request.ts";
export type { RequestList, RequestScope } from "./mock/journal/request_list.ts";
export type { Requests } from "./mock/journal/recorder.ts";
export type {
  HtmlTimelineChoice,
  TextTimelineForm,
  TimelineChoice,
  TimelineForm,
} from "./mock/journal/timeline.ts";
export type { MisbehaveTerms } from "./mock/misbehaving/active_misbehaviour.ts";
export type { Misbehaving, SettledTerms, Verdict } from "./mock/misbehaving/misbehave.ts";
export type { LookingLike, LookLikeTerms } from "./mock/misbehaving/look_like.ts";
export { type LookAlikeName, lookAlikeNames } from "./faults/look_alikes/providers.ts";
export type { Outcome } from "./faults/outcome.ts";
export type { Level, Phase } from "./faults/misbehaviour.ts";
export type { Need, UsualParameter } from "./faults/needs.ts";
export {
  type Area,
  areas,
  type FaultOf,
  faults,
  forgeries,
  type ForgeryName,
  type MisbehaviourName,
  misbehaviourNames,
} from "./faults/names.ts";
export { type IdJagFault, idJagFaults } from "./faults/id_jag_faults.ts";
export { examine, examineApi, formatCard } from "./examine/lazy.ts";
export type { ExamineApiTerms } from "./examine/examine_api_terms.ts";
export type { RefusedBy } from "./examine/refused_by.ts";
export type { Card, CardRow, ExamineTerms } from "./examine/examine.ts";
export type { Scenario } from "./examine/scenario.ts";
export type { CardForm, FormatCardTerms } from "./examine/card/card_form.ts";
export type { SourceLine } from "./examine/card/source_lines.ts";
export type { CardException } from "./examine/card/exceptions.ts";
export { type CardChange, type CardComparison, compareCards } from "./examine/card/compare_cards.ts";
export { type KeptCard, type KeptRequest, type KeptRow, readCard } from "./examine/card/kept_card.ts";
export { Refused } from "./mock/journal/refused.ts";
export { HarnessError } from "./mock/journal/harness_error.ts";
