/** The people, the bot and the team of Slack, as its methods show them. */

import type { Claims, Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { digitsFor, guidFor } from "./differences.ts";
import type { ShownPerson } from "./look_alike.ts";

export const slackTeam = { id: "T0POSTERN", name: "Postern", domain: "postern" } as const;

export const slackWorkspace: string = `https://${slackTeam.domain}.slack.com`;

export const slackAppId = "A0POSTERN";

export const slackBotId = "B0POSTERN";

export const slackBot: ShownPerson = { subject: "U0POSTERN", username: "postern", claims: {} };

/** The time of what has happened before the start, in seconds. */
const before = 1_577_836_800;

/** Returns the id that a person has at Slack, which stays the same. A subject that has this form is the id. */
export function slackIdOf(subject: string): string {
  if (/^[UW][A-Z\d]{8,}$/.test(subject)) return subject;
  return `U${BigInt(digitsFor(subject)).toString(36).toUpperCase().padStart(10, "0").slice(0, 10)}`;
}

const userSizes = [24, 32, 48, 72, 192, 512];
const teamSizes = [34, 44, 68, 88, 102, 132, 230];

function sized(prefix: string, sizes: readonly number[], urlOf: (size: number) => unknown): Members {
  return Object.fromEntries(sizes.map((size) => [`${prefix}${size}`, urlOf(size)]));
}

function avatarOf(subject: string): string {
  return guidFor(`avatar ${subject}`).replaceAll("-", "").slice(0, 12);
}

function imagesOf({ subject, claims }: ShownPerson, prefix = "image_"): Members {
  const usual = `https://secure.gravatar.com/avatar/${avatarOf(subject)}.jpg`;
  return sized(prefix, userSizes, (size) => claims["picture"] ?? `${usual}?s=${size}`);
}

function teamImages(prefix: string): Members {
  const usual = "https://a.slack-edge.com/80588/img/avatars-teams/ava_0001-";
  return { ...sized(prefix, teamSizes, (size) => `${usual}${size}.png`), [`${prefix}default`]: true };
}

export function describeTeam(): Members {
  return {
    ...{ ...slackTeam, url: `${slackWorkspace}/`, email_domain: "", is_verified: false },
    ...{ icon: teamImages("image_"), avatar_base_url: "https://ca.slack-edge.com/" },
  };
}

export function describeBot(): Members {
  const { username: name, subject: user_id } = slackBot;
  const icons = sized("image_", [36, 48, 72], (size) => `https://a.slack-edge.com/80588/img/bot_${size}.png`);
  return { id: slackBotId, deleted: false, name, updated: before, app_id: slackAppId, user_id, icons };
}

/** Returns what users.identity shows of a person and the team. */
export function describeIdentity(person: ShownPerson, scope: readonly string[]): Members {
  const { name = person.username, email } = person.claims;
  return {
    user: {
      ...{ id: slackIdOf(person.subject), name },
      ...present({ email: scope.includes("identity.email") ? email : undefined }),
      ...(scope.includes("identity.avatar") ? imagesOf(person) : {}),
    },
    team: present({ id: slackTeam.id, name: scope.includes("identity.team") ? slackTeam.name : undefined }),
  };
}

const userFlags = {
  ...{ deleted: false, is_admin: false, is_owner: false, is_primary_owner: false, is_restricted: false },
  ...{ is_ultra_restricted: false, is_app_user: false, is_email_confirmed: true, has_2fa: false },
  ...{ tz: "Etc/UTC", tz_label: "Coordinated Universal Time", tz_offset: 0, color: "9f69e7" },
  ...{ updated: before, team_id: slackTeam.id, who_can_share_contact_card: "EVERYONE" },
};

const emptyProfile = {
  ...{ title: "", phone: "", skype: "", fields: {}, status_text: "", status_text_canonical: "" },
  ...{ status_emoji: "", status_emoji_display_info: [], status_expiration: 0, team: slackTeam.id },
};

/** The email is there with the scope users:read.email. */
export function describeMember(person: ShownPerson, scope: readonly string[]): Members {
  const { username: name, subject, claims } = person;
  const { name: real_name = name, email, picture, given_name = "", family_name = "" } = claims;
  const isBot = person === slackBot;
  const profile = {
    ...emptyProfile,
    ...{ real_name, real_name_normalized: real_name, first_name: given_name, last_name: family_name },
    ...{ display_name: name, display_name_normalized: name, avatar_hash: avatarOf(subject) },
    ...imagesOf(person),
    ...present({ image_original: picture, is_custom_image: picture === undefined ? undefined : true }),
    ...present({ email: scope.includes("users:read.email") ? email : undefined }),
    ...(isBot ? { bot_id: slackBotId, api_app_id: slackAppId, always_active: true } : {}),
  };
  return { id: slackIdOf(subject), name, real_name, ...userFlags, is_bot: isBot, profile };
}

/** Returns the claims of Sign in with Slack, which name the user and the team. */
export function nameUserAndTeam(claims: Claims): Claims {
  const sub = slackIdOf(String(claims["sub"]));
  const person = { subject: sub, username: sub, claims };
  const { id, name, domain } = slackTeam;
  return {
    ...{ ...claims, sub },
    ...{ "https://slack.com/user_id": sub, "https://slack.com/team_id": id },
    ...{ "https://slack.com/team_name": name, "https://slack.com/team_domain": domain },
    ...(claims["name"] === undefined ? {} : imagesOf(person, "https://slack.com/user_image_")),
    ...teamImages("https://slack.com/team_image_"),
    ...present({ date_email_verified: claims["email_verified"] === true ? before : undefined }),
  };
}
