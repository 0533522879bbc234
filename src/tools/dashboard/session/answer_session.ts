/** Answers at `/session`: takes the key of the inspector, or the control token, and opens the session of the browser. */

import { ControlRefused } from "../../guard/control_refused.ts";
import { pathAndQuery } from "../../../ground/http/address.ts";
import { requireMethod } from "../../guard/guard.ts";
import { controlPath } from "../../guard/control_paths.ts";
import { type Answer, withCookie } from "../../../ground/http/message.ts";
import { openedPage, sessionPage } from "./session_page.tsx";
import type { PageCall } from "../page.ts";
import type { Session, SessionPurpose } from "../session.ts";

export async function answerSession(call: PageCall): Promise<Answer> {
  const { request, query, form, sessions, watched: { services } } = call;
  requireMethod(request, ["GET", "HEAD", "POST"]);
  // The page of the control plane is not one of the dashboard, so a page leads on to it.
  if (request.address.path === controlPath) return call.show(openedPage(pathAndQuery(request.address)));
  if (request.method !== "POST") return show(call, query, false);
  // Without a form token, because a page of another site does not know the key, and its requests are refused before.
  const session = findSession(form, sessions);
  const opened = session.open(form.get("key") ?? "", services);
  if (opened === undefined) return show(call, form, true);
  // A redirect could give the pass only by its address.
  return withCookie(await call.enter(readNext(form, call), opened), opened.cookie);
}

function show(call: PageCall, terms: URLSearchParams, isWrong: boolean): Answer {
  const props = {
    purpose: readPurpose(terms),
    isWrong,
    next: readNext(terms, call),
    action: call.pathOf("session"),
  };
  return call.show(sessionPage(props), 401);
}

function readPurpose(terms: URLSearchParams): SessionPurpose {
  return terms.get("purpose") === "control" ? "control" : "inspector";
}

function findSession(form: URLSearchParams, sessions: PageCall["sessions"]): Session {
  const session = sessions[readPurpose(form)];
  if (session !== undefined) return session;
  throw new ControlRefused("invalid_request", "The control plane of this server needs no token");
}

/** Returns the page that the person wanted: a path of this server, so that no link can lead elsewhere. */
function readNext(terms: URLSearchParams, { request, pathOf, watched }: PageCall): string {
  const { basePath } = watched.services.settings;
  const { path } = request.address;
  const wanted = terms.get("next") ?? (path === pathOf("session") ? pathOf("inspector") : path);
  const isPath = /^\/(?![/\\])[\w~!$&'()*+,;=:@%./?-]*$/.test(wanted);
  // The page of the control plane is beside the issuer's path.
  const isOwn = wanted.startsWith(`${basePath}/`) || wanted.split("?")[0] === controlPath;
  return isPath && isOwn ? wanted : pathOf("inspector");
}
