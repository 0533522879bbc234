/** Shows the pages that ask a person. Each page is a form that carries the encrypted request. */

import { type Answer, withCookie } from "../../../../ground/http/message.ts";
import { formPage, redirect } from "../../../../ground/http/respond.ts";
import { present } from "../../../../ground/values/present.ts";
import { chooseLanguage } from "../../requests/choose_language.ts";
import { findProgram } from "../../clients/metadata/application_scheme.ts";
import { findCommaScope } from "../../clients/metadata/scope.ts";
import { summariseClient } from "../../clients/records/summarise_client.ts";
import type { ConsentProps } from "../../contracts/pages.ts";
import { paths } from "../../contracts/paths.ts";
import { type Browser, openBrowser } from "../../people/browser.ts";
import { summarisePerson } from "../../contracts/people.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import { noteRefusal } from "../../requests/refuse.ts";
import type { Services } from "../../contracts/feature.ts";
import { checkConsent, listRows, nameLine } from "./consent.ts";
import type { AccessRequest, Interaction, PageForm } from "../../contracts/authorization_request.ts";
import { optionalScopes } from "./narrow_request.ts";
import type { PageStep, PersonStep } from "./next_step.ts";
import { createAddress, encryptPendingRequest } from "./encrypted_request.ts";

/** Shows the page of a step. The page of a failed attempt says what was wrong, with the status of the refusal. */
export async function showPage(
  step: PageStep,
  interaction: Interaction,
  services: Services,
): Promise<Answer> {
  const { exchange, request } = interaction;
  const subject = subjectOf(step);
  const pending = { ...interaction.pending, ...present({ subject }) };
  const refusal = step.question === "choose" ? undefined : step.failure?.refusal;
  noteQuestion(step, exchange);
  if (refusal !== undefined) noteRefusal(refusal, exchange);
  const browser = openBrowser(exchange, services);
  const html = await describePage(
    step,
    {
      request: await encryptPendingRequest(pending, "form", browser, services),
      client: summariseClient(request.client),
      ...present({
        redirectUri: request.redirectUri,
        // The page of a failed attempt answers a form, so it needs an address for Reload.
        address: refusal && await createAddress(interaction.pending, browser, services),
      }),
    },
    interaction,
    browser,
    services,
  );
  const opener: Readonly<Record<string, string>> = services.settings.keepsOpener
    ? { "cross-origin-opener-policy": "unsafe-none" }
    : {};
  const headers = { ...opener, ...refusal?.details.headers };
  return withCookie(formPage(html, { ...present({ status: refusal?.status }), headers }), browser.setCookie);
}

/** Notes what the person is asked, and who it is if the person has signed in. */
function noteQuestion(step: PageStep, exchange: Exchange): void {
  exchange.note({
    question: step.question === "choose" ? "account" : step.question,
    ...present({ subject: subjectOf(step) }),
  });
}

function subjectOf(step: PageStep): string | undefined {
  const person = "person" in step ? step.person : undefined;
  return person?.subject;
}

/** Redirects to the page, so that Back and Reload do not send the form again (303, RFC 9110 §15.4.4). */
export async function goToPage(
  step: PageStep,
  interaction: Interaction,
  services: Services,
): Promise<Answer> {
  const { exchange, pending } = interaction;
  noteQuestion(step, exchange);
  const mustSignIn = step.question === "sign_in" ? step.mustSignIn : undefined;
  const next = { ...interaction, pending: { ...pending, ...present({ mustSignIn }) } };
  const browser = openBrowser(exchange, services);
  const address = await createAddress(next.pending, browser, services);
  return address === undefined
    ? await showPage(step, next, services)
    : withCookie(redirect(address), browser.setCookie);
}

async function describePage(
  step: PageStep,
  form: PageForm,
  { exchange, request, pending }: Interaction,
  browser: Browser,
  services: Services,
): Promise<string> {
  const { settings: { basePath, frontPage, people }, pages } = services;
  const language = chooseLanguage(exchange, services);
  switch (step.question) {
    case "sign_in": {
      const { problem, username = request.loginHint } = step.failure ?? {};
      const { method, address: { path, query } } = exchange.request;
      const signUp = services.slots.signUp?.requestSignUp({ pending, request });
      const signUpUrl = signUp && await createAddress(signUp, browser, services);
      const here = form.address ?? (method === "GET" ? `${path}?${query}` : undefined);
      return await pages.signIn({
        ...form,
        action: basePath + paths.signIn,
        people: people.all.map(summarisePerson),
        ...present({ listsPeople: frontPage === "full" || undefined, username, problem, here, signUpUrl }),
      }, language);
    }
    case "choose": {
      const accounts = step.accounts.map(({ person }) => summarisePerson(person));
      return await pages.accounts({ ...form, action: basePath + paths.account, people: accounts }, language);
    }
    case "consent":
      return await pages.consent({
        ...form,
        action: basePath + paths.consent,
        person: summarisePerson(step.person),
        canChangePerson: true,
        ...present({
          program: request.redirectUri === undefined ? undefined : findProgram(request.redirectUri),
        }),
        ...await describeRequest(step, request, services),
        ...present({ fromAnotherSite: step.fromAnotherSite, problem: step.failure?.problem }),
      }, language);
    default:
      return await pages.ofFeature(
        { name: step.question, props: { ...form, ...await step.describe() } },
        language,
      );
  }
}

async function describeRequest(
  { person, check }: PersonStep,
  request: AccessRequest,
  services: Services,
): Promise<Pick<ConsentProps, "scopes" | "resources" | "rows">> {
  const optional = optionalScopes(request.scope);
  const { leftOut } = check ?? await checkConsent(person.subject, request, services);
  return {
    scopes: request.scope.map((name) => ({
      name,
      ...present({
        words: services.settings.scopes.get(name),
        hasCommas: findCommaScope([name], services.settings) !== undefined || undefined,
        isOptional: optional.includes(name) || undefined,
        wasLeftOut: leftOut.includes(name) || undefined,
      }),
    })),
    resources: request.resource,
    rows: (await listRows(request, services)).map((row) => ({
      ...row,
      lines: row.lines.map((line) => {
        if (typeof line === "string") return line;
        return { title: line.title, text: line.text, value: nameLine(row, line.id) };
      }),
    })),
  };
}
