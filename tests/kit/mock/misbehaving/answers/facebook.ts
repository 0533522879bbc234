/** The answers of Facebook. */

import { type Provider, refuseAll } from "../provider_answers.ts";

const graph = "https://graph.facebook.com/v25.0";
const refused = "error:{message type code:number fbtrace_id}";

export const facebookAnswers: Provider = {
  authorize: "https://www.facebook.com/v25.0/dialog/oauth",
  token: `${graph}/oauth/access_token`,
  login: { scope: "email,public_profile" },
  tokens: "access_token token_type expires_in:number",
  answers: [
    [
      `GET ${graph}/me?fields=id,name,email,first_name,last_name,picture`,
      `id:digits name email first_name last_name
      picture:{data:{height:number width:number is_silhouette:boolean url:url}}`,
    ],
    [`GET ${graph}/me/permissions`, "data:[permission status]"],
    [`GET ${graph}/12`, refused, { status: 400 }],
    [`GET ${graph}/me/albums`, refused, { status: 501 }],
  ],
  refused,
  refusals: refuseAll(400),
  challenges: ["a wrong secret", "an unknown client"],
};
