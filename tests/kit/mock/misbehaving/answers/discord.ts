/** The answers of Discord, by its OpenAPI description. */

import type { Answer, Provider } from "../provider_answers.ts";

const api = "https://discord.com/api/v10";

const user = `
  id username discriminator public_flags:number flags:number avatar:text|null global_name:text|null
  avatar_decoration_data:object|null accent_color:number|null banner:text|null`;

const application = `
  id name icon:text|null description type:number|null verify_key flags:number bot_public:boolean
  bot_require_code_grant:boolean`;

export const discordAnswers: Provider = {
  authorize: "https://discord.com/oauth2/authorize",
  token: "https://discord.com/api/oauth2/token",
  login: { scope: "identify email openid" },
  client: "112233",
  answers: [
    [
      `GET ${api}/users/@me`,
      `${user} mfa_enabled:boolean locale premium_type:number|null email:text|null verified:boolean`,
    ],
    [`GET ${api}/users/@me`, `${user} mfa_enabled:boolean locale bot:boolean`, { by: "bot" }],
    [
      `GET ${api}/oauth2/@me`,
      `application:{${application}} scopes:list expires user:{${user}}`,
    ],
    ...["applications/@me", "oauth2/applications/@me"].map((path): Answer => [
      `GET ${api}/${path}`,
      `${application} redirect_uris:list explicit_content_filter:number interactions_endpoint_url:text|null
      role_connections_verification_url:text|null max_participants:number|null team:object|null tags:list
      approximate_guild_count:number approximate_user_install_count:number
      approximate_user_authorization_count:number event_webhooks_status:number owner:{${user}} bot:{${user}}`,
      { by: "bot" },
    ]),
    [`GET ${api}/oauth2/keys`, "keys:[kty use kid n e alg]", { by: "none" }],
    [
      `GET ${api}/oauth2/userinfo`,
      "sub preferred_username nickname locale email email_verified:boolean",
    ],
  ],
  refusals: [["another redirect_uri", 400, "invalid_request", 'Invalid "redirect_uri" in request.']],
  redirects: { access_denied: "The resource owner or authorization server denied the request" },
};
