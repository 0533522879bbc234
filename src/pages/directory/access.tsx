/** What people and clients have at the server now: sign-ins, grants with their tokens, and remembered consents. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { CardSection, EndButton, type Turns, Until } from "./directory.tsx";
import { Fact } from "../parts.tsx";
import { type FormTarget, PageLink } from "../pass.tsx";
import { describeMoment } from "../time_text.ts";
import { visible } from "../visible.ts";
import { englishDirectory, type Loss, type TokenKind } from "../words/directory_english.ts";

/** A client or a person, with its page. */
export interface Named {
  readonly id: string;
  readonly name: string;
  readonly href: string;
}

export interface SignInRow {
  readonly session: string;
  readonly sid: string;
  readonly since: number;
  readonly endsAt: number;
  readonly isAutomatic: boolean;
  readonly clients: readonly Named[];
}

/** A token that has not expired. */
export interface TokenRow {
  readonly kind: TokenKind;
  readonly endsAt: number;
  /** Where the token is accepted. */
  readonly audience: readonly string[];
}

export interface GrantRow {
  readonly id: string;
  readonly client: Named;
  readonly person: Named;
  readonly scope: readonly string[];
  readonly usedAt: number;
  readonly tokens: readonly TokenRow[];
  readonly loss?: Loss;
}

export interface ConsentRow {
  readonly client: Named;
  readonly person: Named;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  readonly endsAt: number;
}

/** A list, or a part of it. */
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly turns: Turns;
}

interface Common {
  readonly now: number;
  /** Absent: the page only shows. */
  readonly end: FormTarget | undefined;
  /** The person or the client of the page, to which the forms lead back. */
  readonly of: Readonly<Record<string, string>>;
}

export function SignIns({ rows, turns, now, end, of }: Common & Rows<SignInRow>): VNode {
  const words = englishDirectory.access.signIns;
  return (
    <CardSection id="sign-ins" heading={words.heading} about={words.about} none={words.none} turns={turns}>
      {rows.map(({ session, sid, since, endsAt, isAutomatic, clients }) => (
        <li class="card" key={sid}>
          <p>
            {words.since(describeMoment(since))} {isAutomatic && <span class="tag">{words.automatic}</span>}
            <span class="note">
              <Until at={endsAt} now={now} />
            </span>
          </p>
          <dl class="facts">
            <Fact term={words.clients}>
              {clients.length === 0 ? words.noClients : <Names all={clients} />}
            </Fact>
          </dl>
          <EndButton
            form={end}
            fields={{ ...of, session, sid }}
            label={words.end}
            what={words.endWhat(describeMoment(since))}
          />
        </li>
      ))}
    </CardSection>
  );
}

/** `shows`: the side that the page does not show already. */
export function Grants(
  { rows, turns, shows, now, end, of }: Common & Rows<GrantRow> & { readonly shows: "client" | "person" },
): VNode {
  const words = englishDirectory.access.grants;
  return (
    <CardSection id="grants" heading={words.heading} about={words.about} none={words.none} turns={turns}>
      {rows.map((row) => (
        <li class="card" key={row.id}>
          <h3>
            <Name named={row[shows]} />
          </h3>
          <dl class="facts">
            <Fact term={words.scope}>
              {row.scope.length === 0 ? words.noScope : <Codes all={row.scope} />}
            </Fact>
            <Fact term={words.lastUse}>{describeMoment(row.usedAt)}</Fact>
            {row.loss === undefined &&
              row.tokens.map((token) => (
                <Fact key={token.kind} term={words.tokens[token.kind]}>
                  <Until at={token.endsAt} now={now} />
                  <span class="note">
                    {words.goodFor} <Codes all={token.audience} />
                  </span>
                </Fact>
              ))}
          </dl>
          {row.loss === undefined
            ? row.tokens.length === 0 && <p class="aside">{words.noTokens}</p>
            : <p class="notice caution">{words.lost(row.loss)}</p>}
          <EndButton
            form={end}
            fields={{ ...of, grant: row.id }}
            label={words.end}
            what={words.endWhat(visible(row.client.name), visible(row.person.name))}
          />
        </li>
      ))}
    </CardSection>
  );
}

export function Consents(
  { rows, turns, shows, now, end, of }: Common & Rows<ConsentRow> & { readonly shows: "client" | "person" },
): VNode {
  const { consents: words, grants: { scope: scopeTerm } } = englishDirectory.access;
  return (
    <CardSection id="consents" heading={words.heading} about={words.about} none={words.none} turns={turns}>
      {rows.map((row) => (
        <li class="card" key={`${row.client.id} ${row.person.id}`}>
          <h3>
            <Name named={row[shows]} />
          </h3>
          <dl class="facts">
            <Fact term={scopeTerm}>
              <Codes all={row.scope} />
              <span class="note">
                <Until at={row.endsAt} now={now} />
              </span>
            </Fact>
            {row.resource.length > 0 && (
              <Fact term={words.resource}>
                <Codes all={row.resource} />
              </Fact>
            )}
          </dl>
          <EndButton
            form={end}
            fields={{ ...of, client: row.client.id, person: row.person.id }}
            label={words.end}
            what={words.endWhat(visible(row.client.name), visible(row.person.name))}
          />
        </li>
      ))}
    </CardSection>
  );
}

function Names({ all }: { readonly all: readonly Named[] }): VNode {
  return <>{all.map((each, at) => [at > 0 && ", ", <Name key={each.id} named={each} />])}</>;
}

function Name({ named: { name, href } }: { readonly named: Named }): VNode {
  return (
    <PageLink href={href}>
      <bdi>{visible(name)}</bdi>
    </PageLink>
  );
}

function Codes({ all }: { readonly all: readonly string[] }): VNode {
  return <>{all.map((each, at) => [at > 0 && " ", <code key={each}>{visible(each)}</code>])}</>;
}
