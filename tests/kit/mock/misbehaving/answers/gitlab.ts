/** The answers of GitLab. */

import type { Provider } from "../provider_answers.ts";

const api = "https://gitlab.com/api/v4";

const user = `
  id:number username name state locked:boolean avatar_url:text|null web_url created_at bio:text|null
  location:text|null public_email:text|null linkedin twitter discord website_url organization:text|null
  job_title:text|null pronouns:text|null bot:boolean work_information:text|null followers:number
  following:number local_time:text|null`;

const group = `
  id:number web_url name path description visibility share_with_group_lock:boolean
  require_two_factor_authentication:boolean two_factor_grace_period:number project_creation_level
  auto_devops_enabled:boolean|null subgroup_creation_level emails_disabled:boolean emails_enabled:boolean
  mentions_disabled:boolean|null lfs_enabled:boolean default_branch:text|null
  default_branch_protection:number avatar_url:text|null request_access_enabled:boolean full_name full_path
  created_at parent_id:number|null organization_id:number shared_runners_setting`;

export const gitlabAnswers: Provider = {
  authorize: "https://gitlab.com/oauth/authorize",
  token: "https://gitlab.com/oauth/token",
  revoke: "https://gitlab.com/oauth/revoke",
  introspect: "https://gitlab.com/oauth/introspect",
  login: { scope: "openid email read_user read_api" },
  claims: {
    ...{ name: "Alice Adams", email: "alice@example.com", email_verified: true, groups: ["bakers/bread"] },
  },
  answers: [
    [
      `GET ${api}/user`,
      `${user} last_sign_in_at:text|null confirmed_at:text|null last_activity_on:text|null email theme_id:number
      color_scheme_id:number projects_limit:number current_sign_in_at:text|null identities:list
      can_create_group:boolean can_create_project:boolean two_factor_enabled:boolean external:boolean
      private_profile:boolean commit_email`,
    ],
    [`GET ${api}/users?username=alice`, `[${user}]`],
    [`GET ${api}/groups`, `[${group}]`],
    [
      "GET https://gitlab.com/oauth/token/info",
      `resource_owner_id:number scope:list scopes:list expires_in:number expires_in_seconds:number
      application:{uid} created_at:number`,
    ],
    [
      "GET https://gitlab.com/oauth/userinfo",
      `sub sub_legacy name nickname preferred_username email email_verified:boolean profile groups:list`,
    ],
    [
      "GET https://gitlab.com/.well-known/oauth-authorization-server",
      `issuer authorization_endpoint token_endpoint revocation_endpoint introspection_endpoint
      userinfo_endpoint jwks_uri scopes_supported:list response_types_supported:list
      grant_types_supported:list code_challenge_methods_supported:list`,
      { by: "none" },
    ],
  ],
  refusals: [
    [
      "another grant_type",
      ...[400, "unsupported_grant_type"] as const,
      "The authorization grant type is not supported by the authorization server.",
    ],
    ...["a wrong secret", "no client", "the token of another client"].map((what) =>
      [
        `revoke: ${what}`,
        ...[403, "unauthorized_client", "You are not authorized to revoke this token"] as const,
      ] as const
    ),
    ["introspect: a wrong secret", 401, "invalid_client"],
  ],
  redirects: { access_denied: "The resource owner or authorization server denied the request." },
};
