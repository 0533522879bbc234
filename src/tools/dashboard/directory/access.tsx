/** What people and clients have at the server now: sign-ins, grants with their tokens, and remembered consents. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { formatDuration } from "../../../ground/schema/duration.ts";
import {
  EndForm,
  type EndProps,
  Fold,
  NameLink,
  type Notices,
  TurnLinks,
  type Turns,
} from "./directory_parts.tsx";
import type { FormTarget } from "../parts/pass.tsx";
import { describeMoment } from "../../../server/pages/value.tsx";
import { describeClockTime } from "../../../kit/timeline/time_text.ts";
import { Section, Table, type TableColumn } from "../../../server/pages/parts.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { englishDirectory as directory, type Loss, type TokenKind } from "./directory_english.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
  readonly href: string;
}

export interface SignInRow {
  readonly sid: string;
  readonly since: number;
  readonly endsAt: number;
  readonly isAutomatic: boolean;
  /** The browser that shows the page. */
  readonly isHere: boolean;
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
  readonly scope: readonly string[];
  readonly approvedAt?: number;
  /** When the client last got tokens. Absent: it has not got any. */
  readonly usedAt?: number;
  readonly tokens: readonly TokenRow[];
  readonly loss?: Loss;
  /** Whether a token works, or would work again if its loss were undone. */
  readonly canEnd: boolean;
}

export interface ConsentRow {
  readonly client: Named;
  readonly person: Named;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  readonly endsAt: number;
}

export interface Rows<T> {
  readonly rows: readonly T[];
  readonly turns: Turns;
}

/** The grants of one client or one person. */
export interface GrantGroup extends Rows<GrantRow> {
  readonly of: Named;
  readonly isOpen: boolean;
}

export interface SignInRows extends Rows<SignInRow> {
  /** How many browsers keep a sign-in. The others are of callers without cookies. */
  readonly browsers: number;
  readonly isOpen: boolean;
}

/** What the pages of a person and of a client have in common. */
export interface AccessProps {
  readonly now: number;
  readonly notices: Notices;
  readonly grants: Rows<GrantGroup>;
  readonly consents: Rows<ConsentRow>;
  readonly backUrl: string;
  readonly requestsUrl: string;
}

interface Common {
  readonly now: number;
  /** Absent: the page only shows. */
  readonly end: FormTarget | undefined;
  /** The person or the client of the page, to which the forms lead back. */
  readonly of: Readonly<Record<string, string>>;
}

/** The side of a grant or a consent that the page does not show already. */
interface Shows {
  readonly shows: "client" | "person";
}

const { signIns: signInWords, grants: grantWords, consents: consentWords, columns, side } = directory.access;

export function SignIns({ rows, turns, browsers, isOpen, now, end, of }: Common & SignInRows): VNode {
  return (
    <Listed id="sign-ins" {...signInWords} isEmpty={rows.length === 0}>
      <Fold
        summary={signInWords.count(turns.all, browsers)}
        isOpen={isOpen}
        form={end}
        fields={{ ...of, sign_in: "all" }}
        label={signInWords.endAll}
      >
        <Table
          id="sign-ins"
          rows={rows}
          columns={[
            [columns.since, ({ since, isHere, isAutomatic }) => (
              <>
                <When at={since} now={now} />
                {isHere && markHere()} {isAutomatic && <span class="tag">{signInWords.automatic}</span>}
              </>
            )],
            [columns.ends, ({ endsAt }) => <Left until={endsAt} now={now} />],
            [
              signInWords.clients,
              ({ clients }) =>
                clients.length === 0
                  ? signInWords.noClients
                  : clients.map((each, at) => [at > 0 && ", ", <NameLink key={each.id} {...each} />]),
              "clip under",
            ],
          ]}
          action={ending<SignInRow>(end, ({ sid, since }) => ({
            fields: { ...of, sign_in: sid },
            label: signInWords.end,
            what: signInWords.endWhat(describeMoment(since)),
          }))}
        />
        <TurnLinks turns={turns} />
      </Fold>
    </Listed>
  );
}

export function Grants({ rows, turns, shows, now, end, of }: Common & Rows<GrantGroup> & Shows): VNode {
  return (
    <Listed id="grants" {...grantWords} isEmpty={rows.length === 0}>
      <div id="grants">
        {rows.map(({ of: { id, name, href }, isOpen, ...group }) => (
          <Fold
            key={id}
            summary={[<bdi key="name">{visible(name)}</bdi>, ` · ${grantWords.count(group.turns.all)}`]}
            isOpen={isOpen || turns.all === 1}
            form={end}
            label={grantWords.endAll}
            fields={{ ...of, [shows]: id, grant: "all" }}
            what={` ${visible(name)}`}
          >
            <p class="aside">
              {grantWords.more} <NameLink name={id} href={href} />
            </p>
            <GrantTable {...group} now={now} end={end} of={{ ...of, [shows]: id }} />
          </Fold>
        ))}
      </div>
      <TurnLinks turns={turns} />
      {turns.all > 1 && (
        <EndForm
          form={end}
          fields={{ ...of, grant: "all" }}
          label={`${grantWords.end} ${grantWords.everything}`}
        />
      )}
    </Listed>
  );
}

