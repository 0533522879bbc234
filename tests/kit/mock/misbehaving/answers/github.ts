/** The answers of GitHub, by its OpenAPI description. */

import type { Provider } from "../provider_answers.ts";

const api = "https://api.github.com";

const account = `
  login id:number node_id avatar_url gravatar_id:text|null url html_url followers_url following_url gists_url
  starred_url subscriptions_url organizations_url repos_url events_url received_events_url type
  site_admin:boolean`;

const publicUser = `
  ${account} name:text|null company:text|null blog:text|null location:text|null email:text|null
  hireable:boolean|null bio:text|null public_repos:number public_gists:number followers:number following:number
  created_at updated_at twitter_username:text|null notification_email:text|null user_view_type`;

const installation = `
  id:number app_id:number app_slug target_id:number target_type single_file_name:text|null repository_selection
  access_tokens_url html_url repositories_url events:list account:object|null permissions:object created_at
  updated_at suspended_by:object|null suspended_at:text|null`;

export const githubAnswers: Provider = {
  authorize: "https://github.com/login/oauth/authorize",
  token: "https://github.com/login/oauth/access_token",
  login: { scope: "read:user user:email" },
  client: "112233",
  answers: [
    [
      `GET ${api}/user`,
      `${publicUser} private_gists:number total_private_repos:number owned_private_repos:number
      disk_usage:number collaborators:number two_factor_authentication:boolean plan:object`,
    ],
    [`GET ${api}/users/alice`, publicUser],
    [`GET ${api}/users/alice`, publicUser, { by: "none" }],
    [`GET ${api}/user/emails`, "[email primary:boolean verified:boolean visibility:text|null]"],
    [
      `GET ${api}/`,
      `current_user_url current_user_authorizations_html_url authorizations_url code_search_url
      commit_search_url emails_url emojis_url events_url feeds_url followers_url following_url gists_url
      issue_search_url issues_url keys_url label_search_url notifications_url organization_url
      organization_repositories_url organization_teams_url public_gists_url rate_limit_url repository_url
      repository_search_url current_user_repositories_url starred_url starred_gists_url user_url
      user_organizations_url user_repositories_url user_search_url`,
      { by: "none" },
    ],
    [
      `GET ${api}/app`,
      `id:number node_id owner:{${account}} name description:text|null external_url html_url created_at
      updated_at permissions:object events:list`,
      { by: "app" },
    ],
    [`GET ${api}/app/installations`, `[${installation}]`, { by: "app" }],
    [`GET ${api}/app/installations/7`, `${installation} account:{${account}}`, { by: "app" }],
    [`POST ${api}/app/installations/7/access_tokens`, "token expires_at", { by: "app", status: 201 }],
    [
      "GET https://github.com/.well-known/oauth-authorization-server/login/oauth",
      `issuer authorization_endpoint token_endpoint response_types_supported:list grant_types_supported:list
      code_challenge_methods_supported:list`,
      { by: "none" },
    ],
  ],
  refused: "error error_description error_uri",
  refusals: [
    ["an unknown device code", 200, "incorrect_device_code", "The device_code provided is not valid."],
  ],
  redirects: { access_denied: "The user has denied your application access." },
};
