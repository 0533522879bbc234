/** The two example token requests of the callback page: of a public client and of a confidential client. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { CallbackSuccess } from "../../oauth/pages.ts";
import { CopyableBlock } from "../parts.tsx";
import {
  basicCredentials,
  type Command,
  type Identification,
  placeholders,
  type TokenRequest,
  tokenRequestCommand,
  type Value,
} from "./token_request.ts";
import type { Words } from "../words/english.ts";
import { useWords } from "../words/use_words.ts";

/** Whether the client of this code would send this request. */
type Fit = "yours" | "others" | "perhaps";

interface Client {
  readonly id: Value;
  readonly secret: Value;
}

const anotherClient: Client = { id: placeholders.clientId, secret: placeholders.clientSecret };

export function TokenRequestExamples(props: CallbackSuccess): VNode {
  const words = useWords();
  const { authentication, clientId, codeVerifier, demoSecret } = props;
  const isPublic = authentication === "none";
  const method = confidentialMethods.find((each) => each === authentication);
  const fit = (isOwnKind: boolean): Fit => isOwnKind ? "yours" : isPublic || method ? "others" : "perhaps";
  const thisClient: Client = {
    id: clientId ?? placeholders.clientId,
    secret: demoSecret ?? placeholders.clientSecret,
  };
  const request = { ...props, codeVerifier: codeVerifier ?? placeholders.codeVerifier };
  const examples = [
    <PublicExample
      key="public"
      fit={fit(isPublic)}
      request={{ ...request, clientId: (method ? anotherClient : thisClient).id }}
    />,
    <ConfidentialExample
      key="confidential"
      fit={fit(method !== undefined)}
      request={{ ...request, clientId: (isPublic ? anotherClient : thisClient).id }}
      identification={identify(method, isPublic ? anotherClient : thisClient)}
    />,
  ];
  return (
    <section aria-labelledby="examples-heading">
      <h2 id="examples-heading">{words.callback.examples}</h2>
      <p>{words.callback.examplesNote(<mark class="placeholder">{words.callback.sample}</mark>)}</p>
      {authentication !== undefined && fit(isPublic) === "perhaps" && (
        <p>{words.callback.neither(<code>{authentication}</code>)}</p>
      )}
      {method ? examples.reverse() : examples}
    </section>
  );
}

const confidentialMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt"] as const;

function identify(
  method: typeof confidentialMethods[number] = "client_secret_basic",
  { secret }: Client,
): Exclude<Identification, { method: "none" }> {
  return method === "private_key_jwt" ? { method } : { method, secret };
}

function PublicExample({ fit, request }: { readonly fit: Fit; readonly request: TokenRequest }): VNode {
  const words = useWords();
  return (
    <Example
      id="example-public"
      heading={words.callback.publicHeading}
      fit={fit}
      request={request}
      identification={{ method: "none" }}
      copy={words.callback.copyPublic}
    >
      {words.callback.publicNote(<code>client_id</code>, <code>code_verifier</code>)}
    </Example>
  );
}

function ConfidentialExample(
  { fit, request, identification }: {
    readonly fit: Fit;
    readonly request: TokenRequest;
    readonly identification: Identification;
  },
): VNode {
  const words = useWords();
  return (
    <Example
      id="example-confidential"
      heading={words.callback.confidentialHeading}
      fit={fit}
      request={request}
      identification={identification}
      copy={words.callback.copyConfidential}
    >
      {confidentialNote(request.clientId, identification, words)}
    </Example>
  );
}

function confidentialNote(clientId: Value, identification: Identification, words: Words): ComponentChildren {
  if (identification.method === "client_secret_post") {
    return words.callback.postNote(<code>client_id</code>, <code>client_secret</code>);
  }
  if (identification.method !== "client_secret_basic") {
    return words.callback.assertionNote(<code>client_assertion</code>);
  }
  const { secret } = identification;
  const header = typeof clientId === "string" && typeof secret === "string"
    ? `Authorization: ${basicCredentials(clientId, secret)}`
    : words.callback.basicHeader;
  return words.callback.basicNote(
    <code>--user</code>,
    <code class="value" id="basic-header">{header}</code>,
  );
}

function Example(
  { id, heading, fit, request, identification, copy, children }: {
    readonly id: string;
    readonly heading: string;
    readonly fit: Fit;
    readonly request: TokenRequest;
    readonly identification: Identification;
    readonly copy: string;
    readonly children: ComponentChildren;
  },
): VNode {
  const words = useWords();
  return (
    <article class={fit} aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>
        {heading}
        {fit !== "perhaps" && (
          <>
            {" "}
            <span class="tag">{words.callback[fit]}</span>
          </>
        )}
      </h3>
      <p>
        {fit !== "perhaps" && words.callback[`${fit}Note`]}
        {children}
      </p>
      <CopyableBlock id={id} kind={words.callback.shell} what={copy}>
        {showCommand(tokenRequestCommand(request, identification))}
      </CopyableBlock>
    </article>
  );
}

/** Marks the placeholders of a command. */
export function showCommand(command: Command): ComponentChildren {
  return command.map((piece, at) =>
    typeof piece === "string" ? piece : <mark class="placeholder" key={at}>{piece.placeholder}</mark>
  );
}
