/** The test kit: an authorization server inside somebody's test. Everything public is here. */

// What a configuration, a hook or a journal entry is made of.
export type * from "../mod.ts";
export { createMock, type Mock } from "./mock.ts";
export type { MockOptions } from "./mock_options.ts";
export type { NextSignIn, Tenant } from "./tenant.ts";
export type { AuthorizeTerms, LoginTerms, PersonTerms } from "./sign_in.ts";
export type { EndSessionTerms, GivenTokens, RefreshTerms, RevokeTerms, Tokens } from "./tokens.ts";
export type { Browser } from "./browser.ts";
export type { Clock, ClockTerms, Moment } from "./clock.ts";
export type { Directory } from "./directory.ts";
export type { Duration } from "./duration.ts";
export type { Environment } from "./environment.ts";
export type { Fetch, FetchInit } from "./fetch.ts";
export type { Expired, ExpiringTokens } from "./expire.ts";
export { forgeries, type Forgery, type ForgeryName, type ForgeryVerdict, type ForgeTerms } from "./forge.ts";
export type { MintTerms } from "./mint.ts";
export type { Protect, ProtectReason, ProtectTerms } from "./protect.ts";
export type { Gate, GateTerms } from "./gates.ts";
export type { Hook, HookContext, HookName, HookTerms, HookValues } from "./hooks.ts";
export type { Listening, ListeningTls, ListenTerms } from "./listening.ts";
export { type EndpointName, endpointNames } from "./endpoints.ts";
export type { RecordedRequest } from "./recorded_request.ts";
export type { NextTerms, RequestList, Requests, RequestScope } from "./requests.ts";
export type { TimelineForm } from "./timeline.ts";
export { Refused } from "./refused.ts";
