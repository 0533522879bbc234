/** The types of the options that features read. A feature with a new option adds its type here. */

import type { AuthorizationDetailsOptions } from "./authorization_details/detail_types.ts";
import type { ClientDocumentsOptions } from "./client_documents/client_documents.ts";
import type { DeviceLoginLifetimes } from "./device_login/device_settings.ts";
import type { FapiClientMembers, FapiOptions } from "./fapi/fapi.ts";
import type { FirstUseOptions } from "./first_use/first_use.ts";
import type { IntrospectionOptions } from "./introspection.ts";
import type { JwtBearerOptions, TrustConfiguration } from "./jwt_bearer/trust_settings.ts";
import type { MtlsConfiguration, MtlsOptions } from "./mtls/mtls.ts";
import type { MtlsClientMembers } from "./mtls/subject_members.ts";
import type { ParLifetimes, ParOptions } from "./par/par_settings.ts";
import type { RefreshTokenClientMembers, RefreshTokenOptions } from "./refresh_token/refresh_token.ts";
import type { RegistrationLifetimes, RegistrationOptions } from "./registration/registration_settings.ts";
import type {
  SecondFactorClientMembers,
  SecondFactorOptions,
  SecondFactorPersonMembers,
} from "./second_factor/options.ts";
import type { SignUpOptions } from "./sign_up/sign_up.ts";
import type { RequestObjectOptions } from "./request_object/request_object.ts";

/** The options of all features. */
export interface FeatureOptions
  extends
    AuthorizationDetailsOptions,
    ClientDocumentsOptions,
    FapiOptions,
    FirstUseOptions,
    IntrospectionOptions,
    JwtBearerOptions,
    MtlsOptions,
    ParOptions,
    RefreshTokenOptions,
    RegistrationOptions,
    RequestObjectOptions,
    SecondFactorOptions,
    SignUpOptions {}

/** The members of `lifetimes` of all features. */
export interface FeatureLifetimes extends DeviceLoginLifetimes, ParLifetimes, RegistrationLifetimes {}

/** The client metadata of features. A feature with a new member adds its type here. */
export interface FeatureClientMembers
  extends FapiClientMembers, MtlsClientMembers, RefreshTokenClientMembers, SecondFactorClientMembers {}

/** What people have for features. A feature with a member of a person adds its type here. */
export type FeaturePersonMembers = SecondFactorPersonMembers;

export type {
  AuthorizationDetailsOptions,
  ClientDocumentsOptions,
  DeviceLoginLifetimes,
  FapiClientMembers,
  FapiOptions,
  FirstUseOptions,
  IntrospectionOptions,
  JwtBearerOptions,
  MtlsClientMembers,
  MtlsConfiguration,
  MtlsOptions,
  ParLifetimes,
  ParOptions,
  RefreshTokenClientMembers,
  RefreshTokenOptions,
  RegistrationLifetimes,
  RegistrationOptions,
  RequestObjectOptions,
  SignUpOptions,
  TrustConfiguration,
};
export type { AuthorizationDetail } from "./authorization_details/detail.ts";
export type {
  AuthorizationDetailsText,
  AuthorizationDetailsType,
} from "./authorization_details/detail_types.ts";
export type {
  RegisteredClientMetadata,
  RegistrationConfiguration,
} from "./registration/registration_settings.ts";
export type { ProfileName } from "./fapi/rules.ts";
export type * from "./second_factor/options.ts";
export type { IdJagServer, TokenExchangeOptions } from "./token_exchange/exchange_options.ts";