function GrantTable({ rows, turns, now, end, of }: Common & Rows<GrantRow>): VNode {
  return (
    <>
      <Table
        rows={rows}
        columns={[
          [
            columns.approved,
            ({ approvedAt }) => approvedAt !== undefined && <When at={approvedAt} now={now} />,
          ],
          [
            columns.scope,
            ({ scope }) => scope.length === 0 ? grantWords.noScope : <Codes all={scope} />,
            "under",
          ],
          [columns.tokens, (row) => <Tokens {...row} now={now} />, "under"],
          [
            columns.lastUse,
            ({ usedAt }) => usedAt === undefined ? grantWords.notUsed : <When at={usedAt} now={now} />,
            "wide",
          ],
        ]}
        action={ending<GrantRow>(end, ({ id, approvedAt = 0, canEnd }) => ({
          fields: { ...of, grant: id },
          label: grantWords.end,
          what: grantWords.endWhat(describeMoment(approvedAt)),
          hasEffect: canEnd,
        }))}
      />
      <TurnLinks turns={turns} />
    </>
  );
}

/** How long each token is still valid, or why none has an effect. */
function Tokens({ tokens, loss, now }: Pick<GrantRow, "tokens" | "loss"> & { readonly now: number }): VNode {
  if (loss !== undefined) return <span class="caution">{grantWords.lost(loss)}</span>;
  if (tokens.length === 0) return <>{grantWords.noTokens}</>;
  return (
    <>
      {tokens.map(({ kind, endsAt, audience }, at) => (
        <span key={kind} title={grantWords.goodFor(audience.map(visible).join(" "))}>
          {at > 0 && ", "}
          {grantWords.tokens[kind]} <Left until={endsAt} now={now} />
        </span>
      ))}
    </>
  );
}

export function Consents({ rows, turns, shows, now, end, of }: Common & Rows<ConsentRow> & Shows): VNode {
  return (
    <Listed id="consents" {...consentWords} isEmpty={rows.length === 0}>
      <Table
        id="consents"
        rows={rows}
        columns={[
          [side[shows], (row) => <NameLink {...row[shows]} />, "clip"],
          [columns.scope, ({ scope }) => <Codes all={scope} />, "under"],
          [columns.resource, ({ resource }) => <Codes all={resource} />, "clip under"],
          [columns.ends, ({ endsAt }) => <Left until={endsAt} now={now} />],
        ]}
        action={ending<ConsentRow>(end, ({ client, person }) => ({
          fields: { ...of, client: client.id, person: person.id },
          label: consentWords.end,
          what: consentWords.endWhat(visible(client.name), visible(person.name)),
        }))}
      />
      <TurnLinks turns={turns} />
    </Listed>
  );
}

function Listed({ id, heading, none, isEmpty, children }: {
  readonly id: string;
  readonly heading: string;
  readonly none: string;
  readonly isEmpty: boolean;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <Section id={id} heading={heading}>
      {isEmpty ? <p class="aside">{none}</p> : children}
    </Section>
  );
}

/** The column of the buttons that end what the rows show. `hasEffect`: false leaves the button of a row out. */
function ending<Row>(
  form: FormTarget | undefined,
  describe: (row: Row) => Omit<EndProps, "form"> & { readonly hasEffect?: boolean },
): TableColumn<Row> | undefined {
  if (form === undefined) return undefined;
  return [directory.shared.action, (row) => {
    const { hasEffect = true, ...end } = describe(row);
    return <EndForm form={hasEffect ? form : undefined} {...end} />;
  }, "end"];
}

/** Marks what belongs to the browser that shows the page. */
export function markHere(): ComponentChildren {
  return [", ", <strong key="here">{directory.shared.here}</strong>];
}

/** A clock time, whose title is the whole moment. */
export function When({ at, now }: { readonly at: number; readonly now: number }): VNode {
  return <time title={describeMoment(at)}>{describeClockTime(at, now)}</time>;
}

/** How long something is still valid. The title says until when. */
function Left({ until, now }: { readonly until: number; readonly now: number }): VNode {
  return (
    <time title={directory.shared.until(describeMoment(until))}>
      {formatDuration(Math.max(0, until - now))}
    </time>
  );
}

function Codes({ all }: { readonly all: readonly string[] }): VNode {
  return <>{all.map((each, at) => [at > 0 && " ", <code key={each}>{visible(each)}</code>])}</>;
}
