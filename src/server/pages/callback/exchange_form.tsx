/** The form of `/authorized` that exchanges the code, and the field for a client's secret. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ExchangeForm as ExchangeFormProps, SecretNeed } from "../../oauth/contracts/pages.ts";
import { english as words } from "../words/english.ts";

export function ExchangeForm({ form }: { readonly form: ExchangeFormProps }): VNode {
  const { action, ticket, clientId, beganHere, needsVerifier, secret } = form;
  return (
    <form method="post" action={action} id="exchange-form">
      <p id="exchange-about">{beganHere ? words.walk.exchangeLead : words.walk.foreignLead}</p>
      <input type="hidden" name="walk" value={ticket} />
      {!beganHere && (
        <div>
          <label for="client-id">{words.walk.clientId}</label>
          <input id="client-id" name="client_id" value={clientId} autocomplete="off" required />
        </div>
      )}
      {needsVerifier && (
        <div>
          <label for="verifier">{words.walk.verifier}</label>
          <input
            id="verifier"
            name="code_verifier"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            required
            aria-describedby="verifier-about"
          />
          <p class="aside" id="verifier-about">{words.walk.verifierNote}</p>
        </div>
      )}
      <SecretField need={secret} isRequired={secret === "needed"} />
      <button type="submit" class="button primary" id="exchange" name="step" value="exchange">
        {words.walk.steps.exchange.button}
      </button>
    </form>
  );
}

export function SecretField(
  { need, isRequired }: { readonly need: SecretNeed; readonly isRequired: boolean },
): VNode | null {
  if (need === "not_needed") return null;
  return (
    <div>
      <label for="client-secret">{words.walk.secret}</label>
      <input
        id="client-secret"
        name="client_secret"
        type="password"
        autocomplete="off"
        required={isRequired}
        aria-describedby="secret-about"
      />
      <p class="aside" id="secret-about">
        {need === "perhaps" && `${words.walk.secretPerhaps} `}
        {words.walk.secretNote}
      </p>
    </div>
  );
}
