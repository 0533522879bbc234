/** The tokens that came, a row each: how it begins, how long it lives, for whom it is, and whether it works now. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { JudgedToken, WalkProps } from "../../oauth/contracts/pages.ts";
import { Head, Section } from "../parts.tsx";
import { describeDistance, describeMoment } from "../value.tsx";
import { quote, visible } from "../../../ground/values/visible.ts";
import { english as words } from "../words/english.ts";
import { countResults } from "../token/token.tsx";
import { englishToken } from "../words/token_english.ts";
import { classOfMark } from "./walk_outcome.ts";

export function WalkTokens(props: WalkProps): VNode | null {
  const { tokens } = props;
  if (tokens.length === 0) return null;
  const newest = tokens.at(-1)!.step;
  const isCurrent = ({ step, state }: JudgedToken) => step === newest || state === "works";
  const older = tokens.filter((token) => !isCurrent(token));
  return (
    <Section id="tokens" heading={words.walk.came}>
      <TokenTable id="tokens" tokens={tokens.filter(isCurrent)} props={props} />
      {older.length > 0 && (
        <details>
          <summary>{words.walk.olderTokens(older.length)}</summary>
          <TokenTable id="older-tokens" tokens={older} props={props} />
        </details>
      )}
    </Section>
  );
}

function TokenTable({ id, tokens, props }: {
  readonly id: string;
  readonly tokens: readonly JudgedToken[];
  readonly props: WalkProps;
}): VNode {
  const { token, begins, expires, audience, state } = words.walk.cameHeads;
  return (
    <table class="rows tokens" id={id} aria-labelledby="tokens-heading">
      <Head columns={[[token], [begins, "", "wide"], [expires], [audience, "", "wide"], [state]]} />
      <tbody>{tokens.map((each, at) => <TokenRow key={at} token={each} props={props} />)}</tbody>
    </table>
  );
}

function TokenRow(
  { token, props: { client, now, steps } }: { readonly token: JudgedToken; readonly props: WalkProps },
): VNode {
  const { kind, text, step, state, expiresAt, audience } = token;
  const { url, decoded } = steps[step - 1]!;
  const place = `${url}#decoded-${kind}`;
  const { jwt, checks = [] } = decoded?.find((each) => each.kind === kind) ?? {};
  const { failed } = countResults(checks);
  const { claimsOf, stepOf } = words.walk;
  return (
    <tr data-kind={kind}>
      <th scope="row">
        {words.walk.kinds[kind]} <a class="aside" href={place}>{(jwt ? claimsOf : stepOf)(step)}</a>
      </th>
      <td class="wide">
        <code>{shortenToken(text)}</code>
      </td>
      <td>
        {expiresAt === undefined
          ? words.walk.unknownLife
          : <span title={describeMoment(expiresAt)}>{describeDistance(expiresAt - now)}</span>}
      </td>
      <td class="wide">
        {kind === "refresh_token"
          ? words.walk.forServer
          : kind === "id_token" && audience?.join() === client.id
          ? words.walk.forClient(client.id)
          : audience !== undefined && <code>{quote(audience.join(" "))}</code>}
      </td>
      <td>
        {state === undefined ? words.walk.readOnce : (
          <>
            <span class={classOfMark(state === "works")} /> {words.walk.states[state]}
          </>
        )}
        {failed > 0 && (
          <>
            {" "}
            <a data-result="failed" href={place}>{englishToken.checked(0, failed)}</a>
          </>
        )}
      </td>
    </tr>
  );
}

// In characters. Enough to recognise a token.
const longestBeginning = 24;

function shortenToken(text: string): string {
  return text.length > longestBeginning ? `${visible(text.slice(0, longestBeginning))}…` : visible(text);
}
