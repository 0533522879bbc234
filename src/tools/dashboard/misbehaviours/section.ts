/** What the pages share on which the server is made wrong: who may change something, and how a form is obeyed. */

import type { Answer } from "../../../ground/http/message.ts";
import { pathAndQuery } from "../../../ground/http/address.ts";
import { redirect } from "../../../ground/http/respond.ts";
import { ControlRefused } from "../../guard/control_refused.ts";
import type { RunningTenant } from "../../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../../kit/mock/tenant.ts";
import type { Page } from "../frame/dashboard_document.tsx";
import type { FormProblem, WrongProps, WrongSection } from "./misbehaviour_parts.tsx";
import { requireMethod } from "../../guard/guard.ts";
import type { PageCall } from "../page.ts";
import { present } from "../../../ground/values/present.ts";

/** The pages on which the server is made wrong, below the first one. */
export const sectionPaths: readonly (readonly [name: WrongSection, rest: string])[] = [
  ["misbehaviours", ""],
  ["clock", "/clock"],
  ["gates", "/gates"],
  ["look_alikes", "/look_alikes"],
  ["examine", "/examine"],
];

// In characters.
const longestTyped = 200;

/** `form`: the one with the problem. */
export function describeSection(
  call: PageCall,
  problem?: FormProblem,
  form: URLSearchParams = new URLSearchParams(),
): WrongProps {
  const { request: { address }, pathOf, mayChange, forms } = call;
  // The page after a form is the same, also with its filter.
  const here = pathAndQuery(address);
  return {
    sections: sectionPaths.map(([name, rest]) => ({ name, href: pathOf("misbehaviours", rest) })),
    change: call.describeChange(here),
    ...present({ form: mayChange === "yes" ? { ...forms.target(address.path), action: here } : undefined }),
    ...present({ problem }),
    typed: Object.fromEntries([...form].map(([name, value]) => [name, value.slice(0, longestTyped)])),
    address: here,
  };
}

/** A form with the button that was pressed. The value of the button names the action, and may name one of several entries. */
export interface FormAction {
  readonly form: URLSearchParams;
  readonly action: string;
  readonly id: string;
}

/** Shows a page, or obeys its form. A form that cannot be obeyed changes nothing, and the page says why. */
export async function answerSection(
  call: PageCall,
  { obey, show }: {
    obey(form: FormAction, kit: RunningTenant<Tenant>): Promise<void> | void;
    show(props: WrongProps): Page;
  },
): Promise<Answer> {
  const { request: { method, address }, watched: { kit } } = call;
  requireMethod(call.request, ["GET", "HEAD", "POST"]);
  if (method !== "POST") return call.show(show(describeSection(call)));
  const form = call.readChange();
  const [action = "", id = ""] = (form.get("action") ?? "").split(" ");
  try {
    // A server that the person may change has the test kit.
    await obey({ form, action, id }, kit!);
  } catch (error) {
    const problem = describeProblem(error);
    if (problem === undefined) throw error;
    return call.show(show(describeSection(call, problem, form)), 400);
  }
  return redirect(pathAndQuery(address));
}

/** Returns `undefined` for an error that is not the person's mistake. */
function describeProblem(error: unknown): FormProblem | undefined {
  // The test kit throws a TypeError for a wrong argument.
  if (error instanceof TypeError) return { text: error.message };
  if (!(error instanceof ControlRefused) || error.error !== "invalid_request") return undefined;
  const { message, terms: { place } } = error;
  return { text: message, ...present({ field: place }) };
}

export function refuseAction(): never {
  throw new ControlRefused("invalid_request", "The form has no button of this page", { place: "action" });
}

/** Returns the text of a field. `undefined`: the person left it empty. */
export function readText(form: URLSearchParams, name: string): string | undefined {
  return form.get(name)?.trim() || undefined;
}

/** Returns the number of a field. `undefined`: the person left it empty. */
export function readNumber(form: URLSearchParams, name: string): number | undefined {
  const value = readTime(form, name);
  if (value === "") return undefined;
  if (typeof value === "number") return value;
  throw new ControlRefused("invalid_request", `${JSON.stringify(value)} is not a number.`, { place: name });
}

/** Returns a duration or a moment of a field: a number of seconds, or other text. */
export function readTime(form: URLSearchParams, name: string): string | number {
  const text = readText(form, name) ?? "";
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

// The browser offers these names while the person types.
const mostOffered = 50;

export function listClientIds({ watched: { services, kit } }: PageCall): readonly string[] {
  const ids = [...services.settings.clients.keys(), ...kit?.registered.keys() ?? []];
  return [...new Set(ids)].slice(0, mostOffered);
}

export function listUsernames({ watched: { services } }: PageCall): readonly string[] {
  return services.settings.people.all.slice(0, mostOffered).map(({ username }) => username);
}
