/** The answers of Slack, for an app and for Sign in with Slack. */

import { type Provider, refuseAll } from "../provider_answers.ts";

const api = "https://slack.com/api";

const images = (prefix: string, ...sizes: number[]) => sizes.map((size) => `${prefix}${size}:url`).join(" ");
const userSizes = [24, 32, 48, 72, 192, 512];
const teamSizes = [34, 44, 68, 88, 102, 132, 230];

const user = `
  id:slackUser team_id:slackTeam name real_name deleted:boolean is_bot:boolean is_app_user:boolean
  is_restricted:boolean is_ultra_restricted:boolean is_admin:boolean is_owner:boolean is_primary_owner:boolean
  updated:number tz tz_label tz_offset:number color
  profile:{
    real_name real_name_normalized display_name display_name_normalized avatar_hash title phone skype
    fields:object status_text status_emoji status_expiration:number first_name last_name team:slackTeam email
    ${images("image_", ...userSizes)}
  }`;

const team = `
  id:slackTeam name domain email_domain icon:{${images("image_", ...teamSizes)} image_default:boolean}`;

const claims = `
  sub:slackUser https://slack.com/user_id:slackUser https://slack.com/team_id:slackTeam
  https://slack.com/team_name https://slack.com/team_domain https://slack.com/team_image_default:boolean
  name email email_verified:boolean date_email_verified:number picture:url given_name family_name locale
  ${images("https://slack.com/user_image_", ...userSizes)}
  ${images("https://slack.com/team_image_", ...teamSizes)}`;

/** What a list has that goes on at no other page. */
const lastPage = "response_metadata:{next_cursor}";

/** Slack's status of a refusal is 200. */
const refused = "ok:boolean error";
const refusals = refuseAll(200);

export const slackAnswers: Provider = {
  authorize: "https://slack.com/oauth/v2/authorize",
  token: `${api}/oauth.v2.access`,
  login: {
    scope: "users:read,users:read.email,users.profile:read,team:read,channels:read,usergroups:read",
    user_scope: "identity.basic",
  },
  tokens: `
    ok:yes app_id access_token token_type scope bot_user_id:slackUser team:{id:slackTeam name} enterprise:null
    is_enterprise_install:boolean authed_user:{id:slackUser scope access_token token_type}`,
  answers: [
    [
      `GET ${api}/auth.test`,
      "ok:yes url:url team user team_id:slackTeam user_id:slackUser bot_id is_enterprise_install:boolean",
    ],
    [`GET ${api}/users.lookupByEmail?email=alice@example.com`, `ok:yes user:{${user}}`],
    [`GET ${api}/users.lookupByEmail?email=bob@example.com`, `ok:yes user:{${user}}`],
    [`GET ${api}/users.list`, `ok:yes members:[${user}] cache_ts:number ${lastPage}`],
    [`GET ${api}/team.info`, `ok:yes team:{${team}}`],
    [`GET ${api}/auth.teams.list`, `ok:yes teams:[${team}] ${lastPage}`],
    [`GET ${api}/users.conversations`, `ok:yes channels:empty ${lastPage}`],
    [`GET ${api}/usergroups.list`, `ok:yes usergroups:empty ${lastPage}`],
    [
      `GET ${api}/bots.info?bot=B0POSTERN`,
      `ok:yes bot:{
        id deleted:boolean name updated:number app_id user_id:slackUser icons:{${
        images("image_", 36, 48, 72)
      }}
      }`,
    ],
    [`GET ${api}/users.identity`, "ok:boolean needed provided"],
    [`GET ${api}/x.y`, refused],
  ],
  refused,
  refusals,
};

export const slackOpenidAnswers: Provider = {
  authorize: "https://slack.com/openid/connect/authorize",
  token: `${api}/openid.connect.token`,
  login: { scope: "openid email profile" },
  tokens: "ok:yes access_token token_type id_token:jwt",
  idToken: `${claims} iss:url aud exp:number iat:number auth_time:number at_hash`,
  answers: ["GET", "POST"].map((method) => [`${method} ${api}/openid.connect.userInfo`, `ok:yes ${claims}`]),
  refused,
  refusals,
};
