/** What people and clients have at the server now: sign-ins, grants with their tokens, and remembered consents. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { formatDuration } from "../../../server/schema/duration.ts";
import { EndButton, TableSection, type Turns } from "./directory_parts.tsx";
import { type FormTarget, PageLink } from "../parts/pass.tsx";
import { describeMoment } from "../../../server/pages/value.tsx";
import { describeClockTime } from "../../../kit/timeline/time_text.ts";
import { visible } from "../../../server/pages/visible.ts";
import { englishDirectory, type Loss, type TokenKind } from "./directory_english.ts";

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
  readonly client: Named;
  readonly person: Named;
  readonly scope: readonly string[];
  /** A username. */
  readonly approvedBy: string;
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

const { signIns: signInWords, grants: grantWords, consents: consentWords, columns, side } =
  englishDirectory.access;

export function SignIns({ rows, turns, now, end, of }: Common & Rows<SignInRow>): VNode {
  const words = signInWords;
  return (
    <TableSection
      id="sign-ins"
      heading={words.heading}
      none={words.none}
      turns={turns}
      columns={[columns.since, columns.ends, [words.clients, "under"]]}
      hasAction={end !== undefined}
    >
      {rows.map(({ session, sid, since, endsAt, isAutomatic, isHere, clients }) => (
        <tr key={sid}>
          <td>
            <When at={since} now={now} hasSeconds />
            {isHere && <Here />} {isAutomatic && <span class="tag">{words.automatic}</span>}
          </td>
          <td>
            <Left until={endsAt} now={now} />
          </td>
          <td class="clip under">{clients.length === 0 ? words.noClients : <Names all={clients} />}</td>
          <Ending
            form={end}
            fields={{ ...of, session, sid }}
            label={words.end}
            what={words.endWhat(describeMoment(since))}
          />
        </tr>
      ))}
    </TableSection>
  );
}

export function Grants({ rows, turns, shows, now, end, of }: Common & Rows<GrantRow> & Shows): VNode {
  const words = grantWords;
  return (
    <TableSection
      id="grants"
      heading={words.heading}
      none={words.none}
      turns={turns}
      columns={[
        side[shows],
        [columns.approved, "under"],
        [columns.scope, "under"],
        columns.tokens,
        [columns.lastUse, "wide"],
      ]}
      hasAction={end !== undefined}
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <td class="clip">
            <Name named={row[shows]} />
            {shows === "client" && row.client.name !== row.client.id && (
              <>
                {" "}
                <code>{visible(row.client.id)}</code>
              </>
            )}
          </td>
          <td class="under">
            {words.approvedBy(visible(row.approvedBy))}
            {row.approvedAt !== undefined && (
              <>
                , <When at={row.approvedAt} now={now} />
              </>
            )}
          </td>
          <td class="clip under">{row.scope.length === 0 ? words.noScope : <Codes all={row.scope} />}</td>
          <td>
            <Tokens {...row} now={now} />
          </td>
          <td class="wide">
            {row.usedAt === undefined ? words.notUsed : <When at={row.usedAt} now={now} />}
          </td>
          <Ending
            form={end}
            fields={{ ...of, grant: row.id }}
            label={words.end}
            what={words.endWhat(visible(row.client.name), visible(row.person.name))}
            hasEffect={row.canEnd}
          />
        </tr>
      ))}
    </TableSection>
  );
}

/** How long each token is still valid, or why none has an effect. */
function Tokens({ tokens, loss, now }: Pick<GrantRow, "tokens" | "loss"> & { readonly now: number }): VNode {
  const words = grantWords;
  if (loss !== undefined) return <span class="caution">{words.lost(loss)}</span>;
  if (tokens.length === 0) return <>{words.noTokens}</>;
  return (
    <>
      {tokens.map(({ kind, endsAt, audience }, at) => (
        <span key={kind} title={words.goodFor(audience.map(visible).join(" "))}>
          {at > 0 && ", "}
          {words.tokens[kind]} <Left until={endsAt} now={now} />
        </span>
      ))}
    </>
  );
}

export function Consents({ rows, turns, shows, now, end, of }: Common & Rows<ConsentRow> & Shows): VNode {
  const words = consentWords;
  return (
    <TableSection
      id="consents"
      heading={words.heading}
      none={words.none}
      turns={turns}
      columns={[side[shows], columns.scope, [columns.resource, "under"], columns.ends]}
      hasAction={end !== undefined}
    >
      {rows.map((row) => (
        <tr key={`${row.client.id} ${row.person.id}`}>
          <td class="clip">
            <Name named={row[shows]} />
          </td>
          <td class="clip">
            <Codes all={row.scope} />
          </td>
          <td class="clip under">
            <Codes all={row.resource} />
          </td>
          <td>
            <Left until={row.endsAt} now={now} />
          </td>
          <Ending
            form={end}
            fields={{ ...of, client: row.client.id, person: row.person.id }}
            label={words.end}
            what={words.endWhat(visible(row.client.name), visible(row.person.name))}
          />
        </tr>
      ))}
    </TableSection>
  );
}

/** The last cell of a row: the button that ends what the row shows, if it has an effect. */
function Ending(
  { hasEffect = true, ...button }: Parameters<typeof EndButton>[0] & { readonly hasEffect?: boolean },
): VNode | null {
  return button.form === undefined ? null : <td class="end">{hasEffect && <EndButton {...button} />}</td>;
}

/** Marks what belongs to the browser that shows the page. */
export function Here(): VNode {
  return (
    <>
      , <strong>{englishDirectory.shared.here}</strong>
    </>
  );
}

/** A clock time, whose title is the whole moment. `hasSeconds`: where two of them may be of one minute. */
export function When(
  { at, now, hasSeconds = false }: {
    readonly at: number;
    readonly now: number;
    readonly hasSeconds?: boolean;
  },
): VNode {
  return <time title={describeMoment(at)}>{describeClockTime(at, now, hasSeconds)}</time>;
}

/** How long something is still valid. The title says until when. */
function Left({ until, now }: { readonly until: number; readonly now: number }): VNode {
  return (
    <time title={englishDirectory.shared.until(describeMoment(until))}>
      {formatDuration(Math.max(0, until - now))}
    </time>
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
