/** Shows the pages that ask a person. Each page is a form that carries the sealed request. */

import type { Answer } from "../../../http/message.ts";
import { formPage } from "../../../http/respond.ts";
import { chooseLanguage } from "../../choose_language.ts";
import { summariseClient } from "../../clients/summarise_client.ts";
import { paths } from "../../paths.ts";
import type { ConsentProps, FormProps, SignInProps } from "../../pages.ts";
import { openBrowser, withBrowser } from "../../people/browser.ts";
import { type Person, summarisePerson } from "../../people/people.ts";
import type { SignedIn } from "../../people/session.ts";
import type { Services } from "../../services.ts";
import { checkConsent, type ConsentCheck, listRows } from "./consent_record.ts";
import { createContinuation } from "./continuation.ts";
import type { Interaction } from "./interaction.ts";
import { optionalScopes } from "./narrow_request.ts";
import type { PendingRequest } from "./pending_request.ts";
import { sealPendingRequest } from "./sealed_request.ts";
import { present } from "../../../present.ts";

/** Creates the page's address. Returns `undefined` if the request is too long and could not be stored. */
export async function createAddress(
  { exchange, pending }: Interaction,
  services: Services,
): Promise<string | undefined> {
  return await createContinuation(pending, openBrowser(exchange, services), services);
}

export async function showSignIn(
  interaction: Interaction,
  services: Services,
  attempt?: Pick<SignInProps, "problem" | "username">,
): Promise<Answer> {
  interaction.exchange.note({ question: "sign_in" });
  const { settings, pages } = services;
  const username = attempt?.username ?? interaction.request.loginHint;
  const address = attempt && await createAddress(interaction, services);
  const here = address ?? findGetAddress(interaction);
  return await showForm(interaction, interaction.pending, services, async (form) =>
    formPage(
      await pages.signIn({
        ...form,
        action: settings.basePath + paths.signIn,
        people: settings.people.all.map(summarisePerson),
        ...(settings.frontPage === "full" ? { listsPeople: true } : {}),
        ...present({ username, problem: attempt?.problem, address, here }),
      }, chooseLanguage(interaction.exchange, services)),
      { status: attempt === undefined ? 200 : 400 },
    ));
}

function findGetAddress(
  { exchange: { request: { method, address: { path, query } } } }: Interaction,
): string | undefined {
  return method === "GET" ? `${path}?${query}` : undefined;
}

export async function showAccounts(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  interaction.exchange.note({ question: "account" });
  const { settings, pages } = services;
  return await showForm(
    interaction,
    interaction.pending,
    services,
    async (form) =>
      formPage(
        await pages.accounts({
          ...form,
          action: settings.basePath + paths.account,
          people: accounts.map(({ person }) => summarisePerson(person)),
        }, chooseLanguage(interaction.exchange, services)),
      ),
  );
}

/** What the consent page shows beside the request. `consent` is left out if the caller has not read it. */
interface ConsentTerms extends Pick<ConsentProps, "fromAnotherSite" | "problem" | "address"> {
  readonly consent?: ConsentCheck;
}

export async function showConsent(
  interaction: Interaction,
  person: Person,
  services: Services,
  { consent, ...more }: ConsentTerms = {},
): Promise<Answer> {
  interaction.exchange.note({ question: "consent" });
  const { settings, pages } = services;
  const { scope, resource } = interaction.request;
  const pending = { ...interaction.pending, subject: person.subject };
  const optional = optionalScopes(scope);
  const { leftOut } = consent ?? await checkConsent(person.subject, interaction.request, services);
  return await showForm(interaction, pending, services, async (form) =>
    formPage(
      await pages.consent({
        ...form,
        action: settings.basePath + paths.consent,
        person: summarisePerson(person),
        canChangePerson: true,
        scopes: scope.map((name) => {
          const words = settings.scopes.get(name);
          return {
            name,
            ...present({ words }),
            ...(optional.includes(name) ? { isOptional: true } : {}),
            ...(leftOut.includes(name) ? { wasLeftOut: true } : {}),
          };
        }),
        resources: resource,
        rows: listRows(interaction.request, services),
        ...more,
      }, chooseLanguage(interaction.exchange, services)),
    ));
}

async function showForm(
  { exchange, request: { client, redirectUri } }: Interaction,
  pending: PendingRequest,
  services: Services,
  show: (form: Omit<FormProps, "action">) => Promise<Answer>,
): Promise<Answer> {
  const browser = openBrowser(exchange, services);
  const answer = await show({
    request: await sealPendingRequest(pending, "form", browser, services),
    client: summariseClient(client),
    ...present({ redirectUri }),
  });
  return withBrowser(answer, browser);
}
